-- Runs that a step of another run starts. The step waits for them in the state `awaiting`, without a job of the queue; the end of each
-- of its runs adds a job for the step in the same transaction.
alter table runs add column parent_run_id uuid references runs (id) on delete set null;
alter table runs add column parent_number integer;
-- Number of runs above this one.
alter table runs add column depth smallint not null default 0;
create index runs_of_parent on runs (parent_run_id) where parent_run_id is not null;

alter table run_steps drop constraint run_steps_state_check;
alter table run_steps add constraint run_steps_state_check
  check (state in ('waiting', 'ready', 'running', 'awaiting', 'paused', 'done'));

-- Runs that a step starts, one for each value, in their order.
create table run_children (
  run_id uuid not null,
  number integer not null,
  -- From 1.
  position integer not null,
  value text not null,
  -- Written by the transaction that starts the run.
  child_id uuid unique,
  -- Written by the transaction that ends the run, or that finds that it cannot start.
  outcome text check (outcome in ('INFO', 'WARN', 'ERROR')),
  message text not null default '',
  -- Number of failures of the step before this run.
  failures integer not null default 0,
  primary key (run_id, number, position),
  foreign key (run_id, number) references run_steps (run_id, number) on delete cascade
);

-- Adds a job that continues a step that waits for runs. Jobs do not replace each other: one that is claimed may not see the newest end.
create function wake_run_step(woken uuid, step integer, run_after timestamptz) returns void language sql as $$
  select enqueue_queue_jobs(jsonb_build_array(jsonb_build_object('kind', own.job_kind,
    'payload', jsonb_build_object('runId', woken, 'number', step), 'fairKey', run.user_id::text, 'priority', run.priority,
    'runAfter', run_after)))
  from run_steps own join runs run on run.id = own.run_id where own.run_id = woken and own.number = step;
$$;

create function wake_parent_on_run_end() returns trigger language plpgsql as $$
begin
  update run_children set outcome = new.outcome,
    message = coalesce((select latest_message from jobs where id = new.id), '')
  where child_id = new.id;
  -- The transition of the parent locks it; here a lock could meet a stop, which locks parents first.
  if found then perform wake_run_step(new.parent_run_id, new.parent_number, null); end if;
  return null;
end $$;
create trigger runs_wake_parents after update of state on runs
for each row when (new.state = 'ended' and old.state <> 'ended' and new.parent_run_id is not null)
execute function wake_parent_on_run_end();

-- running → awaiting. `seen` is the number of ended runs that the step knows; if more have ended, or the run was stopped, it continues
-- at once. Returns false if another attempt has replaced it.
create function await_run_step(
  awaited uuid, step integer, of_attempt integer, seen integer, wait_message text, wake_at timestamptz, at timestamptz
) returns boolean language plpgsql as $$
declare
  run runs;
  own run_steps;
begin
  select * into run from runs where id = awaited for update;
  update run_steps set state = 'awaiting', queue_job = null
  where run_id = awaited and number = step and state = 'running' and attempt = of_attempt returning * into own;
  if not found then return false; end if;
  perform set_component_status(awaited, own.e_id::text, 'RUNNING', wait_message, at);
  if run.stop_requested
    or seen <> (select count(*) from run_children where run_id = awaited and number = step and outcome is not null) then
    perform wake_run_step(awaited, step, null);
  elsif wake_at is not null then
    perform wake_run_step(awaited, step, wake_at);
  end if;
  return true;
end $$;

-- Connects a run that is starting with the step that starts it, once. Returns false if the step must no longer start it.
create function adopt_run(parent uuid, step integer, child_position integer, child uuid) returns boolean language plpgsql as $$
begin
  -- A stop of the parent waits for this transaction and then also stops its new run.
  perform 1 from runs where id = parent and state <> 'ended' and not stop_requested for share;
  if not found then return false; end if;
  update run_children set child_id = child
  where run_id = parent and number = step and position = child_position and child_id is null and outcome is null;
  return found;
end $$;

-- Starts a run. `steps` is an array of {number, eId, prevEId, task, jobKind, waitsFor, children, payload, outcome, message}; those with an outcome
-- have ended. Returns false if the user already has `max_runs` runs. Only runs of users and triggers count: a run that waits for its own
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
  insert into run_steps (run_id, number, e_id, task, job_kind, waits_for, children, state, outcome, message, ended_at)
  select new_run, number, "eId", task, "jobKind", "waitsFor", children, case when outcome is null then 'waiting' else 'done' end,
    outcome, coalesce(message, ''), case when outcome is not null then at end
  from jsonb_to_recordset(steps) as step (number integer, "eId" uuid, task jsonb, "jobKind" text, "waitsFor" integer,
    children integer[], outcome text, message text);
  perform add_job_components(new_run, (
    select jsonb_agg(jsonb_build_object('eId', step ->> 'eId', 'prevEId', step ->> 'prevEId', 'component', step -> 'task' ->> 'name',
      'status', coalesce(step ->> 'outcome', 'UNEXECUTED'), 'message', step ->> 'message', 'payload', step -> 'payload') order by position)
    from jsonb_array_elements(steps) with ordinality as given (step, position)), at);
  if is_limited then
    perform enqueue_admission();
  else
    perform release_first_run_steps(new_run, at);
  end if;
  return true;
