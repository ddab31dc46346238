-- Paused runs, so that lists show them before others without reading all jobs. An index on the status of jobs would slow down every change of one.
create table paused_jobs (
  seq bigint primary key,
  job_id uuid not null unique references jobs (id) on delete cascade
);
insert into paused_jobs (seq, job_id) select seq, id from jobs where type = 'PIPELINE' and ended_at is null and status = 'PAUSED';

create function note_paused_job() returns trigger language plpgsql as $$
begin
  insert into paused_jobs (seq, job_id) values (new.seq, new.id) on conflict do nothing;
  return null;
end $$;
create trigger jobs_paused after insert or update of status on jobs for each row
  when (new.type = 'PIPELINE' and new.status = 'PAUSED')
  execute function note_paused_job();

create function forget_paused_job() returns trigger language plpgsql as $$
begin
  delete from paused_jobs where seq = new.seq;
  return null;
end $$;
create trigger jobs_continued after update of status on jobs for each row
  when (old.type = 'PIPELINE' and old.status = 'PAUSED' and new.status <> 'PAUSED')
  execute function forget_paused_job();

create view paused_pipeline_jobs as
select job.id, paused.seq, job.name, job.group_id, job.group_name, job.owner_id, job.status, job.latest_message as message, job.types,
  job.tags, job.version, job.root_id, job.started_at, job.ended_at, job.latest_group_ids as message_group_ids, false as is_open_failure
from paused_jobs paused join jobs job on job.id = paused.job_id
where job.status = 'PAUSED';
