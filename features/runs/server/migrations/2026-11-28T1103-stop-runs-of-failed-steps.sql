-- A step that ends without success can still have runs in progress, for example after internal failures. Nobody waits for them then, so they
-- are stopped in the transaction that ends the step.
create function stop_runs_of_failed_step() returns trigger language plpgsql as $$
begin
  perform stop_runs(array(
    select id from runs where parent_run_id = new.run_id and parent_number = new.number and state <> 'ended'),
    'The run was stopped. The task that had started it did not succeed.', coalesce(new.ended_at, now()));
  return null;
end $$;
create trigger run_steps_stop_runs after update of state on run_steps
for each row when (new.state = 'done' and old.state = 'running' and new.outcome <> 'INFO')
execute function stop_runs_of_failed_step();
