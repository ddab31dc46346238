-- The run that no other run started, among a run and those that started it; the id itself when there is no such run.
create function root_of_run(run uuid) returns uuid language sql stable as $$
  with recursive ancestors as (
    select id, parent_run_id from runs where id = run
    union all
    select runs.id, runs.parent_run_id from ancestors join runs on runs.id = ancestors.parent_run_id
  )
  select coalesce((select id from ancestors where parent_run_id is null), run)
$$;
