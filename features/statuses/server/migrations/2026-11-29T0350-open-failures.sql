-- `failed_jobs` contains open failures only: a later successful run of the same pipeline removes those before it. The root is stored here,
-- because a success would otherwise read all runs of its pipeline.
alter table failed_jobs add column root_id text;
update failed_jobs set root_id = jobs.root_id from jobs where jobs.id = failed_jobs.job_id;
create index failed_jobs_root on failed_jobs (root_id, seq) where root_id is not null;
delete from failed_jobs failed where exists (
  select from jobs later where later.root_id = failed.root_id and later.seq > failed.seq and later.type = 'PIPELINE'
    and later.ended_at is not null and later.status in ('COMPLETED', 'INFO'));

create or replace function note_failed_job() returns trigger language plpgsql as $$
begin
  insert into failed_jobs (seq, job_id, root_id) values (new.seq, new.id, new.root_id) on conflict do nothing;
  return null;
end $$;

create function close_failed_jobs() returns trigger language plpgsql as $$
begin
  delete from failed_jobs where root_id = new.root_id and seq < new.seq;
  return null;
end $$;
create trigger jobs_succeeded after insert or update of status, ended_at on jobs for each row
  when (new.type = 'PIPELINE' and new.root_id is not null and new.ended_at is not null and new.status in ('COMPLETED', 'INFO'))
  execute function close_failed_jobs();

create or replace view pipeline_jobs as
select id, seq, name, group_id, group_name, owner_id, status, latest_message as message, types, tags, version, root_id, started_at, ended_at,
  latest_group_ids as message_group_ids,
  ended_at is not null and status in ('WARN', 'ERROR') and exists (select from failed_jobs where failed_jobs.job_id = jobs.id) as is_open_failure
from jobs where type = 'PIPELINE';
create or replace view failed_pipeline_jobs as
select job.id, failed.seq, job.name, job.group_id, job.group_name, job.owner_id, job.status, job.latest_message as message, job.types,
  job.tags, job.version, job.root_id, job.started_at, job.ended_at, job.latest_group_ids as message_group_ids, true as is_open_failure
from failed_jobs failed join jobs job on job.id = failed.job_id
where job.ended_at is not null and job.status in ('WARN', 'ERROR');
