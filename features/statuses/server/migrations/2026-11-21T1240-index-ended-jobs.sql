-- The purge goes through the jobs that ended first.
create index jobs_ended on jobs (ended_at) where ended_at is not null;
