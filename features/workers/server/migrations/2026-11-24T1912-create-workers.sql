-- Processes that execute jobs: servers, and workers without a web port. All times are those of the database, as clocks of machines differ.
create table workers (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('server', 'worker')),
  tags text[] not null,
  version text not null,
  -- Derived from the installation key.
  key_check text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  draining boolean not null default false
);
