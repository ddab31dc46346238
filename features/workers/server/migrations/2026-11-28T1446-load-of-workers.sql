-- Which jobs a process runs, and whether an administrator lets it take no new ones.
-- Text before the names of its job queues, which `queue_jobs.worker` contains.
alter table workers add column queue_owner text not null default '';
-- Capacity by kind of work: [{kind, slots}]. Empty for a server that leaves all jobs to workers.
alter table workers add column slots jsonb not null default '[]';
alter table workers add column drain_requested boolean not null default false;
