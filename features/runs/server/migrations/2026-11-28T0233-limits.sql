-- Limits of runs in parallel. A run of a limited pipeline or group is held until it is admitted: none of its steps is in the queue. Admissions
-- are jobs of the queue, one for each start and each end of a limited run, and follow one another.
alter table runs add column priority smallint not null default 0;
alter table runs add column is_held boolean not null default false;
-- The limit that holds the run, for its message.
alter table runs add column held_by text;
create index runs_held on runs (priority desc, seq) where is_held and state <> 'ended';
create index runs_open_of_pipeline on runs (pipeline_id) where state <> 'ended';
create index runs_open_of_group on runs (group_id) where state <> 'ended';

create table pipeline_run_limits (
  pipeline_id uuid primary key references items (id) on delete cascade,
  -- Empty = no limit.
  max_runs integer check (max_runs > 0),
  -- Priority of its runs, if the start names none.
  priority smallint not null default 0
);
create table group_run_limits (
  group_id bigint primary key references groups (id) on delete cascade,
  max_runs integer not null check (max_runs > 0)
);

create function is_run_limited(pipeline uuid, of_group bigint) returns boolean language sql stable as $$
  select exists (select from pipeline_run_limits where pipeline_id = pipeline and max_runs is not null)
    or exists (select from group_run_limits where group_id = of_group);
$$;

create function enqueue_admission() returns void language sql as $$
  select enqueue_queue_jobs('[{"kind": "admit-runs", "payload": {}}]');
$$;

create function release_first_run_steps(released uuid, at timestamptz) returns void language plpgsql as $$
begin
  perform release_run_steps(released, array(
    select number from run_steps where run_id = released and state = 'waiting' and waits_for = 0), at);
  perform settle_run(released, at);
end $$;

-- Starts held runs as far as the limits allow: those with the highest priority first, then the oldest. Returns the number of runs
-- that are still held.
create function admit_runs(at timestamptz) returns integer language plpgsql as $$
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
      where own.group_id = run.group_id and max_runs <= (
        select count(*) from runs other where other.group_id = run.group_id and other.state <> 'ended' and not other.is_held)
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

-- Starts a run. `steps` is an array of {number, eId, prevEId, task, jobKind, waitsFor, children, payload, outcome, message}; those with an outcome
-- have ended. Returns false if the user already has `max_runs` runs.
create or replace function start_run(run jsonb, job jsonb, steps jsonb, max_runs integer, at timestamptz) returns boolean
language plpgsql as $$
declare
  new_run uuid := (run ->> 'id')::uuid;
  owner bigint := (run ->> 'userId')::bigint;
  is_limited boolean := is_run_limited((run ->> 'pipelineId')::uuid, (run ->> 'groupId')::bigint);
begin
  -- The lock makes concurrent starts of one user count each other.
  perform pg_advisory_xact_lock(4817626, (owner % 2147483647)::integer);
  if (select count(*) from runs where user_id = owner and state <> 'ended') >= max_runs then
    return false;
  end if;
  perform start_job(job, at);
  insert into runs (id, pipeline_id, pipeline_version, name, group_id, group_name, user_id, trigger, state, repeats,
    priority, is_held, created_at)
  values (new_run, (run ->> 'pipelineId')::uuid, (run ->> 'pipelineVersion')::integer, run ->> 'name', (run ->> 'groupId')::bigint,
    run ->> 'groupName', owner, run ->> 'trigger', 'waiting', (run ->> 'repeats')::uuid,
    coalesce((run ->> 'priority')::smallint,
      (select priority from pipeline_run_limits where pipeline_id = (run ->> 'pipelineId')::uuid), 0), is_limited, at);
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

create or replace function enqueue_run_step(run uuid, step integer, job_kind text, owner bigint, run_after timestamptz) returns void
language sql as $$
  select enqueue_queue_jobs(jsonb_build_array(jsonb_build_object('kind', job_kind, 'payload', jsonb_build_object('runId', run, 'number', step),
    'uniqueKey', format('run step %s/%s', run, step), 'fairKey', owner::text,
    'priority', (select priority from runs where id = run), 'runAfter', run_after)));
$$;

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
