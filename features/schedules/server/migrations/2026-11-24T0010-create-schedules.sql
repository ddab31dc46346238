-- When something happens; at most one schedule for each target.
create table schedules (
  -- What happens, such as `pipeline`. The feature that registers the kind owns its targets.
  kind text not null,
  target_id uuid not null,
  -- Of each trigger the cron expression and the time zone: [{"cron": …, "timeZone": …}].
  triggers jsonb not null,
  active boolean not null,
  -- Runs use the access of this user.
  set_by bigint not null references users (id),
  set_at timestamptz not null,
  -- The run that is due and has not started; empty when there is none.
  due_at timestamptz,
  -- Empty while the schedule is paused, and until a server has worked it out.
  next_at timestamptz,
  -- When the last run that started was due, and its job.
  last_at timestamptz,
  last_job_id uuid,
  primary key (kind, target_id)
);
create index schedules_next on schedules (next_at) where next_at is not null;

-- For lists of other features: the next run of each schedule, which may be due already.
create view schedule_moments as
select kind, target_id, triggers, active, coalesce(due_at, next_at) as next_at from schedules;

-- For the tables of targets: deletes the schedule of a deleted target of the kind that the trigger names, also when the
-- target goes with its group.
create function delete_schedule() returns trigger language plpgsql as $$
begin
  delete from schedules where kind = tg_argv[0] and target_id = old.id;
  return null;
end $$;
