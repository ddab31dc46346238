-- The end of a step is the most frequent transition. It has fewer statements: one ends the step and stores the attempt, and one begins the only
-- step after it. Behaviour is unchanged.

-- Returns what a worker needs to execute a step that runs now.
create function start_of_run_step(run runs, own run_steps, restart boolean, last_message text) returns run_step_start language plpgsql as $$
declare
  start run_step_start;
begin
  start.run_id := run.id;
  start.number := own.number;
  start.e_id := own.e_id;
  start.task := own.task;
  start.attempt := own.attempt;
  start.failures := own.failures;
  start.is_restart := restart;
  start.message := last_message;
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

-- Without `shows_start` the worker reports the start of a step that takes a while. A step that has waited for runs continues its attempt.
create or replace function mark_run_step_running(
  run runs, own run_steps, job uuid, by_worker text, restarted_message text, shows_start boolean, at timestamptz
) returns run_step_start language plpgsql as $$
declare
  restart boolean := own.state = 'running';
  continues boolean := own.state = 'awaiting';
  last_message text;
begin
  if restart and own.attempt > 0 then
    insert into run_attempts (run_id, number, attempt, worker, started_at) values (run.id, own.number, own.attempt, own.worker, own.attempt_at);
  end if;
  update run_steps set state = 'running', attempt = case when continues then own.attempt else own.attempt + 1 end, queue_job = job,
    worker = by_worker, attempt_at = case when continues then own.attempt_at else at end, started_at = coalesce(started_at, at)
  where run_id = run.id and number = own.number returning * into own;
  if run.state <> 'running' then
    update runs set state = 'running' where id = run.id;
    perform set_job_status(run.id, 'RUNNING', '', at);
  end if;
  if restart then
    select message into last_message from job_component_messages where job_id = run.id and e_id = own.e_id::text;
  end if;
  if shows_start and not continues and not run.stop_requested then
    perform set_component_status(run.id, own.e_id::text, 'RUNNING', case when restart then restarted_message else '' end, at);
  end if;
  return start_of_run_step(run, own, restart, last_message);
end $$;

-- running → done, or ready again for a retry. Steps after it become ready, or are left out with their branch; the first of them with the kind
-- `next_kind` starts at once, in the same job, and is returned. `end_result` is {runId, number, attempt, outcome, branch, message, values,
-- retryAt, retryMessage, nextKind, worker}. Returns `held` = false if another attempt has replaced it.
create or replace function end_run_step(end_result jsonb, at timestamptz) returns table (held boolean, next run_step_start) language plpgsql as $$
declare
  ended_run uuid := (end_result ->> 'runId')::uuid;
  ended_number integer := (end_result ->> 'number')::integer;
  ended_attempt integer := (end_result ->> 'attempt')::integer;
  result text := end_result ->> 'outcome';
  result_message text := end_result ->> 'message';
  next_kind text := end_result ->> 'nextKind';
  is_retry boolean;
  run runs;
  own run_steps;
  dead integer[] := '{}';
  freed integer[];
  inline integer;
