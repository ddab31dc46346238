-- Fused steps. A chain is a sequence of steps that only follow each other. One worker executes it and writes all its results in one
-- transaction. Until then only its first step is `running`; after a crash the whole chain is executed again.
-- Numbers of the steps after it in its chain, in their order. Empty: the step ends with a transition of its own.
alter table run_steps add column chain integer[];
-- Steps of the chain after the first one: [{number, eId, task, attempt}], with the number of the attempt that ran last.
alter type run_step_start add attribute chain jsonb;

-- Starts a run. `steps` is an array of {number, eId, prevEId, task, jobKind, waitsFor, children, branches, branch, links, needs, chain, payload,
-- outcome, message}; those with an outcome have ended, with the branch that they named. `waitsFor` also counts the links that other branches of
-- ended steps remove. Returns false if the user already has `max_runs` runs. Only runs of users and triggers count: a run that waits for its own
-- runs would otherwise wait for itself. Runs below others are limited at each depth, because only those above wait for them.
create or replace function start_run(run jsonb, job jsonb, steps jsonb, max_runs integer, at timestamptz) returns boolean
language plpgsql as $$
declare
  new_run uuid := (run ->> 'id')::uuid;
  owner bigint := (run ->> 'userId')::bigint;
  parent uuid := (run -> 'parent' ->> 'runId')::uuid;
  new_depth integer := coalesce((select depth + 1 from runs where id = parent), 0);
  -- A run below another one is part of the run that its group has admitted.
  is_limited boolean := is_run_limited((run ->> 'pipelineId')::uuid, case when parent is null then (run ->> 'groupId')::bigint end);
begin
  -- The lock makes concurrent starts of one user count each other.
  perform pg_advisory_xact_lock(4817626, (owner % 2147483647)::integer);
  if (select count(*) from runs where user_id = owner and state <> 'ended' and depth = new_depth) >= max_runs then
    return false;
  end if;
  perform start_job(job, at);
  insert into runs (id, pipeline_id, pipeline_version, name, group_id, group_name, user_id, trigger, state, repeats,
    priority, is_held, created_at, parent_run_id, parent_number, depth)
  values (new_run, (run ->> 'pipelineId')::uuid, (run ->> 'pipelineVersion')::integer, run ->> 'name', (run ->> 'groupId')::bigint,
    run ->> 'groupName', owner, run ->> 'trigger', 'waiting', (run ->> 'repeats')::uuid,
    coalesce((run ->> 'priority')::smallint, (select priority from runs where id = parent),
      (select priority from pipeline_run_limits where pipeline_id = (run ->> 'pipelineId')::uuid), 0), is_limited, at,
    parent, (run -> 'parent' ->> 'number')::integer, new_depth);
  insert into run_steps (run_id, number, e_id, task, job_kind, waits_for, children, branches, branch, links, needs, chain, state, outcome,
    message, ended_at)
  select new_run, number, "eId", task, "jobKind", "waitsFor", children, branches, branch, links, coalesce(needs, '{}'), chain,
    case when outcome is null then 'waiting' else 'done' end, outcome, coalesce(message, ''), case when outcome is not null then at end
  from jsonb_to_recordset(steps) as step (number integer, "eId" uuid, task jsonb, "jobKind" text, "waitsFor" integer,
    children integer[], branches jsonb, branch text, links integer, needs integer[], chain integer[], outcome text, message text);
  perform add_job_components(new_run, (
    select jsonb_agg(jsonb_build_object('eId', step ->> 'eId', 'prevEId', step ->> 'prevEId', 'component', step -> 'task' ->> 'name',
      'status', coalesce(step ->> 'outcome', 'UNEXECUTED'), 'message', step ->> 'message', 'payload', step -> 'payload') order by position)
    from jsonb_array_elements(steps) with ordinality as given (step, position)), at);
  perform leave_out_run_steps(new_run, number, steps_of_other_branches(branches, branch), reason_of_left_out(task), at)
  from run_steps where run_id = new_run and state = 'done' and branch is not null and branches is not null;
  if is_limited then
    perform enqueue_admission();
  else
    perform release_first_run_steps(new_run, at);
  end if;
  return true;
end $$;

-- Without `shows_start` the worker reports the start of a step that takes a while. A step that has waited for runs continues its attempt.
create or replace function mark_run_step_running(
  run runs, own run_steps, job uuid, by_worker text, restarted_message text, shows_start boolean, at timestamptz
) returns run_step_start language plpgsql as $$
declare
  restart boolean := own.state = 'running';
  continues boolean := own.state = 'awaiting';
  start run_step_start;
begin
  if restart and own.attempt > 0 then
    insert into run_attempts (run_id, number, attempt, worker, started_at) values (run.id, own.number, own.attempt, own.worker, own.attempt_at);
  end if;
  update run_steps set state = 'running', attempt = case when continues then own.attempt else own.attempt + 1 end, queue_job = job,
    worker = by_worker, attempt_at = case when continues then own.attempt_at else at end, started_at = coalesce(started_at, at)
  where run_id = run.id and number = own.number returning attempt into start.attempt;
  if run.state <> 'running' then
    update runs set state = 'running' where id = run.id;
    perform set_job_status(run.id, 'RUNNING', '', at);
  end if;
  if restart then
    select message into start.message from job_component_messages where job_id = run.id and e_id = own.e_id::text;
  end if;
  if shows_start and not continues and not run.stop_requested then
    perform set_component_status(run.id, own.e_id::text, 'RUNNING', case when restart then restarted_message else '' end, at);
  end if;
  start.run_id := run.id;
  start.number := own.number;
  start.e_id := own.e_id;
  start.task := own.task;
  start.failures := own.failures;
  start.is_restart := restart;
  start.stop_requested := run.stop_requested;
  start.pipeline_id := run.pipeline_id;
  start.name := run.name;
  start.group_name := run.group_name;
  start.user_id := run.user_id;
  start.chain := '[]';
  if own.chain is not null then
    select coalesce(jsonb_agg(jsonb_build_object('number', number, 'eId', e_id, 'task', task, 'attempt', attempt)
      order by array_position(own.chain, number)), '[]') into start.chain
    from run_steps where run_id = run.id and number = any(own.chain) and state = 'waiting';
  end if;
  start.input_values := '{}';
  if (own.task ->> 'inputs') like '%${%' or start.chain::text like '%${%' then
    select coalesce(jsonb_object_agg(key, value), '{}') into start.input_values from run_values
    where run_id = run.id and key in (
      select input.value from (
        select own.task as task union all select step -> 'task' from jsonb_array_elements(start.chain) as step) as executed
      cross join jsonb_each_text(executed.task -> 'inputs') as input where length(input.value) < 100);
  end if;
  return start;
