-- Exporters name their insight by its id, in all versions: earlier ones may have an earlier name of the same insight.
with named as (
  select distinct on (items.id) items.id as pipeline_id,
    (select param ->> 'value' from jsonb_array_elements(task -> 'params') param
     where param ->> 'type' = 'INPUT' and param ->> 'name' = 'groupName' limit 1) as group_name,
    (select param ->> 'value' from jsonb_array_elements(task -> 'params') param
     where param ->> 'type' = 'INPUT' and param ->> 'name' = 'fileName' limit 1) as file_name
  from items
  join item_versions saved on saved.item_id = items.id and saved.version = items.version
  cross join jsonb_array_elements(saved.content -> 'tasks') with ordinality as tasks (task, position)
  where items.kind = 'pipeline' and saved.summary -> 'tags' ? 'insight' and task ->> 'taskName' = 'tile-downloader'
  order by items.id, position
), exporters as (
  select pipeline_id, insights.id as insight_id
  from named
  join groups on groups.name = group_name
  join items insights on insights.kind = 'insight' and insights.group_id = groups.id
    and insights.name = regexp_replace(file_name, '\.json$', '', 'i')
)
update item_versions saved
set content = jsonb_set(saved.content, '{tasks}', (
  select jsonb_agg(case when task ->> 'taskName' <> 'tile-downloader' then task else jsonb_set(task, '{params}', (
    select coalesce(jsonb_agg(param order by param_position) filter (where not (
        param ->> 'type' = 'INPUT' and param ->> 'name' in ('groupName', 'fileName'))), '[]')
      || jsonb_build_array(jsonb_build_object('name', 'insightId', 'type', 'INPUT', 'value', insight_id))
    from jsonb_array_elements(task -> 'params') with ordinality as params (param, param_position)
  )) end order by position)
  from jsonb_array_elements(saved.content -> 'tasks') with ordinality as tasks (task, position)
))
from exporters where saved.item_id = pipeline_id and jsonb_array_length(saved.content -> 'tasks') > 0;
