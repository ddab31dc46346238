create table pipelines (
  id uuid primary key,
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  -- Number of the newest version.
  version integer not null,
  unique (group_id, name)
);
create index pipelines_name on pipelines (lower(name));

-- Content of every save. Name and group belong to the pipeline, not to its versions.
create table pipeline_versions (
  pipeline_id uuid not null references pipelines (id) on delete cascade,
  version integer not null,
  tasks jsonb not null,
  payload text not null,
  tags text[] not null,
  markdown_id text,
  saved_by bigint not null references users (id),
  saved_at timestamptz not null,
  primary key (pipeline_id, version)
);
create index pipeline_versions_saved on pipeline_versions (saved_at desc);

-- Schedules of pipelines: at most one row per pipeline, with the earliest next run of all its triggers.
create table pipeline_schedules (
  pipeline_id uuid primary key references pipelines (id) on delete cascade,
  -- Cron expression and time zone of each trigger.
  triggers jsonb not null,
  -- Runs have the access of this user.
  set_by bigint not null references users (id),
  -- Empty until the server has calculated it.
  next_at timestamptz
);

-- Runs that are waiting or in progress. A finished run has no row; its job has the result.
create table pipeline_runs (
  -- Job with the statuses of the run.
  id uuid primary key,
  -- Empty for a single task. A run outlives its pipeline until the server has stopped it.
  pipeline_id uuid,
  name text not null,
  group_name text not null,
  user_id bigint not null references users (id),
  started_at timestamptz not null default now(),
  -- Set when a user requests the stop of the run.
  stop_requested boolean not null default false,
  -- Set while the run waits for a user to continue it.
  paused boolean not null default false
);
create index pipeline_runs_of_user on pipeline_runs (user_id);
create index pipeline_runs_of_pipeline on pipeline_runs (pipeline_id);

-- Steps of a run in their order, as they were when it began.
create table pipeline_run_steps (
  run_id uuid not null references pipeline_runs (id) on delete cascade,
  number integer not null,
  -- Id of this execution in statuses.
  e_id uuid not null,
  task jsonb not null,
  state text not null check (state in ('waiting', 'running', 'done')),
  -- Result with its message; empty until the step is done.
  outcome jsonb,
  primary key (run_id, number)
);

-- Values that tasks of a run pass to later tasks, by reference.
create table pipeline_run_values (
  run_id uuid not null references pipeline_runs (id) on delete cascade,
  key text not null,
  value text not null,
  primary key (run_id, key)
);
