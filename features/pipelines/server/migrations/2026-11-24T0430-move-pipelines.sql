-- Pipelines move to the feature `items`.
-- A server that still runs the old code finishes what it is writing; what it starts later fails and is not lost.
lock table pipelines, pipeline_versions in access exclusive mode;
insert into items (id, kind, group_id, name, owner_id, version, created_at, updated_at)
select id, 'pipeline', group_id, name, first.saved_by, pipelines.version, first.saved_at, newest.saved_at
from pipelines
join pipeline_versions newest on newest.pipeline_id = id and newest.version = pipelines.version
join pipeline_versions first on first.pipeline_id = id and first.version = 1;
insert into item_versions (item_id, version, kind, content, summary, saved_by, saved_at)
select pipeline_id, version, 'pipeline',
  jsonb_build_object('tasks', tasks, 'payload', payload, 'tags', to_jsonb(tags), 'markdownId', markdown_id),
  jsonb_build_object('tags', to_jsonb(tags), 'markdownId', markdown_id), saved_by, saved_at
from pipeline_versions;
create trigger items_pipeline_schedule after delete on items
for each row when (old.kind = 'pipeline') execute function delete_schedule('pipeline');
drop table pipeline_versions;
drop table pipelines;
