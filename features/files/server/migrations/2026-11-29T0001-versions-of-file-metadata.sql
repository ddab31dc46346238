-- Each change of the metadata of a version of a file makes a new version of the metadata.
alter table files add column fields_version integer not null default 1;
