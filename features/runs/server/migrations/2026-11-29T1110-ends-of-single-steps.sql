-- A batch with one end is written by `end_run_step`, without the preparation that several ends share. Behaviour is unchanged.

create or replace function end_run_steps(ends jsonb[], at timestamptz[]) returns table (place bigint, held boolean, next run_step_start)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  simple simple_step_end[];
  written bigint[];
begin
  if cardinality(ends) = 1 then
    -- `end_run_step` locks the run.
    return query select 1::bigint, ended.held, ended.next from end_run_step_or_chain(ends[1], at[1]) as ended;
    return;
  end if;
  perform lock_runs(
    array(select coalesce(step_end ->> 'runId', step_end -> 0 ->> 'runId')::uuid from unnest(ends) as step_end),
    array(select coalesce(step_end ->> 'runId', step_end -> 0 ->> 'runId')::uuid from unnest(ends) as step_end
      where coalesce(step_end ->> 'outcome', step_end -> -1 ->> 'outcome') <> 'INFO'));
  simple := simple_step_ends(ends, at);
  if cardinality(simple) > 0 then
    perform write_simple_step_ends(simple);
    return query select step_end.place, true, case when is_followed then start_of_run_step(run, following, false, null) end
      from unnest(simple) as step_end
      join runs run on run.id = step_end.run_id
      join run_steps following on following.run_id = step_end.run_id and following.number = child;
  end if;
  written := array(select step_end.place from unnest(simple) as step_end);
  if cardinality(written) < cardinality(ends) then
    return query
      with given as materialized (
        select * from unnest(ends, at) with ordinality as given (step_end, ended_at, place) where given.place <> all(written)
      )
      select given.place, ended.held, ended.next
      from given cross join lateral end_run_step_or_chain(given.step_end, given.ended_at) as ended;
  end if;
end $$;
