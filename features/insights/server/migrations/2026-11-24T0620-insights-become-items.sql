-- Insights and templates become items. Their versions stay in the files that they lie in.
-- A server that still runs the old code finishes what it is writing; what it writes later has no item, so it waits here first.
lock table files in share row exclusive mode;
create temporary table versions on commit drop as
select id as file_id, group_id, left(name, -5) as name, version, arrived_at,
  case type when 'INSIGHT' then 'insight' else 'insight-template' end as kind,
  coalesce(saved_by, owner_id) as saved_by
from files
where state = 'ready' and type in ('INSIGHT', 'INSIGHT_TEMPLATE') and name like '_%.json';

insert into items (id, kind, group_id, name, owner_id, version, created_at, updated_at)
select gen_random_uuid(), kind, group_id, name, (array_agg(saved_by order by version))[1], max(version),
  min(arrived_at), (array_agg(arrived_at order by version desc))[1]
from versions group by kind, group_id, name;

insert into item_versions (item_id, version, kind, content, summary, saved_by, saved_at)
select items.id, versions.version, kind, jsonb_build_object('fileId', file_id), '{}', saved_by, arrived_at
from versions join items using (kind, group_id, name);
