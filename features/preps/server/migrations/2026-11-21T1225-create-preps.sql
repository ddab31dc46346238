create table data_preps (
  id uuid primary key,
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  owner_id bigint not null references users (id),
  -- Number of the newest version.
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (group_id, name)
);
create index data_preps_updated on data_preps (updated_at desc);
create index data_preps_name on data_preps (lower(name));

-- What every save wrote. Name and group are those of the data prep, whatever they were when a version was saved.
create table data_prep_versions (
  data_prep_id uuid not null references data_preps (id) on delete cascade,
  version integer not null,
  definition jsonb not null,
  symbol_count integer not null,
  saved_by bigint not null references users (id),
  saved_at timestamptz not null,
  primary key (data_prep_id, version)
);

-- Runs that go on. A run that ended has no row any more; its job tells of it.
create table data_prep_runs (
  -- The job whose statuses tell of the run.
  id uuid primary key,
  data_prep_id uuid not null references data_preps (id) on delete cascade,
  version integer not null,
  user_id bigint not null references users (id),
  -- The job of the queue that does the work.
  queue_job_id uuid,
  -- The file it writes, once it is announced, with the permit to do so: a run that is taken up again writes the same file.
  file_id uuid,
  upload_permit text,
  unique (data_prep_id, user_id)
);
