create table queue_jobs (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  kind text not null,
  payload jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  run_after timestamptz not null default now(),
  unique_key text,
  serial_key text,
  max_attempts integer not null check (max_attempts > 0),
  failures integer not null default 0,
  attempt integer not null default 0,
  worker text,
  lease_until timestamptz,
  result jsonb,
  error text,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);

create unique index queue_jobs_unique on queue_jobs (unique_key) where state = 'waiting';
-- At most one running job of a serial key, whatever two workers see at the same moment.
create unique index queue_jobs_serial_running on queue_jobs (serial_key) where state = 'running';
create index queue_jobs_serial on queue_jobs (serial_key, seq) where state in ('waiting', 'running');
create index queue_jobs_waiting on queue_jobs (seq) where state = 'waiting';
create index queue_jobs_leases on queue_jobs (lease_until) where state = 'running';
create index queue_jobs_ended on queue_jobs (ended_at) where state in ('done', 'failed');
