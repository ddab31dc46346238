create table pipelines (
  id uuid primary key,
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  -- Number of the newest version.
  version integer not null,
  unique (group_id, name)
);
create index pipelines_name on pipelines (lower(name));

-- What every save wrote. Name and group are those of the pipeline, whatever they were when a version was saved.
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

-- When pipelines run by themselves; at most one moment for each, the next of all its triggers.
create table pipeline_schedules (
  pipeline_id uuid primary key references pipelines (id) on delete cascade,
  -- Of each trigger the cron expression and the time zone.
  triggers jsonb not null,
  -- Runs ask with the rights of this user.
  set_by bigint not null references users (id),
  -- Empty until the server has worked it out.
  next_at timestamptz
);

-- Runs that wait or go on. A run that ended has no row any more; its job tells of it.
create table pipeline_runs (
  -- The job whose statuses tell of the run.
  id uuid primary key,
  -- Empty for a task that runs by itself. A run outlives its pipeline, so that it can be ended properly.
  pipeline_id uuid,
  name text not null,
  group_name text not null,
  user_id bigint not null references users (id),
  started_at timestamptz not null default now(),
  -- Set when somebody has asked for its end.
  stop_requested boolean not null default false,
  -- Set while it waits to be continued.
  paused boolean not null default false
);
create index pipeline_runs_of_user on pipeline_runs (user_id);
create index pipeline_runs_of_pipeline on pipeline_runs (pipeline_id);

-- The steps of a run, in their order, as they were when it began.
create table pipeline_run_steps (
  run_id uuid not null references pipeline_runs (id) on delete cascade,
  number integer not null,
  -- Id of this execution in statuses.
  e_id uuid not null,
  task jsonb not null,
  state text not null check (state in ('waiting', 'running', 'done')),
  -- How it ended, with its message; empty before.
  outcome jsonb,
  primary key (run_id, number)
);

-- What tasks of a run hand on to others, by the reference that stands for it.
create table pipeline_run_values (
  run_id uuid not null references pipeline_runs (id) on delete cascade,
  key text not null,
  value text not null,
  primary key (run_id, key)
);