end $$;

-- Ends the steps of a chain: `ends` has the results of its first steps, as `end_run_step` takes them, with `eId`, `startedAt` and `endedAt`. All but
-- the last one succeeded. Returns `held` = false if another attempt has replaced that of the first step; nothing has changed then.
create function end_run_chain(ends jsonb, at timestamptz) returns table (held boolean, next run_step_start) language plpgsql as $$
declare
  ended_run uuid := (ends -> 0 ->> 'runId')::uuid;
  last_end jsonb := ends -> -1;
  earlier_ends jsonb := ends - (jsonb_array_length(ends) - 1);
  run runs;
  own run_steps;
begin
  select * into run from runs where id = ended_run for no key update;
  select * into own from run_steps where run_id = ended_run and number = (ends -> 0 ->> 'number')::integer and state = 'running'
    and attempt = (ends -> 0 ->> 'attempt')::integer;
  if not found then
    held := false;
    return next;
    return;
  end if;
  insert into run_attempts (run_id, number, attempt, worker, started_at, ended_at, outcome, message)
  select ended_run, number, attempt, coalesce(own.worker, ''), "startedAt", "endedAt", outcome, left(message, 2000)
  from jsonb_to_recordset(earlier_ends) as step_end (number integer, attempt integer, outcome text, message text,
    "startedAt" timestamptz, "endedAt" timestamptz);
  -- A stop has ended the steps after the first one without a result. Those that were executed meanwhile have one.
  update run_steps step set state = 'done', outcome = step_end.outcome, message = step_end.message, attempt = step_end.attempt,
    worker = own.worker, attempt_at = "startedAt", started_at = coalesce(step.started_at, "startedAt"), ended_at = "endedAt",
    waits_for = 0, queue_job = null
  from jsonb_to_recordset(earlier_ends) as step_end (number integer, attempt integer, outcome text, message text,
    "startedAt" timestamptz, "endedAt" timestamptz)
  where step.run_id = ended_run and step.number = step_end.number;
  perform end_job_components(ended_run, (
    select jsonb_agg(jsonb_build_object('eId', step_end ->> 'eId', 'status', step_end ->> 'outcome', 'message', step_end ->> 'message',
      'startedAt', step_end ->> 'startedAt', 'endedAt', step_end ->> 'endedAt'))
    from jsonb_array_elements(earlier_ends) as step_end));
  insert into run_values (run_id, key, value)
  select distinct on (key) ended_run, key, value from jsonb_array_elements(earlier_ends) with ordinality as given (step_end, place)
  cross join jsonb_each_text(step_end -> 'values') as output (key, value) order by key, place desc
  on conflict (run_id, key) do update set value = excluded.value;
  -- A lost attempt can have executed the steps after the last one. Uploads compare the numbers of attempts, so those are not used again.
  if own.attempt > 1 then
    update run_steps set attempt = attempt + own.attempt - 1
    where run_id = ended_run and number = any(own.chain) and state = 'waiting'
      and array_position(own.chain, number) > array_position(own.chain, (last_end ->> 'number')::integer);
  end if;
  update run_steps set state = 'running', attempt = (last_end ->> 'attempt')::integer, queue_job = own.queue_job, worker = own.worker,
    attempt_at = (last_end ->> 'startedAt')::timestamptz, started_at = coalesce(started_at, (last_end ->> 'startedAt')::timestamptz),
    waits_for = 0
  where run_id = ended_run and number = (last_end ->> 'number')::integer;
  return query select * from end_run_step(last_end, at);
end $$;

create function end_run_step_or_chain(step_end jsonb, at timestamptz) returns table (held boolean, next run_step_start) language plpgsql as $$
begin
  if jsonb_typeof(step_end) = 'array' then
    return query select * from end_run_chain(step_end, at);
  else
    return query select * from end_run_step(step_end, at);
  end if;
end $$;

-- Ends attempts of several runs; an array is the end of a chain. A step that ends without success stops the runs that it has started.
create or replace function end_run_steps(ends jsonb[], at timestamptz[]) returns table (place bigint, held boolean, next run_step_start)
language plpgsql as $$
begin
  if cardinality(ends) > 1 then
    perform lock_runs(
      array(select coalesce(step_end ->> 'runId', step_end -> 0 ->> 'runId')::uuid from unnest(ends) as step_end),
      array(select coalesce(step_end ->> 'runId', step_end -> 0 ->> 'runId')::uuid from unnest(ends) as step_end
        where coalesce(step_end ->> 'outcome', step_end -> -1 ->> 'outcome') <> 'INFO'));
  end if;
  return query select given.place, ended.held, ended.next
    from unnest(ends, at) with ordinality as given (step_end, ended_at, place)
    cross join lateral end_run_step_or_chain(given.step_end, given.ended_at) as ended;
end $$;
