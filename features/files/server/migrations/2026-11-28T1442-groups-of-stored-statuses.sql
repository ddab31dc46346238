-- Statuses and log lines that uploads have written into jobs of any group.
update job_components component set group_ids = array[file.group_id]
from files file where component.payload ->> 'fileId' = file.id::text;
-- A deleted file has left the name of its group. No group has the id 0: if the name is unknown, only administrators read the status. Scripts
-- can have sent any name.
update job_components component
set group_ids = coalesce((select array_agg(id) from groups where name = component.payload ->> 'groupName'),
  case when component.is_sent then '{}' else array[0] end)
from jobs job
where job.id = component.job_id and component.group_ids = '{}' and component.payload ->> 'groupName' <> job.group_name;
update jobs job set latest_group_ids = (
  select array_agg(distinct id) from job_components component cross join unnest(component.group_ids) as id
  where component.job_id = job.id and component.component = job.latest_component)
where exists (
  select from job_components component
  where component.job_id = job.id and component.component = job.latest_component and component.group_ids <> '{}'
    and not component.group_ids <@ array[job.group_id]);
update log_chunks chunk set group_id = component.group_ids[1]
from job_components component
where component.job_id = chunk.job_id and component.e_id = chunk.e_id and component.group_ids <> '{}';
