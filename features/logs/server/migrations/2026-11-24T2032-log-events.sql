create function notify_of_logs() returns trigger language plpgsql as $$
begin
  perform add_log_event(new.job_id);
  return null;
end $$;
create trigger log_chunks_added after insert on log_chunks for each row execute function notify_of_logs();
