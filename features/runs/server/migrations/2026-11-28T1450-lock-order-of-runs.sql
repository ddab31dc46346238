-- Transitions of several runs lock them in one order, by depth and then by id, before they change anything. A stop locks the runs below its
-- runs as well. Otherwise a stop of a parent run, a stop of a list of runs and a batch of results could wait for each other.
create function lock_runs(changed uuid[], stopped uuid[]) returns void language plpgsql as $$
declare
  level integer := (select min(depth) from runs where id = any(changed || stopped));
begin
  while level is not null loop
    perform 1 from runs where id = any(changed || stopped) and depth = level order by id for update;
    -- A run that is starting holds its parent run, so none comes in between.
    stopped := stopped || array(
      select id from runs where parent_run_id = any(stopped) and depth = level + 1 and state <> 'ended');
    level := (select min(depth) from runs where id = any(changed || stopped) and depth > level);
  end loop;
end $$;

create function stop_locked_runs(stopped uuid[], reason text, at timestamptz) returns setof uuid language plpgsql as $$
declare
  own uuid;
begin
  foreach own in array stopped loop
    -- The stop of its parent run can have ended it.
    update runs set stop_requested = true where id = own and state <> 'ended';
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

-- Stops runs and the runs that their steps have started: steps that have not begun end at once. Returns the runs with steps in
-- progress, whose workers have to abort them.
create or replace function stop_runs(stopped uuid[], reason text, at timestamptz) returns setof uuid language plpgsql as $$
begin
  perform lock_runs('{}', stopped);
  return query select * from stop_locked_runs(array(select id from runs where id = any(stopped) order by depth, id), reason, at);
end $$;

-- Ends attempts of several runs. A step that ends without success stops the runs that it has started.
create function end_run_steps(ends jsonb[], at timestamptz[]) returns table (place bigint, held boolean, next run_step_start)
language plpgsql as $$
begin
  if cardinality(ends) > 1 then
    perform lock_runs(
      array(select (step_end ->> 'runId')::uuid from unnest(ends) as step_end),
      array(select (step_end ->> 'runId')::uuid from unnest(ends) as step_end where step_end ->> 'outcome' <> 'INFO'));
  end if;
  return query select given.place, ended.held, ended.next
    from unnest(ends, at) with ordinality as given (step_end, ended_at, place)
    cross join lateral end_run_step(given.step_end, given.ended_at) as ended;
end $$;
