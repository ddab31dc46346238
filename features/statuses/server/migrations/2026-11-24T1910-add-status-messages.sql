-- Messages that scripts send. They never change a step of a run, so they have their own table.
create table status_messages (
  job_id uuid not null,
  number integer not null,
  e_id text not null,
  status text not null,
  message text not null,
  sent_at timestamptz not null,
  primary key (job_id, number),
  foreign key (job_id, e_id) references job_components (job_id, e_id) on delete cascade
);
create index status_messages_step on status_messages (job_id, e_id, number);
-- The newest warnings of a job.
create index status_messages_warnings on status_messages (job_id, number) where status = 'WARN';

-- Counters of the messages, including those over the limits. A component with `is_sent` was added by a script.
alter table jobs
  add column warn_count integer not null default 0,
  add column error_count integer not null default 0;
alter table job_components
  add column is_sent boolean not null default false,
  add column message_count integer not null default 0,
  add column warn_count integer not null default 0,
  add column error_count integer not null default 0;
