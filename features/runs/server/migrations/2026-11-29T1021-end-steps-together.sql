-- Most steps end with success, and only one step follows them. A batch of such ends is written by a few statements instead of several for each
-- step. All other ends are written by `end_run_step`, one by one. Behaviour is unchanged.

-- Locks runs in one order. Without runs to stop, one statement does so.
create or replace function lock_runs(changed uuid[], stopped uuid[]) returns void language plpgsql as $$
declare
  level integer;
begin
  if cardinality(stopped) = 0 then
    perform 1 from runs where id = any(changed) order by depth, id for no key update;
    return;
  end if;
  level := (select min(depth) from runs where id = any(changed || stopped));
  while level is not null loop
    perform 1 from runs where id = any(changed || stopped) and depth = level order by id for no key update;
    -- A run that is starting holds its parent run, so none comes in between.
    stopped := stopped || array(
      select id from runs where parent_run_id = any(stopped) and depth = level + 1 and state <> 'ended');
    level := (select min(depth) from runs where id = any(changed || stopped) and depth > level);
  end loop;
end $$;

-- An end with success that only one step follows. `is_followed`: this step begins in the same job; otherwise it still waits for other steps.
create type simple_step_end as (
  place bigint, run_id uuid, number integer, e_id uuid, attempt integer, worker text, attempt_at timestamptz, ended_at timestamptz,
  message text, branch text, output_values jsonb, child integer, queue_job uuid, next_worker text, is_followed boolean
);

-- Returns the ends of a batch that are simple and belong to runs with only simple ends. The runs are locked.
create function simple_step_ends(ends jsonb[], at timestamptz[]) returns simple_step_end[] language plpgsql as $$
begin
  return array(
    with given as (
      select given.place, given.ended_at, step_end, coalesce(step_end ->> 'runId', step_end -> 0 ->> 'runId')::uuid as run_id,
        (step_end ->> 'number')::integer as number, (step_end ->> 'attempt')::integer as attempt
      from unnest(ends, at) with ordinality as given (step_end, ended_at, place)
    ), known as (
      select given.*, own.e_id, own.worker, own.attempt_at, following.number as child, following.waits_for,
        (run.state = 'running' and not run.stop_requested and step_end ->> 'outcome' = 'INFO' and not step_end ? 'retryAt'
          and own.branches is null and cardinality(own.children) = 1 and following.state = 'waiting'
          and following.job_kind = step_end ->> 'nextKind' and not (following.task ->> 'isPaused')::boolean) is true as is_simple
      from given
      join runs run on run.id = given.run_id
      left join run_steps own on own.run_id = given.run_id and own.number = given.number and own.state = 'running'
        and own.attempt = given.attempt
      left join run_steps following on following.run_id = given.run_id and following.number = own.children[1]
    ), judged as (
      select *, bool_and(is_simple) over (partition by run_id) as is_run_simple,
        row_number() over (partition by run_id, child order by place) as child_place, count(*) over (partition by run_id, child) as child_ends
      from known
    )
    select row(place, run_id, number, e_id, attempt, coalesce(worker, ''), coalesce(attempt_at, ended_at), ended_at,
      step_end ->> 'message', step_end ->> 'branch', step_end -> 'values', child, (step_end ->> 'queueJob')::uuid, step_end ->> 'worker',
      child_place = child_ends and child_ends = waits_for)::simple_step_end
    from judged where is_run_simple order by place);
end $$;

-- running → done for simple ends, and waiting → running for the steps that they begin.
create function write_simple_step_ends(simple simple_step_end[]) returns void language plpgsql as $$
begin
  with given as (
    select * from unnest(simple)
  ), ended as (
    update run_steps step set state = 'done', outcome = 'INFO', message = given.message, branch = given.branch,
      ended_at = given.ended_at, queue_job = null
    from given where step.run_id = given.run_id and step.number = given.number
  ), history as (
    insert into run_attempts (run_id, number, attempt, worker, started_at, ended_at, outcome, message)
    select run_id, number, attempt, worker, attempt_at, ended_at, 'INFO', left(message, 2000) from given
  ), stored as (
    insert into run_values (run_id, key, value)
    select distinct on (run_id, key) run_id, key, value from given cross join jsonb_each_text(output_values) as output (key, value)
    order by run_id, key, place desc
    on conflict (run_id, key) do update set value = excluded.value
  ), following as (
    select run_id, child as number, count(*)::integer as ends, bool_or(is_followed) as begins,
      max(queue_job::text) filter (where is_followed) as queue_job, max(next_worker) filter (where is_followed) as worker,
      max(ended_at) filter (where is_followed) as begun_at
    from given group by run_id, child
  )
  update run_steps step set waits_for = waits_for - ends, state = case when begins then 'running' else state end,
    attempt = attempt + begins::integer, queue_job = following.queue_job::uuid, worker = following.worker,
    attempt_at = begun_at, started_at = coalesce(started_at, begun_at)
  from following where step.run_id = following.run_id and step.number = following.number;

  perform end_components(array_agg(run_id order by place), array_agg(e_id::text order by place),
    array_agg('INFO'::text order by place), array_agg(message order by place), array_agg(ended_at order by place))
  from unnest(simple);
  -- The other steps can be paused.
  perform settle_run(run_id, max(ended_at)) from unnest(simple) group by run_id having not bool_or(is_followed);
end $$;

-- Ends attempts of several runs; an array is the end of a chain. A step that ends without success stops the runs that it has started.
-- The plans do not depend on the parameters, and all rows are found by keys. Plans from a time with few rows would read whole tables.
create or replace function end_run_steps(ends jsonb[], at timestamptz[]) returns table (place bigint, held boolean, next run_step_start)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  simple simple_step_end[];
  written bigint[];
begin
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
