-- The tasks of pipelines get other names for their fields: name becomes taskReadableName, taskGroupName becomes taskGroup, params moves
-- into taskOverrides, and after becomes prevTasks, a list of objects with an id.
-- Optional fields that a task does not have stay absent. The summary has no tasks.
update item_versions saved
set content = jsonb_set(saved.content, '{tasks}', (
  select coalesce(jsonb_agg(
    case
      when task ? 'taskReadableName' then task
      else (task - array['name', 'taskGroupName', 'params', 'after']) || jsonb_build_object(
        'taskReadableName', task -> 'name',
        'taskGroup', coalesce(task -> 'taskGroupName', '""'::jsonb),
        'taskOverrides', jsonb_build_object('params', coalesce(task -> 'params', '[]'::jsonb)),
        'prevTasks', coalesce((
          select jsonb_agg(jsonb_build_object('id', previous) order by place)
          from jsonb_array_elements(task -> 'after') with ordinality as earlier (previous, place)), '[]'::jsonb))
    end order by position), '[]'::jsonb)
  from jsonb_array_elements(saved.content -> 'tasks') with ordinality as element (task, position)))
where saved.kind = 'pipeline';
