-- Changes the statuses of components of several jobs that begin to RUNNING, as `set_component_status` does with an empty message. The arrays have
-- one item for each component; the latest status of a job is that of its last item. The caller excludes other transitions of the jobs.
create function begin_components(of_jobs uuid[], e_ids text[], at timestamptz[]) returns void language sql as $$
  with locked as materialized (
    select id from jobs where id = any(of_jobs) order by id for no key update
  ), given as (
    select * from unnest(of_jobs, e_ids, at) with ordinality as given (job_id, e_id, begun_at, number)
  ), component as (
    update job_components component set status = 'RUNNING', message = '', ended_at = null,
      started_at = case when component.status in ('UNEXECUTED', 'PENDING') then given.begun_at else component.started_at end
    from locked join given on given.job_id = locked.id
    where component.job_id = locked.id and component.e_id = given.e_id
    returning component.job_id, component.component, component.group_ids, given.number
  ), newest as (
    select distinct on (job_id) * from component order by job_id, number desc
  )
  update jobs set latest_status = 'RUNNING', latest_message = '', latest_component = newest.component, latest_group_ids = newest.group_ids
  from newest where jobs.id = newest.job_id;
$$;
