-- How the columns of CSV files become series, by group. A user with write access to the group stores them.
create table csv_mappings (
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  mapping jsonb not null,
  saved_at timestamptz not null,
  primary key (group_id, name)
);
