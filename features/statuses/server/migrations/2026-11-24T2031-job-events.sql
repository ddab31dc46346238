-- Every change of a job or its components changes the row of the job.
create function notify_of_jobs() returns trigger language plpgsql as $$
begin
  perform add_event('status', id, owner_id, group_id) from changed;
  return null;
end $$;
create trigger jobs_added after insert on jobs referencing new table as changed
  for each statement execute function notify_of_jobs();
create trigger jobs_changed after update on jobs referencing new table as changed
  for each statement execute function notify_of_jobs();

-- Reports new lines in the log of a job, in the transaction of the lines.
create function add_log_event(job uuid) returns void language sql as $$
  select add_event('log', id, owner_id, group_id) from jobs where id = job;
$$;
