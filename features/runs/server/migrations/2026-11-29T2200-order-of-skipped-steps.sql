-- Steps that are skipped together get their statuses in the order of their numbers, so that the latest component of the job does not
-- depend on the order of rows.
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
    with skipped as (
      update run_steps set state = 'done', outcome = 'UNEXECUTED', message = reason, ended_at = at
      where run_id = skipped_run and number = any(numbers) and state in ('waiting', 'ready', 'paused') returning number, e_id
    )
    select e_id from skipped order by number
  loop
    perform set_component_status(skipped_run, step.e_id::text, 'UNEXECUTED', reason, at);
  end loop;
end $$;
