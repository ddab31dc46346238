-- Changes the statuses of several components of a job that have ended. `ends` is an array of {eId, status, message, startedAt, endedAt}. The
-- caller changes the job in the same transaction.
create function end_job_components(job uuid, ends jsonb) returns void language sql as $$
  update job_components component set status = step_end.status, message = step_end.message, ended_at = step_end."endedAt",
    started_at = case when component.status in ('UNEXECUTED', 'PENDING') then step_end."startedAt" else component.started_at end
  from jsonb_to_recordset(ends) as step_end ("eId" text, status text, message text, "startedAt" timestamptz, "endedAt" timestamptz)
  where component.job_id = job and component.e_id = step_end."eId";
$$;
