-- First sentence of the messages of a stopped run, which names the user who stopped it.
alter table runs add column stop_reason text;

create or replace function stop_locked_runs(stopped uuid[], reason text, at timestamptz) returns setof uuid language plpgsql as $$
declare
  own uuid;
begin
  foreach own in array stopped loop
    -- The stop of its parent run can have ended it.
    update runs set stop_requested = true, stop_reason = coalesce(stop_reason, reason) where id = own and state <> 'ended';
    continue when not found;
    perform skip_run_steps(own, array(select number from run_steps where run_id = own), reason, at);
    -- A step that waits for runs ends without them.
    perform wake_run_step(own, number, null) from run_steps where run_id = own and state = 'awaiting';
    return query select * from stop_locked_runs(
      array(select id from runs where parent_run_id = own and state <> 'ended' order by id), reason, at);
    if exists (select from run_steps where run_id = own and state in ('running', 'awaiting')) then
      perform pg_notify('run_stop', own::text);
      return next own;
    else
      perform settle_run(own, at);
    end if;
  end loop;
end $$;

-- An empty reason: a step that did not succeed ended the run. The message of the others names it.
create or replace function skip_run_steps(skipped_run uuid, numbers integer[], reason text, at timestamptz) returns void language plpgsql as $$
declare
  step record;
begin
  if reason = '' then
    select format('Not run: “%s” ended with %s.', task ->> 'name', case outcome when 'WARN' then 'a warning' else 'an error' end) into reason
    from run_steps where run_id = skipped_run and outcome in ('ERROR', 'WARN') and coalesce(task ->> 'onError', 'stop') = 'stop'
    order by ended_at desc, number desc limit 1;
    reason := coalesce(reason, '');
  end if;
  for step in
    update run_steps set state = 'done', outcome = 'UNEXECUTED', message = reason, ended_at = at
    where run_id = skipped_run and number = any(numbers) and state in ('waiting', 'ready', 'paused') returning e_id
  loop
    perform set_component_status(skipped_run, step.e_id::text, 'UNEXECUTED', reason, at);
  end loop;
end $$;

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
    order by coalesce(task ->> 'onError', 'stop') <> 'stop', outcome <> 'ERROR', ended_at limit 1;
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
