-- Adds the ids of tasks to pipelines saved without them, because a schedule runs a task of another user only if its id is unchanged. The
-- id is that of the task with the name now. Exception: if another user saved the task after the pipeline and the pipeline names a
-- version, that user may have given the name to another task with older versions.
with listed as (
  select saved.pipeline_id, saved.version, jsonb_agg(
    case when known.id is null or task ? 'taskId' then task else task || jsonb_build_object('taskId', known.id) end
    order by place) as tasks
  from pipeline_versions saved
  cross join jsonb_array_elements(saved.tasks) with ordinality as element (task, place)
  left join groups on groups.name = task ->> 'taskGroupName'
  left join tasks known on known.group_id = groups.id and known.name = task ->> 'taskName'
    and (task ->> 'taskVersion' is null or not exists (
      select from task_versions later
      where later.task_id = known.id and later.saved_at > saved.saved_at and later.saved_by <> saved.saved_by))
  group by saved.pipeline_id, saved.version
)
update pipeline_versions saved set tasks = listed.tasks
from listed
where saved.pipeline_id = listed.pipeline_id and saved.version = listed.version and saved.tasks <> listed.tasks;
