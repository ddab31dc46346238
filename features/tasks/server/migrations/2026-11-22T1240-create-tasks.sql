create table tasks (
  id uuid primary key,
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  -- Number of the newest version.
  version integer not null,
  unique (group_id, name)
);
create index tasks_name on tasks (lower(name));

-- Content of every save. Name and group belong to the task, not to its versions.
create table task_versions (
  task_id uuid not null references tasks (id) on delete cascade,
  version integer not null,
  input jsonb not null,
  saved_by bigint not null references users (id),
  saved_at timestamptz not null,
  primary key (task_id, version)
);
