-- Steps that one step releases get their jobs in one statement, in the order of their numbers, and steps that are ready begin together. Behaviour
-- is unchanged.

create or replace function release_run_steps(released_run uuid, numbers integer[], at timestamptz) returns void language plpgsql as $$
declare
  new_jobs jsonb;
  paused record;
begin
  if cardinality(numbers) = 0 then return; end if;
  with released as (
    update run_steps set state = case when (task ->> 'isPaused')::boolean and not is_approved then 'paused' else 'ready' end
    where run_id = released_run and number = any(numbers) returning number, job_kind, state
  )
  select jsonb_agg(jsonb_build_object('kind', job_kind, 'payload', jsonb_build_object('runId', released_run, 'number', number),
    'uniqueKey', format('run step %s/%s', released_run, number), 'fairKey', run.user_id::text, 'priority', run.priority) order by number)
  into new_jobs from released join runs run on run.id = released_run where released.state = 'ready';
  if new_jobs is not null then perform enqueue_queue_jobs(new_jobs); end if;
  for paused in
    select e_id, task ->> 'name' as name from run_steps where run_id = released_run and number = any(numbers) and state = 'paused' order by number
  loop
    perform set_component_status(released_run, paused.e_id::text, 'PAUSED', format('The run is paused before “%s”.', paused.name), at);
  end loop;
end $$;

-- The begin of a step that is ready, in a run that is already running.
create type simple_step_begin as (item bigint, run_id uuid, number integer, e_id uuid, queue_job uuid, worker text, begun_at timestamptz);

-- Returns the begins of a batch that are simple and belong to runs with only simple begins. The runs are locked.
create function simple_step_begins(jobs jsonb[], at timestamptz[]) returns simple_step_begin[] language plpgsql as $$
begin
  return array(
    with given as (
      select item, begun_at, (job ->> 'runId')::uuid as run_id, (job ->> 'number')::integer as number, (job ->> 'id')::uuid as queue_job,
        job ->> 'worker' as worker
      from unnest(jobs, at) with ordinality as given (job, begun_at, item)
    ), judged as (
      select given.*, own.e_id, bool_and((run.state = 'running' and not run.stop_requested and own.state = 'ready'
        -- A job can have gone on to later steps of its run.
        and not exists (select from run_steps later
          where later.run_id = given.run_id and later.queue_job = given.queue_job and later.state = 'running')) is true)
        over (partition by given.run_id) as is_run_simple,
        count(*) over (partition by given.run_id, given.number) as jobs_of_step
      from given
      left join runs run on run.id = given.run_id
      left join run_steps own on own.run_id = given.run_id and own.number = given.number
    )
    select row(item, run_id, number, e_id, queue_job, worker, begun_at)::simple_step_begin
    from judged where is_run_simple and jobs_of_step = 1 order by item);
end $$;

-- Begins the steps of several jobs in one transaction. Steps of one run that become ready together would otherwise wait for the commit of each
-- other, because a transition locks the run. `jobs` is an array of {id, runId, number, worker}; a job without a step to execute has no row.
-- The plans do not depend on the parameters, and all rows are found by keys.
create or replace function begin_run_steps(jobs jsonb[], restarted_message text, at timestamptz[])
returns table (item bigint, step run_step_start)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  simple simple_step_begin[] := '{}';
  begun_items bigint[];
begin
  if cardinality(jobs) > 1 then
    perform lock_runs(array(select (job ->> 'runId')::uuid from unnest(jobs) as job), '{}');
    simple := simple_step_begins(jobs, at);
  end if;
  if cardinality(simple) > 0 then
    update run_steps own set state = 'running', attempt = own.attempt + 1, queue_job = given.queue_job, worker = given.worker,
      attempt_at = given.begun_at, started_at = coalesce(own.started_at, given.begun_at)
    from unnest(simple) as given where own.run_id = given.run_id and own.number = given.number;
    perform begin_components(array_agg(given.run_id order by given.item), array_agg(given.e_id::text order by given.item),
      array_agg(given.begun_at order by given.item)) from unnest(simple) as given;
    return query select given.item, start_of_run_step(run, own, false, null)
      from unnest(simple) as given
      join runs run on run.id = given.run_id
      join run_steps own on own.run_id = given.run_id and own.number = given.number;
  end if;
  begun_items := array(select given.item from unnest(simple) as given);
  if cardinality(begun_items) < cardinality(jobs) then
    return query select given.item, begun::run_step_start
      from unnest(jobs, at) with ordinality as given (job, begun_at, item)
      cross join lateral begin_run_step((given.job ->> 'runId')::uuid, (given.job ->> 'number')::integer, (given.job ->> 'id')::uuid,
        given.job ->> 'worker', restarted_message, given.begun_at) as begun
      where given.item <> all(begun_items);
  end if;
end $$;
