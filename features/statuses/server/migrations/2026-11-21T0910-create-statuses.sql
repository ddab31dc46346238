create extension if not exists pg_trgm;

create table jobs (
  id uuid primary key,
  seq bigint generated always as identity,
  type text not null check (type in ('PIPELINE', 'ETL', 'DATAPREP')),
  name text not null,
  group_id bigint,
  group_name text not null default '',
  owner_id bigint not null references users (id) on delete cascade,
  status text not null,
  latest_status text not null,
  latest_message text not null default '',
  latest_component text not null default '',
  payload jsonb not null default '{}',
  types text[] not null,
  tags text[] not null default '{}',
  version integer,
  root_id text,
  follows_components boolean not null,
  started_at timestamptz not null,
  ended_at timestamptz
);
create index jobs_newest on jobs (seq desc);
create index jobs_group on jobs (group_id, seq desc);
create index jobs_owner on jobs (owner_id, seq desc);
create index jobs_root on jobs (root_id, seq desc) where root_id is not null;
create index jobs_search on jobs using gin ((lower(name || ' ' || group_name)) gin_trgm_ops);

create table job_components (
  job_id uuid not null references jobs (id) on delete cascade,
  e_id text not null,
  seq bigint generated always as identity,
  prev_e_id text,
  component text not null,
  status text not null,
  message text not null default '',
  payload jsonb not null default '{}',
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (job_id, e_id)
);

-- The newest job of each pipeline, group or data prep, kept with each start, since looking for it among all jobs would
-- read all of them.
create table newest_jobs (
  type text not null,
  scope text not null,
  name text not null,
  job_id uuid not null references jobs (id) on delete cascade,
  primary key (type, scope, name)
);
create index newest_jobs_job on newest_jobs (job_id);
