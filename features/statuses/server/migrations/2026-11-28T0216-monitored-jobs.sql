-- Failed runs, so that lists show them first without reading all jobs. An index on the status of jobs would slow down every change of one.
create table failed_jobs (
  seq bigint primary key,
  job_id uuid not null unique references jobs (id) on delete cascade
);
insert into failed_jobs (seq, job_id) select seq, id from jobs where type = 'PIPELINE' and ended_at is not null and status in ('WARN', 'ERROR');

create function note_failed_job() returns trigger language plpgsql as $$
begin
  insert into failed_jobs (seq, job_id) values (new.seq, new.id) on conflict do nothing;
  return null;
end $$;
create trigger jobs_failed after insert or update of status, ended_at on jobs for each row
  when (new.type = 'PIPELINE' and new.ended_at is not null and new.status in ('WARN', 'ERROR'))
  execute function note_failed_job();

-- Runs of a period, and of a tag.
create index jobs_started on jobs using brin (started_at);
create index jobs_tags on jobs using gin (tags) where cardinality(tags) > 0;

create view pipeline_jobs as
select id, seq, name, group_id, group_name, owner_id, status, latest_message as message, types, tags, version, root_id, started_at, ended_at
from jobs where type = 'PIPELINE';
-- The condition on the status excludes a job that has not failed since.
create view failed_pipeline_jobs as
select job.id, failed.seq, job.name, job.group_id, job.group_name, job.owner_id, job.status, job.latest_message as message, job.types,
  job.tags, job.version, job.root_id, job.started_at, job.ended_at
from failed_jobs failed join jobs job on job.id = failed.job_id
where job.ended_at is not null and job.status in ('WARN', 'ERROR');
