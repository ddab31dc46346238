-- Of several failed steps that ended at the same time, the first one by number is named as the reason. Steps that are skipped with a branch get
-- their statuses in the order of their numbers. Nothing depends on the order of rows.

-- A stop is the result of the run, even if a step ended with a warning or an error before it.
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
    order by coalesce(task ->> 'onError', 'stop') <> 'stop', outcome <> 'ERROR', ended_at, number limit 1;
    if run.stop_requested and exists (select from run_steps where run_id = settled and outcome in ('ERROR', 'UNEXECUTED')
      and starts_with(message, 'The run was stopped')) then
      end_outcome := 'ERROR';
      end_message := coalesce(run.stop_reason, 'The run was stopped.');
    elsif failed.name is not null then
      -- A failed task after which the run went on leaves a warning.
      end_outcome := case when coalesce(failed.on_error, 'stop') = 'stop' then failed.outcome else 'WARN' end;
      -- The rest can be the output of a script; the step has it.
      end_message := format('“%s”: %s', failed.name, split_part(failed.message, E'\n', 1));
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

-- Removes the links from a step to the steps `targets` and ends those that are left out. Returns the steps that wait for no other step now.
create or replace function leave_out_run_steps(of_run uuid, source integer, targets integer[], reason text, at timestamptz) returns integer[]
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
    perform set_component_status(of_run, e_id::text, 'UNEXECUTED', reason, at) from (
      select e_id from run_steps where run_id = of_run and number = any(gone) order by number) as skipped;
    select coalesce(array_agg(step.number), '{}'), coalesce(array_agg(child), '{}') into froms, tos
    from run_steps step cross join unnest(step.children) as child where step.run_id = of_run and step.number = any(gone);
    touched := touched || tos;
  end loop;
  return array(select number from run_steps where run_id = of_run and number = any(touched) and state = 'waiting' and waits_for = 0
    order by number);
end $$;
