-- Adds jobs within a transition of another package. `added` is an array of {kind, payload, runAfter, uniqueKey, fairKey, maxAttempts};
-- without `runAfter` a job can start at once. While a job with the same unique key waits, no other is added.
create function enqueue_queue_jobs(added jsonb) returns void language sql as $$
  with job as (
    insert into queue_jobs (kind, payload, state, run_after, unique_key, fair_key, max_attempts)
    select kind, payload, case when "runAfter" > now() then 'delayed' else 'waiting' end, coalesce("runAfter", now()),
      "uniqueKey", coalesce("fairKey", ''), coalesce("maxAttempts", 5)
    from jsonb_to_recordset(added) as given (
      kind text, payload jsonb, "runAfter" timestamptz, "uniqueKey" text, "fairKey" text, "maxAttempts" integer)
    on conflict (unique_key) where state in ('delayed', 'waiting') do nothing
    returning queue_jobs.kind, queue_jobs.state
  )
  select pg_notify('queue_ready', kind) from (select distinct kind from job where state = 'waiting') as ready;
$$;
