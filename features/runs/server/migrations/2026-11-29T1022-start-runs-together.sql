-- Starts runs in one transaction: starts of one user would otherwise wait for the commit of each other. `starts` is an array of
-- {run, job, steps, maxRuns}, as `start_run` takes them.
create function start_runs(starts jsonb[], at timestamptz[]) returns table (place bigint, started boolean)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  -- Two batches lock their users, and then the newest job of each name, in the same order.
  perform pg_advisory_xact_lock(4817626, owner) from (
    select distinct ((start -> 'run' ->> 'userId')::bigint % 2147483647)::integer as owner from unnest(starts) as start order by owner) as owners;
  return query select given.place,
      start_run(given.start -> 'run', given.start -> 'job', given.start -> 'steps', (given.start ->> 'maxRuns')::integer, given.started_at)
    from (
      select * from unnest(starts, at) with ordinality as given (start, started_at, place)
      order by start -> 'job' ->> 'groupId', start -> 'job' ->> 'ownerId', start -> 'job' ->> 'name', given.place) as given;
end $$;
