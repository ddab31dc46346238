-- Jobs of one fair key start in the order of their priority. Fair keys still alternate.
alter table queue_jobs add column priority smallint not null default 0;
drop index queue_jobs_waiting;
create index queue_jobs_waiting on queue_jobs (kind, fair_key, priority desc, seq) where state = 'waiting';

-- Adds jobs within a transition of another package. `added` is an array of {kind, payload, runAfter, uniqueKey, fairKey, priority,
-- maxAttempts};
-- without `runAfter` a job can start at once. While a job with the same unique key waits, no other is added.
create or replace function enqueue_queue_jobs(added jsonb) returns void language sql as $$
  with job as (
    insert into queue_jobs (kind, payload, state, run_after, unique_key, fair_key, priority, max_attempts)
    select kind, payload, case when "runAfter" > now() then 'delayed' else 'waiting' end, coalesce("runAfter", now()),
      "uniqueKey", coalesce("fairKey", ''), coalesce(priority, 0), coalesce("maxAttempts", 5)
    from jsonb_to_recordset(added) as given (
      kind text, payload jsonb, "runAfter" timestamptz, "uniqueKey" text, "fairKey" text, priority smallint,
      "maxAttempts" integer)
    on conflict (unique_key) where state in ('delayed', 'waiting') do nothing
    returning queue_jobs.kind, queue_jobs.state
  )
  select pg_notify('queue_ready', kind) from (select distinct kind from job where state = 'waiting') as ready;
$$;

-- waiting → running, for up to `most` jobs of some kinds. The next job is one of the fair key with the fewest running jobs; of one
-- fair key that with the highest priority comes first, then the oldest. Of the jobs that share a serial key, only the oldest unfinished one can be claimed.
-- With `reserve`, the last job is one of a fair key of which the claimer runs no other job.
create or replace function claim_queue_jobs(
  claimer text, claimed_kinds text[], most integer, lease interval, reserve boolean
) returns table (
  id uuid, kind text, payload jsonb, attempt integer, failures integer, max_attempts integer, error text
) language plpgsql as $$
#variable_conflict use_column
begin
  -- Claims count what others have claimed, so they follow one another.
  perform pg_advisory_xact_lock(4817625);
  update queue_jobs set state = 'waiting' where state = 'delayed' and run_after <= now();
  return query
  with recursive keys as (
    select kinds.kind,
      (select min(job.fair_key) from queue_jobs job where job.state = 'waiting' and job.kind = kinds.kind) as fair_key
    from unnest(claimed_kinds) as kinds (kind)
    union all
    select keys.kind,
      (select min(job.fair_key) from queue_jobs job
       where job.state = 'waiting' and job.kind = keys.kind and job.fair_key > keys.fair_key)
    from keys where keys.fair_key is not null
  ),
  running as (
    select fair_key, count(*) as everywhere, count(*) filter (where worker = claimer) as here
    from queue_jobs where state = 'running' and kind = any(claimed_kinds) group by fair_key
  ),
  candidates as (
    select job.id, job.seq, coalesce(running.everywhere, 0) as everywhere, coalesce(running.here, 0) as here,
      row_number() over (partition by keys.fair_key order by job.priority desc, job.seq) as turn
    from keys
    cross join lateral (
      select own.id, own.seq, own.priority from queue_jobs own
      where own.state = 'waiting' and own.kind = keys.kind and own.fair_key = keys.fair_key
        and (own.serial_key is null or not exists (
          select from queue_jobs other
          where other.serial_key = own.serial_key and other.state in ('delayed', 'waiting', 'running')
            and (other.seq < own.seq or other.state = 'running')))
      order by own.priority desc, own.seq limit most
    ) as job
    left join running on running.fair_key = keys.fair_key
    where keys.fair_key is not null
  ),
  ordered as (
    select id, row_number() over (order by turn + everywhere, seq) as position, turn + here as held from candidates
  ),
  chosen as (
    select id from ordered where position <= most - reserve::integer
    union all
    (select id from ordered where reserve and position >= most and held = 1 order by position limit 1)
  ),
  claimed as (
    update queue_jobs job set state = 'running', worker = claimer, attempt = job.attempt + 1, lease_until = now() + lease,
      unique_key = null
    from chosen where job.id = chosen.id and job.state = 'waiting'
    returning job.id, job.kind, job.payload, job.attempt, job.failures, job.max_attempts, job.error, job.seq, job.priority
  )
  select claimed.id, claimed.kind, claimed.payload, claimed.attempt, claimed.failures, claimed.max_attempts, claimed.error
  from claimed order by claimed.priority desc, claimed.seq;
end $$;
