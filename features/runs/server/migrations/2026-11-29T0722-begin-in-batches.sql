-- Begins the steps of several jobs in one transaction. Steps of one run that become ready together would otherwise wait for the commit of each
-- other, because a transition locks the run. `jobs` is an array of {id, runId, number, worker}; a job without a step to execute has no row.
create function begin_run_steps(jobs jsonb[], restarted_message text, at timestamptz[])
returns table (item bigint, step run_step_start) language plpgsql as $$
begin
  if cardinality(jobs) > 1 then
    perform lock_runs(array(select (job ->> 'runId')::uuid from unnest(jobs) as job), '{}');
  end if;
  return query select given.item, begun::run_step_start
    from unnest(jobs, at) with ordinality as given (job, begun_at, item)
    cross join lateral begin_run_step((given.job ->> 'runId')::uuid, (given.job ->> 'number')::integer, (given.job ->> 'id')::uuid,
      given.job ->> 'worker', restarted_message, given.begun_at) as begun;
end $$;
alter function begin_run_steps(jsonb[], text, timestamptz[]) set plan_cache_mode = force_generic_plan;
