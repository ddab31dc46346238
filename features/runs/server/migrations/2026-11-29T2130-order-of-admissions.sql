-- A limit that holds a run also holds those after it. Before, a limit that was raised while runs were admitted could admit a later run and leave an
-- earlier one waiting, because each run was compared with the current limit.

-- Starts held runs as far as the limits allow: those with the highest priority first, then the oldest. Returns the number of runs
-- that are still held. The limit of a group counts only runs that no other run has started.
create or replace function admit_runs(at timestamptz) returns integer language plpgsql as $$
declare
  run runs;
  reason text;
  limit_name text;
  full_limits text[] := '{}';
  held integer := 0;
begin
  -- Admissions count what others have admitted, so they follow one another.
  perform pg_advisory_xact_lock(4817627, 0);
  for run in select * from runs where is_held and state <> 'ended' order by priority desc, seq loop
    select message, name into reason, limit_name from (
      select format('Waiting: at most %s of the runs of the pipeline can be in progress.', max_runs) as message,
        format('pipeline %s', own.pipeline_id) as name
      from pipeline_run_limits own
      where own.pipeline_id = run.pipeline_id and max_runs is not null
        and (format('pipeline %s', own.pipeline_id) = any(full_limits) or max_runs <= (
          select count(*) from runs other where other.pipeline_id = run.pipeline_id and other.state <> 'ended' and not other.is_held))
      union all
      select format('Waiting: at most %s of the runs of the group can be in progress.', max_runs), format('group %s', own.group_id)
      from group_run_limits own
      where own.group_id = run.group_id and run.depth = 0
        and (format('group %s', own.group_id) = any(full_limits) or max_runs <= (
          select count(*) from runs other
          where other.group_id = run.group_id and other.depth = 0 and other.state <> 'ended' and not other.is_held))
    ) as full_limit limit 1;
    -- A transition that has locked the run is about to end it.
    perform 1 from runs where id = run.id and is_held and state <> 'ended' for no key update skip locked;
    if not found then
      held := held + 1;
    elsif reason is not null then
      held := held + 1;
      full_limits := full_limits || limit_name;
      if run.held_by is distinct from reason then
        update runs set held_by = reason where id = run.id;
        perform set_job_status(run.id, 'PENDING', reason, at);
      end if;
    else
      update runs set is_held = false, held_by = null where id = run.id;
      perform release_first_run_steps(run.id, at);
    end if;
  end loop;
  return held;
end $$;
