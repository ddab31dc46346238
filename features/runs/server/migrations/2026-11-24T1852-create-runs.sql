-- Everything that runs. A run has steps; a step starts when all steps before it have ended.
create table runs (
  -- Job with the statuses of the run; the purge of jobs deletes their runs.
  id uuid primary key references jobs (id) on delete cascade,
  seq bigint generated always as identity,
  -- Empty for a single task. A run outlives its pipeline.
  pipeline_id uuid,
  pipeline_version integer,
  name text not null,
  -- Group whose readers see the run; empty = only its user.
  group_id bigint,
  group_name text not null,
  -- Runs have the access of this user.
  user_id bigint not null references users (id) on delete cascade,
  trigger text not null default 'None',
  state text not null check (state in ('waiting', 'running', 'paused', 'ended')),
  stop_requested boolean not null default false,
  outcome text check (outcome in ('INFO', 'WARN', 'ERROR')),
  -- Run whose steps this one repeats.
  repeats uuid,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index runs_open_of_user on runs (user_id) where state <> 'ended';
create index runs_of_pipeline on runs (pipeline_id, seq desc);

-- Steps of a run, as they were when it began.
create table run_steps (
  run_id uuid not null references runs (id) on delete cascade,
  number integer not null,
  -- Id of this execution in statuses.
  e_id uuid not null,
  task jsonb not null,
  -- Kind of job that executes the step.
  job_kind text not null,
  -- Number of steps before it that have not ended, and numbers of the steps after it.
  waits_for integer not null,
  children integer[] not null,
  state text not null check (state in ('waiting', 'ready', 'running', 'paused', 'done')),
  outcome text check (outcome in ('INFO', 'WARN', 'ERROR', 'UNEXECUTED')),
  message text not null default '',
  -- Whether a user has let the run continue before this step.
  is_approved boolean not null default false,
  attempt integer not null default 0,
  failures integer not null default 0,
  -- Job of the queue, worker and start of the current attempt.
  queue_job uuid,
  worker text,
  attempt_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (run_id, number)
);

-- Every execution of a step that has ended or was lost with its worker, for the history.
create table run_attempts (
  run_id uuid not null,
  number integer not null,
  attempt integer not null,
  worker text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Empty if its worker was lost.
  outcome text,
  message text not null default '',
  primary key (run_id, number, attempt),
  foreign key (run_id, number) references run_steps (run_id, number) on delete cascade
);

-- Values that steps of a run pass to later steps, by reference.
create table run_values (
  run_id uuid not null references runs (id) on delete cascade,
  key text not null,
  value text not null,
  primary key (run_id, key)
);

-- What a step needs when it starts.
create type run_step_start as (
  run_id uuid, number integer, e_id uuid, task jsonb, attempt integer, failures integer, is_restart boolean, stop_requested boolean,
  message text, pipeline_id uuid, name text, group_name text, user_id bigint, input_values jsonb
);

-- Starts a run. `steps` is an array of {number, eId, prevEId, task, jobKind, waitsFor, children, payload, outcome, message}; those with an outcome
-- have ended. Returns false if the user already has `max_runs` runs.
create function start_run(run jsonb, job jsonb, steps jsonb, max_runs integer, at timestamptz) returns boolean
language plpgsql as $$
declare
  new_run uuid := (run ->> 'id')::uuid;
  owner bigint := (run ->> 'userId')::bigint;
begin
  -- The lock makes concurrent starts of one user count each other.
  perform pg_advisory_xact_lock(4817626, (owner % 2147483647)::integer);
  if (select count(*) from runs where user_id = owner and state <> 'ended') >= max_runs then
    return false;
  end if;
  perform start_job(job, at);
  insert into runs (id, pipeline_id, pipeline_version, name, group_id, group_name, user_id, trigger, state, repeats, created_at)
  values (new_run, (run ->> 'pipelineId')::uuid, (run ->> 'pipelineVersion')::integer, run ->> 'name', (run ->> 'groupId')::bigint,
    run ->> 'groupName', owner, run ->> 'trigger', 'waiting', (run ->> 'repeats')::uuid, at);
  insert into run_steps (run_id, number, e_id, task, job_kind, waits_for, children, state, outcome, message, ended_at)
  select new_run, number, "eId", task, "jobKind", "waitsFor", children, case when outcome is null then 'waiting' else 'done' end,
    outcome, coalesce(message, ''), case when outcome is not null then at end
  from jsonb_to_recordset(steps) as step (number integer, "eId" uuid, task jsonb, "jobKind" text, "waitsFor" integer,
    children integer[], outcome text, message text);
  perform add_job_components(new_run, (
    select jsonb_agg(jsonb_build_object('eId', step ->> 'eId', 'prevEId', step ->> 'prevEId', 'component', step -> 'task' ->> 'name',
      'status', coalesce(step ->> 'outcome', 'UNEXECUTED'), 'message', step ->> 'message', 'payload', step -> 'payload') order by position)
    from jsonb_array_elements(steps) with ordinality as given (step, position)), at);
  perform release_run_steps(new_run, array(
    select number from run_steps where run_id = new_run and state = 'waiting' and waits_for = 0), at);
  perform settle_run(new_run, at);
  return true;
end $$;

-- waiting → ready with a job of the queue, or paused.
create function release_run_steps(released_run uuid, numbers integer[], at timestamptz) returns void language plpgsql as $$
declare
  step record;
  owner bigint;
begin
  if cardinality(numbers) = 0 then return; end if;
  for step in
    update run_steps set state = case when (task ->> 'isPaused')::boolean and not is_approved then 'paused' else 'ready' end
    where run_id = released_run and number = any(numbers) returning number, e_id, job_kind, state, task ->> 'name' as name
  loop
    if step.state = 'paused' then
      perform set_component_status(released_run, step.e_id::text, 'PAUSED', format('The run is paused before “%s”.', step.name), at);
    else
      select user_id into owner from runs where id = released_run;
      perform enqueue_run_step(released_run, step.number, step.job_kind, owner, null);
    end if;
  end loop;
end $$;

create function enqueue_run_step(run uuid, step integer, job_kind text, owner bigint, run_after timestamptz) returns void
language sql as $$
  select enqueue_queue_jobs(jsonb_build_array(jsonb_build_object('kind', job_kind, 'payload', jsonb_build_object('runId', run, 'number', step),
    'uniqueKey', format('run step %s/%s', run, step), 'fairKey', owner::text, 'runAfter', run_after)));
$$;

-- Pauses or ends a run if none of its steps can start, and ends its pause if one can.
create function settle_run(settled uuid, at timestamptz) returns void language plpgsql as $$
declare
  run runs;
  tally record;
  failed record;
  end_message text;
  end_outcome text;
begin
  select * into run from runs where id = settled;
  select count(*) as steps, count(*) filter (where state <> 'done') as open, count(*) filter (where state in ('ready', 'running')) as active,
    min(number) filter (where state = 'paused') as paused
  into tally from run_steps where run_id = settled;
  if tally.open = 0 then
    select task ->> 'name' as name, outcome, message, task ->> 'onError' as on_error into failed from run_steps
    where run_id = settled and outcome in ('ERROR', 'WARN')
    order by coalesce(task ->> 'onError', 'stop') <> 'stop', outcome <> 'ERROR', ended_at limit 1;
    if found then
      -- A failed task after which the run went on leaves a warning.
      end_outcome := case when coalesce(failed.on_error, 'stop') = 'stop' then failed.outcome else 'WARN' end;
      -- The rest can be the output of a script; the step has it.
      end_message := format('“%s”: %s', failed.name, split_part(failed.message, E'\n', 1));
    elsif run.stop_requested then
      end_outcome := 'ERROR';
      end_message := 'The run was stopped.';
    else
      end_outcome := 'INFO';
      end_message := case tally.steps when 1 then 'The task succeeded.' else format('All %s tasks succeeded.', tally.steps) end;
    end if;
    update runs set state = 'ended', outcome = end_outcome, ended_at = at where id = settled;
    perform set_job_status(settled, end_outcome, end_message, at);
    perform pg_notify('run_ended', settled::text);
  elsif tally.active = 0 and run.state <> 'paused' then
    update runs set state = 'paused' where id = settled;
    perform set_job_status(settled, 'PAUSED',
      (select format('The run is paused before “%s”.', task ->> 'name') from run_steps where run_id = settled and number = tally.paused), at);
  elsif tally.active > 0 and run.state = 'paused' then
    update runs set state = 'running' where id = settled;
    perform set_job_status(settled, 'RUNNING', '', at);
  end if;
end $$;

-- ready → running, or a further attempt at a step whose worker was lost. Returns no row if there is nothing to execute.
create function begin_run_step(begun uuid, step integer, job uuid, by_worker text, restarted_message text, at timestamptz)
returns setof run_step_start language plpgsql as $$
declare
  run runs;
  own run_steps;
begin
  select * into run from runs where id = begun for update;
  if not found or run.state = 'ended' then return; end if;
  -- A job can have gone on to later steps of its run.
  select * into own from run_steps where run_id = begun and queue_job = job and state = 'running';
  if not found then
    select * into own from run_steps where run_id = begun and number = step
      and (state = 'ready' or state = 'running' and queue_job is null);
    if not found then return; end if;
  end if;
  return next mark_run_step_running(run, own, job, by_worker, restarted_message, true, at);
end $$;

-- Without `shows_start` the worker reports the start of a step that takes a while.
create function mark_run_step_running(
  run runs, own run_steps, job uuid, by_worker text, restarted_message text, shows_start boolean, at timestamptz
) returns run_step_start language plpgsql as $$
declare
  restart boolean := own.state = 'running';
  start run_step_start;
begin
  if restart and own.attempt > 0 then
    insert into run_attempts (run_id, number, attempt, worker, started_at) values (run.id, own.number, own.attempt, own.worker, own.attempt_at);
  end if;
  update run_steps set state = 'running', attempt = own.attempt + 1, queue_job = job, worker = by_worker, attempt_at = at,
    started_at = coalesce(started_at, at)
  where run_id = run.id and number = own.number;
  if run.state <> 'running' then
    update runs set state = 'running' where id = run.id;
    perform set_job_status(run.id, 'RUNNING', '', at);
  end if;
  if restart then
    select message into start.message from job_component_messages where job_id = run.id and e_id = own.e_id::text;
  end if;
  if shows_start and not run.stop_requested then
    perform set_component_status(run.id, own.e_id::text, 'RUNNING', case when restart then restarted_message else '' end, at);
  end if;
  start.run_id := run.id;
  start.number := own.number;
  start.e_id := own.e_id;
  start.task := own.task;
  start.attempt := own.attempt + 1;
  start.failures := own.failures;
  start.is_restart := restart;
  start.stop_requested := run.stop_requested;
  start.pipeline_id := run.pipeline_id;
  start.name := run.name;
  start.group_name := run.group_name;
  start.user_id := run.user_id;
  start.input_values := '{}';
  if (own.task ->> 'inputs') like '%${%' then
    select coalesce(jsonb_object_agg(key, value), '{}') into start.input_values from run_values
    where run_id = run.id and key in (select value from jsonb_each_text(own.task -> 'inputs') where length(value) < 100);
  end if;
  return start;
end $$;

-- running → done, or ready again for a retry. Steps after it become ready; the first of them with the kind `next_kind` starts at once, in the
-- same job, and is returned. `end_result` is {runId, number, attempt, outcome, message, values, retryAt, retryMessage, nextKind, worker}.
-- Returns `held` = false if another attempt has replaced it.
create function end_run_step(end_result jsonb, at timestamptz) returns table (held boolean, next run_step_start) language plpgsql as $$
declare
  ended_run uuid := (end_result ->> 'runId')::uuid;
  ended_number integer := (end_result ->> 'number')::integer;
  result text := end_result ->> 'outcome';
  run runs;
  own run_steps;
  freed integer[];
  inline integer;
begin
  select * into run from runs where id = ended_run for update;
  select * into own from run_steps
  where run_id = ended_run and number = ended_number and state = 'running' and attempt = (end_result ->> 'attempt')::integer;
  if not found then
    held := false;
    return next;
    return;
  end if;
  held := true;
  insert into run_attempts (run_id, number, attempt, worker, started_at, ended_at, outcome, message)
  values (ended_run, ended_number, own.attempt, coalesce(own.worker, ''), coalesce(own.attempt_at, at), at, result,
    left(end_result ->> 'message', 2000));
  if end_result ? 'retryAt' and not run.stop_requested then
    update run_steps set state = 'ready', failures = failures + 1, queue_job = null where run_id = ended_run and number = ended_number;
    perform set_component_status(ended_run, own.e_id::text, 'PENDING', end_result ->> 'retryMessage', at);
    perform enqueue_run_step(ended_run, ended_number, own.job_kind, run.user_id, (end_result ->> 'retryAt')::timestamptz);
    return next;
    return;
  end if;
  update run_steps set state = 'done', outcome = result, message = end_result ->> 'message', ended_at = at, queue_job = null
  where run_id = ended_run and number = ended_number;
  perform set_component_status(ended_run, own.e_id::text, result, end_result ->> 'message', at);
  if end_result -> 'values' <> '{}' then
    insert into run_values (run_id, key, value) select ended_run, key, value from jsonb_each_text(end_result -> 'values')
    on conflict (run_id, key) do update set value = excluded.value;
  end if;

  if result = 'INFO' or own.task ->> 'onError' = 'continue' then
    freed := '{}';
    if cardinality(own.children) > 0 then
      with counted as (
        update run_steps set waits_for = waits_for - 1 where run_id = ended_run and number = any(own.children) and state = 'waiting'
        returning number, waits_for
      )
      select coalesce(array_agg(number order by number), '{}') into freed from counted where waits_for = 0;
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
  if end_result ? 'nextKind' and cardinality(freed) > 0 and not run.stop_requested then
    select number into inline from run_steps where run_id = ended_run and number = any(freed)
      and job_kind = end_result ->> 'nextKind' and not (task ->> 'isPaused')::boolean order by number limit 1;
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

-- Ends steps that will not be executed.
create function skip_run_steps(skipped_run uuid, numbers integer[], reason text, at timestamptz) returns void language plpgsql as $$
declare
  step record;
begin
  for step in
    update run_steps set state = 'done', outcome = 'UNEXECUTED', message = reason, ended_at = at
    where run_id = skipped_run and number = any(numbers) and state in ('waiting', 'ready', 'paused') returning e_id
  loop
    perform set_component_status(skipped_run, step.e_id::text, 'UNEXECUTED', reason, at);
  end loop;
end $$;

-- Stops runs: steps that have not begun end at once. Returns the runs with steps in progress, whose workers have to abort them.
create function stop_runs(stopped uuid[], reason text, at timestamptz) returns setof uuid language plpgsql as $$
declare
  run runs;
begin
  for run in select * from runs where id = any(stopped) and state <> 'ended' order by id for update loop
    update runs set stop_requested = true where id = run.id;
    perform skip_run_steps(run.id, array(select number from run_steps where run_id = run.id), reason, at);
    if exists (select from run_steps where run_id = run.id and state = 'running') then
      perform pg_notify('run_stop', run.id::text);
      return next run.id;
    else
      perform settle_run(run.id, at);
    end if;
  end loop;
end $$;

-- Continues a run before its paused steps, or only before those in `numbers`. Returns false if none of them is paused.
create function continue_run(continued uuid, numbers integer[], at timestamptz) returns boolean language plpgsql as $$
declare
  steps integer[];
begin
  perform 1 from runs where id = continued and state <> 'ended' for update;
  if not found then return false; end if;
  steps := array(select number from run_steps where run_id = continued and state = 'paused' and (numbers is null or number = any(numbers)));
  if cardinality(steps) = 0 then return false; end if;
  update run_steps set state = 'waiting', is_approved = true where run_id = continued and number = any(steps);
  update runs set state = 'waiting' where id = continued and state = 'paused';
  if found then perform set_job_status(continued, 'RUNNING', '', at); end if;
  perform release_run_steps(continued, steps, at);
  return true;
end $$;
