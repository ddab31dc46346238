-- Transitions lock their runs `for no key update`. A transaction that changes a run twice checks its reference to the parent run again,
-- which locks the parent run `for key share`, out of the order of `lock_runs`. A lock `for update` makes this check wait; the weaker lock
-- does not, and excludes every other transition as well.
do $$
declare
  transition regprocedure;
begin
  for transition in select unnest(array[
    'lock_runs(uuid[], uuid[])', 'begin_run_step(uuid, integer, uuid, text, text, timestamptz)',
    'await_run_step(uuid, integer, integer, integer, text, timestamptz, timestamptz)', 'end_run_step(jsonb, timestamptz)',
    'continue_run(uuid, integer[], timestamptz)',
    'decide_run_steps(uuid, integer[], boolean, bigint, text, text, timestamptz)']::regprocedure[]) loop
    execute replace(pg_get_functiondef(transition), ' for update;', ' for no key update;');
  end loop;
  if exists (select from pg_proc where pronamespace = current_schema()::regnamespace and prosrc like '% runs %for update;%') then
    raise exception 'A transition still locks its run for update.';
  end if;
end $$;
