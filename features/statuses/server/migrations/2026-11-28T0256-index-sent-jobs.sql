-- Counts the jobs that statuses of a user have started.
create index jobs_sent on jobs (owner_id, started_at) where type = 'PIPELINE' and follows_components;
