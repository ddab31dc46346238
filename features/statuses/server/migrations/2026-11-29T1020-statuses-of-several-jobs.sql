-- Changes the statuses of components of several jobs that have ended, as `set_component_status` does. The arrays have one item for each
-- component; the latest status of a job is that of its last item.
create function end_components(of_jobs uuid[], e_ids text[], new_statuses text[], new_messages text[], at timestamptz[])
returns void language sql as $$
  with given as (
    select * from unnest(of_jobs, e_ids, new_statuses, new_messages, at) with ordinality
      as given (job_id, e_id, status, message, ended_at, place)
  ), component as (
    update job_components component set status = given.status, message = given.message, ended_at = given.ended_at,
      started_at = case when component.status in ('UNEXECUTED', 'PENDING') then given.ended_at else component.started_at end
    from given where component.job_id = given.job_id and component.e_id = given.e_id
    returning component.job_id, given.status, given.message, component.component, component.group_ids, given.place
  ), newest as (
    select distinct on (job_id) * from component order by job_id, place desc
  )
  update jobs set latest_status = newest.status, latest_message = newest.message, latest_component = newest.component,
    latest_group_ids = newest.group_ids
  from newest where jobs.id = newest.job_id;
$$;
