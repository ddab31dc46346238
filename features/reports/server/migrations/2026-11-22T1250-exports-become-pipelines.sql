-- Each stored e-mail export becomes a pipeline in the group of its insight. The tasks are those of the exporter at the time of this
-- migration and do not follow later changes.
with made as (
  insert into pipelines (id, group_id, name, version)
  select gen_random_uuid(), insights.group_id, insights.name || ' email exporter', 1
  from insight_exports kept
  join insights on insights.id = kept.insight_id
  on conflict (group_id, name) do nothing
  returning id, group_id, name
), kept as (
  select made.id, groups.name as group_name, insights.name as insight_name, made.name as pipeline_name,
    exports.details, exports.changed_by, exports.changed_at
  from made
  join groups on groups.id = made.group_id
  join insights on insights.group_id = made.group_id and insights.name || ' email exporter' = made.name
  join insight_exports exports on exports.insight_id = insights.id
), scheduled as (
  insert into pipeline_schedules (pipeline_id, triggers, set_by)
  select id, jsonb_build_array(jsonb_build_object('cron', details ->> 'cron', 'timeZone', details ->> 'timeZone')), changed_by
  from kept
)
insert into pipeline_versions (pipeline_id, version, tasks, payload, tags, saved_by, saved_at)
select id, 1, jsonb_build_array(
  jsonb_build_object('id', 'cron-trigger', 'name', 'cron-trigger', 'taskName', 'cron-trigger', 'taskGroupName', '',
    'taskVersion', null, 'isPaused', false, 'after', '[]'::jsonb, 'params', jsonb_build_array(
      jsonb_build_object('name', 'cron', 'type', 'INPUT', 'value', details ->> 'cron'),
      jsonb_build_object('name', 'timeZone', 'type', 'INPUT', 'value', details ->> 'timeZone'))),
  jsonb_build_object('id', 'tile-downloader', 'name', 'tile-downloader', 'taskName', 'tile-downloader', 'taskGroupName', '',
    'taskVersion', null, 'isPaused', false, 'after', '["cron-trigger"]'::jsonb, 'params', jsonb_build_array(
      jsonb_build_object('name', 'tiles', 'type', 'OUTPUT', 'value', '${7b0d6f0e-6f0a-4a2e-9f0e-1c7f0a4d2b01}'),
      jsonb_build_object('name', 'groupName', 'type', 'INPUT', 'value', group_name),
      jsonb_build_object('name', 'fileName', 'type', 'INPUT', 'value', insight_name || '.json'))),
  jsonb_build_object('id', 'generic-html-template', 'name', 'generic-html-template', 'taskName', 'generic-html-template',
    'taskGroupName', '', 'taskVersion', null, 'isPaused', false, 'after', '[]'::jsonb, 'params', jsonb_build_array(
      jsonb_build_object('name', 'tiles', 'type', 'INPUT', 'value', '${7b0d6f0e-6f0a-4a2e-9f0e-1c7f0a4d2b01}'),
      jsonb_build_object('name', 'file', 'type', 'OUTPUT', 'value', '${7b0d6f0e-6f0a-4a2e-9f0e-1c7f0a4d2b02}'),
      jsonb_build_object('name', 'text', 'type', 'OUTPUT', 'value', '${7b0d6f0e-6f0a-4a2e-9f0e-1c7f0a4d2b03}'),
      jsonb_build_object('name', 'title', 'type', 'INPUT', 'value', details ->> 'reportTitle'),
      jsonb_build_object('name', 'groupName', 'type', 'INPUT', 'value', group_name),
      jsonb_build_object('name', 'outputFile', 'type', 'INPUT', 'value', pipeline_name || '-html-template.html'))),
  jsonb_build_object('id', 'email-sender', 'name', 'email-sender', 'taskName', 'email-sender', 'taskGroupName', '',
    'taskVersion', null, 'isPaused', false, 'after', '[]'::jsonb, 'params', jsonb_build_array(
      jsonb_build_object('name', 'bodyFile', 'type', 'INPUT', 'value', '${7b0d6f0e-6f0a-4a2e-9f0e-1c7f0a4d2b02}'),
      jsonb_build_object('name', 'text', 'type', 'INPUT', 'value', '${7b0d6f0e-6f0a-4a2e-9f0e-1c7f0a4d2b03}'),
      jsonb_build_object('name', 'subject', 'type', 'INPUT', 'value', details ->> 'emailSubject'),
      jsonb_build_object('name', 'recipients', 'type', 'INPUT', 'value',
        (select string_agg(recipient, ',') from jsonb_array_elements_text(details -> 'recipients') recipient))))
  ), '{}', array['insight'], changed_by, changed_at
from kept;

drop table insight_exports;