begin
  select * into run from runs where id = ended_run for no key update;
  is_retry := end_result ? 'retryAt' and not run.stop_requested;
  with ended as (
    update run_steps set state = case when is_retry then 'ready' else 'done' end, failures = failures + is_retry::integer,
      outcome = case when is_retry then outcome else result end, message = case when is_retry then message else result_message end,
      branch = case when is_retry then branch else end_result ->> 'branch' end, ended_at = case when is_retry then ended_at else at end,
      queue_job = null
    where run_id = ended_run and number = ended_number and state = 'running' and attempt = ended_attempt
    returning *
  ), history as (
    insert into run_attempts (run_id, number, attempt, worker, started_at, ended_at, outcome, message)
    select run_id, number, attempt, coalesce(worker, ''), coalesce(attempt_at, at), at, result, left(result_message, 2000) from ended
  )
  select * into own from ended;
  held := found;
  if not held then
    return next;
    return;
  end if;
  if is_retry then
    perform set_component_status(ended_run, own.e_id::text, 'PENDING', end_result ->> 'retryMessage', at);
    perform enqueue_run_step(ended_run, ended_number, own.job_kind, run.user_id, (end_result ->> 'retryAt')::timestamptz);
    return next;
    return;
  end if;
  perform set_component_status(ended_run, own.e_id::text, result, result_message, at);
  if end_result -> 'values' <> '{}' then
    insert into run_values (run_id, key, value) select ended_run, key, value from jsonb_each_text(end_result -> 'values')
    on conflict (run_id, key) do update set value = excluded.value;
  end if;

  if result = 'INFO' and next_kind is not null and cardinality(own.children) = 1 and own.branches is null
    and run.state = 'running' and not run.stop_requested then
    update run_steps set state = 'running', waits_for = 0, attempt = attempt + 1, queue_job = (end_result ->> 'queueJob')::uuid,
      worker = end_result ->> 'worker', attempt_at = at, started_at = coalesce(started_at, at)
    where run_id = ended_run and number = own.children[1] and state = 'waiting' and waits_for = 1 and job_kind = next_kind
      and not (task ->> 'isPaused')::boolean
    returning * into own;
    if found then
      next := start_of_run_step(run, own, false, null);
      return next;
      return;
    end if;
    -- The statement has cleared `own`.
    select * into own from run_steps where run_id = ended_run and number = ended_number;
  end if;

  if result = 'INFO' or own.task ->> 'onError' = 'continue' then
    freed := '{}';
    if own.branches is not null then dead := steps_of_other_branches(own.branches, end_result ->> 'branch'); end if;
    if cardinality(own.children) > 0 then
      with counted as (
        update run_steps set waits_for = waits_for - 1
        where run_id = ended_run and number = any(own.children) and number <> all(dead) and state = 'waiting'
        returning number, waits_for
      )
      select coalesce(array_agg(number order by number), '{}') into freed from counted where waits_for = 0;
    end if;
    if cardinality(dead) > 0 then
      freed := freed || leave_out_run_steps(ended_run, ended_number, dead, reason_of_left_out(own.task), at);
    end if;
  elsif own.task ->> 'onError' = 'skip' then
    perform skip_run_steps(ended_run, array(
      with recursive below as (
        select unnest(own.children) as number
        union
        select unnest(step.children) from below join run_steps step on step.run_id = ended_run and step.number = below.number)
      select number from below), format('“%s” did not succeed.', own.task ->> 'name'), at);
    freed := '{}';
  else
    perform skip_run_steps(ended_run, array(select number from run_steps where run_id = ended_run), '', at);
    freed := '{}';
  end if;
  if next_kind is not null and cardinality(freed) > 0 and not run.stop_requested then
    select number into inline from run_steps where run_id = ended_run and number = any(freed)
      and job_kind = next_kind and not (task ->> 'isPaused')::boolean order by number limit 1;
  end if;
  perform release_run_steps(ended_run, array_remove(freed, inline), at);
  if inline is null then
    perform settle_run(ended_run, at);
  else
    select * into own from run_steps where run_id = ended_run and number = inline;
    next := mark_run_step_running(run, own, (end_result ->> 'queueJob')::uuid, end_result ->> 'worker', '', false, at);
  end if;
  return next;
end $$;

-- The plans do not depend on the parameters: nearly every statement finds rows by a key. Without the setting, PostgreSQL plans some of them again
-- at each call, which takes longer than their execution.
alter function start_run(jsonb, jsonb, jsonb, integer, timestamptz) set plan_cache_mode = force_generic_plan;
alter function begin_run_step(uuid, integer, uuid, text, text, timestamptz) set plan_cache_mode = force_generic_plan;
alter function end_run_steps(jsonb[], timestamptz[]) set plan_cache_mode = force_generic_plan;
