-- Pipelines that were saved before the ids of their tasks were kept get them, as a schedule runs a task of somebody else only
-- when it is the one that was meant. The task that has the name now is taken for it. Only where a version is named it may be
-- another one: if somebody else saved the task after the pipeline, they may have given it that name, and the version be older.
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
