-- `failed_jobs` contains only jobs that are failed now. The view had a condition for the others, which multiplied in the estimates of the planner
-- with a filter on the status, so it read all jobs.
create function forget_failed_job() returns trigger language plpgsql as $$
begin
  delete from failed_jobs where seq = new.seq;
  return null;
end $$;
create trigger jobs_recovered after update of status, ended_at on jobs for each row
  when (old.type = 'PIPELINE' and old.ended_at is not null and old.status in ('WARN', 'ERROR')
    and (new.ended_at is null or new.status not in ('WARN', 'ERROR')))
  execute function forget_failed_job();
delete from failed_jobs failed using jobs job
where job.id = failed.job_id and (job.ended_at is null or job.status not in ('WARN', 'ERROR'));

create or replace view failed_pipeline_jobs as
select job.id, failed.seq, job.name, job.group_id, job.group_name, job.owner_id, job.status, job.latest_message as message, job.types,
  job.tags, job.version, job.root_id, job.started_at, job.ended_at, job.latest_group_ids as message_group_ids, true as is_open_failure
from failed_jobs failed join jobs job on job.id = failed.job_id;
