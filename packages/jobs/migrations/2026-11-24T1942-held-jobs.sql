-- Whether a worker holds a job: it runs it, and its lease has not expired.
create function is_queue_job_held(job uuid) returns boolean language sql stable as $$
  select exists (select from queue_jobs where id = job and state = 'running' and lease_until > now());
$$;
