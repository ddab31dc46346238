-- For lists of other features: also the user whose access the runs use.
create or replace view schedule_moments as
select kind, target_id, triggers, active, coalesce(due_at, next_at) as next_at, last_at, last_job_id, set_by from schedules;
