-- When data preps are run by themselves; at most one for each.
create table data_prep_schedules (
  data_prep_id uuid primary key references data_preps (id) on delete cascade,
  cron text not null,
  time_zone text not null,
  active boolean not null,
  -- Runs ask with the rights of this user.
  set_by bigint not null references users (id),
  set_at timestamptz not null,
  -- Empty while it is paused.
  next_at timestamptz,
  last_at timestamptz,
  last_job_id uuid
);
