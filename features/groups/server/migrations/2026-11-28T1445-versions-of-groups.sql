-- Each change of the description, fields or tags makes a new version. Its author is null if unknown.
alter table groups
  add column version integer not null default 1,
  add column changed_by bigint references users (id) on delete set null;

create or replace view live_groups as
select id, name, description, fields, owner_id, home_of, created_at, version, changed_by from groups where deleted_at is null;
