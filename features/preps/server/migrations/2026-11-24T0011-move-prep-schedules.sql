-- Schedules of data preps move to the feature `schedules`.
create trigger data_preps_schedule after delete on data_preps
for each row execute function delete_schedule('data-prep');

-- A server that still runs the old code finishes what it is writing; what it starts later fails and is not lost.
lock table data_prep_schedules in access exclusive mode;
insert into schedules (kind, target_id, triggers, active, set_by, set_at, next_at, last_at, last_job_id)
select 'data-prep', data_prep_id, jsonb_build_array(jsonb_build_object('cron', cron, 'timeZone', time_zone)),
  active, set_by, set_at, next_at, last_at, last_job_id
from data_prep_schedules;
drop table data_prep_schedules;

-- Each of them waited for a moment that `next_at` holds.
delete from queue_jobs where kind = 'run-scheduled-data-prep' and state in ('waiting', 'running');
