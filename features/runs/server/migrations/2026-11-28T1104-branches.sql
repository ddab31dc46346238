-- Steps with branches. The result of such a step names a branch; the steps that only another branch reaches are left out: they end with
-- UNEXECUTED, and a step is left out too when all its links come from steps that were left out, or when it needs an output of one.
-- Numbers of the steps that one branch reaches, by branch: {"then": [2, 3]}. Empty: the step has no branches.
alter table run_steps add column branches jsonb;
-- Branch that the result named.
alter table run_steps add column branch text;
-- Number of steps before it, and of those whose link is dead.
alter table run_steps add column links integer not null default 0;
alter table run_steps add column dead_links integer not null default 0;
-- Numbers of the steps whose outputs it needs.
alter table run_steps add column needs integer[] not null default '{}';
alter table run_steps add column is_left_out boolean not null default false;

-- Removes the links from a step to the steps `targets` and ends those that are left out. Returns the steps that wait for no other step now.
create function leave_out_run_steps(of_run uuid, source integer, targets integer[], reason text, at timestamptz) returns integer[]
language plpgsql as $$
declare
  froms integer[] := array_fill(source, array[cardinality(targets)]);
  tos integer[] := targets;
  touched integer[] := targets;
  gone integer[];
begin
  while cardinality(tos) > 0 loop
    with link as (
      select target, count(*) as number, array_agg(start) as starts from unnest(froms, tos) as given (start, target) group by target
    ), counted as (
      update run_steps step set dead_links = step.dead_links + link.number, waits_for = step.waits_for - link.number
      from link where step.run_id = of_run and step.number = link.target and step.state = 'waiting'
      returning step.number, step.dead_links >= step.links or step.needs && link.starts as is_gone
    )
    select coalesce(array_agg(number), '{}') into gone from counted where is_gone;
    update run_steps set state = 'done', outcome = 'UNEXECUTED', message = reason, is_left_out = true, ended_at = at
    where run_id = of_run and number = any(gone);
    perform set_component_status(of_run, e_id::text, 'UNEXECUTED', reason, at) from run_steps
    where run_id = of_run and number = any(gone);
    select coalesce(array_agg(step.number), '{}'), coalesce(array_agg(child), '{}') into froms, tos
    from run_steps step cross join unnest(step.children) as child where step.run_id = of_run and step.number = any(gone);
    touched := touched || tos;
  end loop;
  return array(select number from run_steps where run_id = of_run and number = any(touched) and state = 'waiting' and waits_for = 0);
end $$;

-- The steps that the other branches of a step reach.
create function steps_of_other_branches(branches jsonb, chosen text) returns integer[] language sql immutable as $$
  select coalesce(array_agg(target::integer), '{}') from jsonb_each(branches) as branch (name, targets)
  cross join jsonb_array_elements_text(targets) as target where name is distinct from chosen;
$$;

create function reason_of_left_out(task jsonb) returns text language sql immutable as $$
  select format('Skipped: “%s” continued with another branch.', task ->> 'name');
$$;

-- Starts a run. `steps` is an array of {number, eId, prevEId, task, jobKind, waitsFor, children, branches, branch, links, needs, payload, outcome,
-- message}; those with an outcome have ended, with the branch that they named. `waitsFor` also counts the links that other branches of ended
-- steps remove. Returns false if the user already has `max_runs` runs. Only runs of users and triggers count: a run that waits for its own
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
  insert into run_steps (run_id, number, e_id, task, job_kind, waits_for, children, branches, branch, links, needs, state, outcome,
    message, ended_at)
  select new_run, number, "eId", task, "jobKind", "waitsFor", children, branches, branch, links, coalesce(needs, '{}'),
    case when outcome is null then 'waiting' else 'done' end, outcome, coalesce(message, ''), case when outcome is not null then at end
  from jsonb_to_recordset(steps) as step (number integer, "eId" uuid, task jsonb, "jobKind" text, "waitsFor" integer,
    children integer[], branches jsonb, branch text, links integer, needs integer[], outcome text, message text);
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
    count(*) filter (where state in ('ready', 'running', 'awaiting')) as active, min(number) filter (where state = 'paused') as paused,
    count(*) filter (where is_left_out) as left_out
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
      end_message := case when tally.left_out > 0
        then format('%s of %s tasks succeeded. The others belong to branches that were skipped.', tally.steps - tally.left_out, tally.steps)
        when tally.steps = 1 then 'The task succeeded.' else format('All %s tasks succeeded.', tally.steps) end;
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

-- running → done, or ready again for a retry. Steps after it become ready, or are left out with their branch; the first of them with the kind
-- `next_kind` starts at once, in the same job, and is returned. `end_result` is {runId, number, attempt, outcome, branch, message, values,
-- retryAt, retryMessage, nextKind, worker}. Returns `held` = false if another attempt has replaced it.
create or replace function end_run_step(end_result jsonb, at timestamptz) returns table (held boolean, next run_step_start) language plpgsql as $$
declare
  ended_run uuid := (end_result ->> 'runId')::uuid;
  ended_number integer := (end_result ->> 'number')::integer;
  result text := end_result ->> 'outcome';
  run runs;
  own run_steps;
  dead integer[] := '{}';
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
  update run_steps set state = 'done', outcome = result, message = end_result ->> 'message', branch = end_result ->> 'branch', ended_at = at,
    queue_job = null
  where run_id = ended_run and number = ended_number;
  perform set_component_status(ended_run, own.e_id::text, result, end_result ->> 'message', at);
  if end_result -> 'values' <> '{}' then
    insert into run_values (run_id, key, value) select ended_run, key, value from jsonb_each_text(end_result -> 'values')
    on conflict (run_id, key) do update set value = excluded.value;
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
