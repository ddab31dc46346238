-- Backfills: one run of a pipeline for each date of a range.
create table pipeline_backfills (
  id uuid primary key default gen_random_uuid(),
  pipeline_id uuid not null references items (id) on delete cascade,
  pipeline_version integer not null,
  -- Runs have the access of this user.
  user_id bigint not null references users (id) on delete cascade,
  -- Most runs in progress at the same time.
  max_parallel integer not null check (max_parallel > 0),
  state text not null default 'RUNNING' check (state in ('RUNNING', 'ENDED', 'CANCELLED', 'FAILED')),
  -- Why it failed.
  message text not null default '',
  created_at timestamptz not null,
  ended_at timestamptz
);
create unique index pipeline_backfills_running on pipeline_backfills (pipeline_id) where state = 'RUNNING';
create index pipeline_backfills_of_pipeline on pipeline_backfills (pipeline_id, created_at desc);

create table pipeline_backfill_dates (
  backfill_id uuid not null references pipeline_backfills (id) on delete cascade,
  -- Order of the runs, from 1.
  position integer not null,
  run_date date not null,
  -- Why the date has no run; empty if it gets one.
  reason text,
  -- Job of its run, written by the transaction that starts the run, and the result of the run.
  job_id uuid unique,
  outcome text,
  primary key (backfill_id, position)
);

-- Records the end of a run of a backfill, and continues the backfill, in the transaction that ends the run.
create function continue_backfill_on_run_end() returns trigger language plpgsql as $$
declare
  continued uuid;
begin
  update pipeline_backfill_dates set outcome = new.outcome where job_id = new.id returning backfill_id into continued;
  if found then
    perform enqueue_queue_jobs(jsonb_build_array(jsonb_build_object('kind', 'continue-backfill', 'fairKey', new.user_id::text,
      'payload', jsonb_build_object('backfillId', continued))));
  end if;
  return null;
end $$;
create trigger runs_continue_backfills after update of state on runs
for each row when (new.state = 'ended' and old.state <> 'ended' and new.pipeline_id is not null)
execute function continue_backfill_on_run_end();
