-- Who brought a version of a file. Its owner may give it to somebody else, who has not written it for that.
alter table files add column saved_by bigint references users (id) on delete set null;
update files set saved_by = owner_id;
