-- What happens to missed occurrences; empty for the default of the kind.
alter table schedules add column missed_runs text check (missed_runs in ('once', 'skip', 'all'));

-- For lists of other features: the next and the last run of each schedule. The next one may be due already.
create or replace view schedule_moments as
select kind, target_id, triggers, active, coalesce(due_at, next_at) as next_at, last_at, last_job_id from schedules;
