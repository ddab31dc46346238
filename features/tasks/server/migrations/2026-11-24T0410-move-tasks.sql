-- Tasks move to the feature `items`.
-- A server that still runs the old code finishes what it is writing; what it starts later fails and is not lost.
lock table tasks, task_versions in access exclusive mode;
insert into items (id, kind, group_id, name, owner_id, version, created_at, updated_at)
select id, 'task', group_id, name, first.saved_by, tasks.version, first.saved_at, newest.saved_at
from tasks
join task_versions newest on newest.task_id = id and newest.version = tasks.version
join task_versions first on first.task_id = id and first.version = 1;
insert into item_versions (item_id, version, kind, content, summary, saved_by, saved_at)
select task_id, version, 'task', input,
  jsonb_build_object('readableName', input -> 'readableName', 'definitionName', input -> 'definitionName'), saved_by, saved_at
from task_versions;
drop table task_versions;
drop table tasks;
