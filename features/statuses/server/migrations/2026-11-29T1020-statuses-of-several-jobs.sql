-- Changes of statuses lock the job before its components, as reports of steps do. Otherwise a report and the end of its step wait for each other.

create or replace function set_component_status(job uuid, component_e_id text, new_status text, new_message text, at timestamptz)
returns void language sql as $$
  with locked as materialized (
    select id from jobs where id = job for no key update
  ), component as (
    update job_components set status = new_status, message = coalesce(new_message, message),
      started_at = case when new_status not in ('UNEXECUTED', 'PENDING', 'PAUSED') and status in ('UNEXECUTED', 'PENDING') then at else started_at end,
      ended_at = case when new_status in ('COMPLETED', 'INFO', 'WARN', 'ERROR', 'UNEXECUTED') then at end
    from locked where job_id = locked.id and e_id = component_e_id
    returning message, component, group_ids
  )
  update jobs set latest_status = new_status, latest_message = component.message, latest_component = component.component,
    latest_group_ids = component.group_ids
  from component where id = job;
$$;

create or replace function end_job_components(job uuid, ends jsonb) returns void language sql as $$
  with locked as materialized (
    select id from jobs where id = job for no key update
  )
  update job_components component set status = step_end.status, message = step_end.message, ended_at = step_end."endedAt",
    started_at = case when component.status in ('UNEXECUTED', 'PENDING') then step_end."startedAt" else component.started_at end
  from locked cross join jsonb_to_recordset(ends) as step_end (
    "eId" text, status text, message text, "startedAt" timestamptz, "endedAt" timestamptz)
  where component.job_id = locked.id and component.e_id = step_end."eId";
$$;

-- Changes the statuses of components of several jobs that have ended, as `set_component_status` does. The arrays have one item for each
-- component; the latest status of a job is that of its last item. The caller excludes other transitions of the jobs.
create function end_components(of_jobs uuid[], e_ids text[], new_statuses text[], new_messages text[], at timestamptz[])
returns void language sql as $$
  with locked as materialized (
    select id from jobs where id = any(of_jobs) order by id for no key update
  ), given as (
    select * from unnest(of_jobs, e_ids, new_statuses, new_messages, at) with ordinality
      as given (job_id, e_id, status, message, ended_at, number)
  ), component as (
    update job_components component set status = given.status, message = given.message, ended_at = given.ended_at,
      started_at = case when component.status in ('UNEXECUTED', 'PENDING') then given.ended_at else component.started_at end
    from locked join given on given.job_id = locked.id
    where component.job_id = locked.id and component.e_id = given.e_id
    returning component.job_id, given.status, given.message, component.component, component.group_ids, given.number
  ), newest as (
    select distinct on (job_id) * from component order by job_id, number desc
  )
  update jobs set latest_status = newest.status, latest_message = newest.message, latest_component = newest.component,
    latest_group_ids = newest.group_ids
  from newest where jobs.id = newest.job_id;
$$;