end $$;

-- Starts held runs as far as the limits allow: those with the highest priority first, then the oldest. Returns the number of runs
-- that are still held. The limit of a group counts only runs that no other run has started.
create or replace function admit_runs(at timestamptz) returns integer language plpgsql as $$
declare
  run runs;
  reason text;
  held integer := 0;
begin
  -- Admissions count what others have admitted, so they follow one another.
  perform pg_advisory_xact_lock(4817627, 0);
  for run in select * from runs where is_held and state <> 'ended' order by priority desc, seq loop
    select message into reason from (
      select format('Waiting: at most %s of the runs of the pipeline can be in progress.', max_runs) as message from pipeline_run_limits own
      where own.pipeline_id = run.pipeline_id and max_runs <= (
        select count(*) from runs other where other.pipeline_id = run.pipeline_id and other.state <> 'ended' and not other.is_held)
      union all
      select format('Waiting: at most %s of the runs of the group can be in progress.', max_runs) from group_run_limits own
      where own.group_id = run.group_id and run.depth = 0 and max_runs <= (
        select count(*) from runs other
        where other.group_id = run.group_id and other.depth = 0 and other.state <> 'ended' and not other.is_held)
    ) as full_limit limit 1;
    -- A transition that has locked the run is about to end it.
    perform 1 from runs where id = run.id and is_held and state <> 'ended' for no key update skip locked;
    if not found then
      held := held + 1;
    elsif reason is not null then
      held := held + 1;
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

-- Pauses or ends a run if none of its steps can start, and ends its pause if one can.
create or replace function settle_run(settled uuid, at timestamptz) returns void language plpgsql as $$
declare
  run runs;
  tally record;
  failed record;
  end_message text;
  end_outcome text;
begin
  select * into run from runs where id = settled;
  select count(*) as steps, count(*) filter (where state <> 'done') as open,
    count(*) filter (where state in ('ready', 'running', 'awaiting')) as active, min(number) filter (where state = 'paused') as paused
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
    -- The status comes first: the end of the run passes its message on to the step that waits for it.
    perform set_job_status(settled, end_outcome, end_message, at);
    update runs set state = 'ended', outcome = end_outcome, ended_at = at where id = settled;
    perform pg_notify('run_ended', settled::text);
    if is_run_limited(run.pipeline_id, run.group_id) then perform enqueue_admission(); end if;
  elsif run.is_held then
    return;
  elsif tally.active = 0 and run.state <> 'paused' then
    update runs set state = 'paused' where id = settled;
    perform set_job_status(settled, 'PAUSED',
      (select format('The run is paused before “%s”.', task ->> 'name') from run_steps where run_id = settled and number = tally.paused), at);
  elsif tally.active > 0 and run.state = 'paused' then
    update runs set state = 'running' where id = settled;
    perform set_job_status(settled, 'RUNNING', '', at);
  end if;
end $$;

-- ready or awaiting → running, or a further attempt at a step whose worker was lost. Returns no row if there is nothing to execute.
create or replace function begin_run_step(begun uuid, step integer, job uuid, by_worker text, restarted_message text, at timestamptz)
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
      and (state in ('ready', 'awaiting') or state = 'running' and queue_job is null);
    if not found then return; end if;
  end if;
  return next mark_run_step_running(run, own, job, by_worker, restarted_message, true, at);
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
  start.input_values := '{}';
  if (own.task ->> 'inputs') like '%${%' then
    select coalesce(jsonb_object_agg(key, value), '{}') into start.input_values from run_values
    where run_id = run.id and key in (select value from jsonb_each_text(own.task -> 'inputs') where length(value) < 100);
  end if;
  return start;
end $$;

-- Stops runs and the runs that their steps have started: steps that have not begun end at once. Returns the runs with steps in
-- progress, whose workers have to abort them. Parents are locked before their children.
create or replace function stop_runs(stopped uuid[], reason text, at timestamptz) returns setof uuid language plpgsql as $$
declare
  run runs;
begin
  for run in select * from runs where id = any(stopped) and state <> 'ended' order by id for update loop
    update runs set stop_requested = true where id = run.id;
    perform skip_run_steps(run.id, array(select number from run_steps where run_id = run.id), reason, at);
    -- A step that waits for runs ends without them.
    perform wake_run_step(run.id, number, null) from run_steps where run_id = run.id and state = 'awaiting';
    return query select * from stop_runs(array(select id from runs where parent_run_id = run.id and state <> 'ended'), reason, at);
    if exists (select from run_steps where run_id = run.id and state in ('running', 'awaiting')) then
      perform pg_notify('run_stop', run.id::text);
      return next run.id;
    else
      perform settle_run(run.id, at);
    end if;
  end loop;
end $$;
