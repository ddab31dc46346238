-- Schedules of pipelines move to the feature `schedules`.
create trigger pipelines_schedule after delete on pipelines
for each row execute function delete_schedule('pipeline');

-- A server that still runs the old code finishes what it is writing; what it starts later fails and is not lost.
lock table pipeline_schedules in access exclusive mode;
-- The save of a pipeline sets its schedule.
insert into schedules (kind, target_id, triggers, active, set_by, set_at, next_at)
select 'pipeline', pipeline_id, triggers, true, set_by, saved.saved_at, next_at
from pipeline_schedules
join pipelines on pipelines.id = pipeline_id
join pipeline_versions saved using (pipeline_id, version);
drop table pipeline_schedules;

-- Each of these jobs waited for the date in `next_at`.
delete from queue_jobs where kind = 'run-scheduled-pipeline' and state in ('waiting', 'running');
