-- Statuses with data of other groups than that of their job, for example of a file that a run stores elsewhere. Users read them only with
-- access to all of these groups. Empty, or null: the job alone decides.
alter table job_components add column group_ids bigint[] not null default '{}';
alter table status_messages add column group_id bigint;
alter table jobs add column latest_group_ids bigint[] not null default '{}';

create or replace function set_component_status(job uuid, component_e_id text, new_status text, new_message text, at timestamptz)
returns void language sql as $$
  with component as (
    update job_components set status = new_status, message = coalesce(new_message, message),
      started_at = case when new_status not in ('UNEXECUTED', 'PENDING', 'PAUSED') and status in ('UNEXECUTED', 'PENDING') then at else started_at end,
      ended_at = case when new_status in ('COMPLETED', 'INFO', 'WARN', 'ERROR', 'UNEXECUTED') then at end
    where job_id = job and e_id = component_e_id
    returning message, component, group_ids
  )
  update jobs set latest_status = new_status, latest_message = component.message, latest_component = component.component,
    latest_group_ids = component.group_ids
  from component where id = job;
$$;

create or replace function set_job_status(job uuid, new_status text, new_message text, at timestamptz) returns void language sql as $$
  update jobs set status = new_status, latest_status = new_status, latest_message = coalesce(new_message, ''), latest_component = '',
    latest_group_ids = '{}',
    ended_at = case when new_status in ('COMPLETED', 'INFO', 'WARN', 'ERROR', 'UNEXECUTED') then at end
  where id = job;
$$;

create or replace view pipeline_jobs as
select id, seq, name, group_id, group_name, owner_id, status, latest_message as message, types, tags, version, root_id, started_at, ended_at,
  latest_group_ids as message_group_ids
from jobs where type = 'PIPELINE';
create or replace view failed_pipeline_jobs as
select job.id, failed.seq, job.name, job.group_id, job.group_name, job.owner_id, job.status, job.latest_message as message, job.types,
  job.tags, job.version, job.root_id, job.started_at, job.ended_at, job.latest_group_ids as message_group_ids
from failed_jobs failed join jobs job on job.id = failed.job_id
where job.ended_at is not null and job.status in ('WARN', 'ERROR');
