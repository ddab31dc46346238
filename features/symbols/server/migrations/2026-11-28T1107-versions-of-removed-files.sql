-- Versions of the points of deleted files: restored points get the version that they had, so that newer files still replace them.
create table removed_file_versions (
  file_id uuid primary key,
  group_id bigint not null references groups (id) on delete cascade,
  version bigint not null
);
create index removed_file_versions_group on removed_file_versions (group_id);
