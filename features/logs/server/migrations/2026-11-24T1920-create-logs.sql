-- The log of a job. Its row is locked while lines are added, so line numbers have no gaps and readers never miss a line.
create table job_logs (
  job_id uuid primary key references jobs (id) on delete cascade,
  line_count integer not null default 0,
  byte_count bigint not null default 0,
  is_limited boolean not null default false
);

-- Consecutive lines of one step. The numbers of lines by level let pages with a level skip chunks without reading them.
create table log_chunks (
  job_id uuid not null references job_logs (job_id) on delete cascade,
  first_line integer not null,
  line_count integer not null,
  e_id text not null,
  component text not null,
  debug_count integer not null,
  info_count integer not null,
  warn_count integer not null,
  error_count integer not null,
  body bytea not null,
  primary key (job_id, first_line)
);
-- The body is compressed already.
alter table log_chunks alter column body set storage external;
