-- Jobs that may not start yet leave the index of waiting jobs, and each user's jobs can be found without reading those of others.
alter table queue_jobs drop constraint queue_jobs_state_check;
alter table queue_jobs add constraint queue_jobs_state_check
  check (state in ('delayed', 'waiting', 'running', 'done', 'failed'));
alter table queue_jobs add column fair_key text not null default '';
update queue_jobs set state = 'delayed' where state = 'waiting' and run_after > now();

drop index queue_jobs_unique;
create unique index queue_jobs_unique on queue_jobs (unique_key) where state in ('delayed', 'waiting');
drop index queue_jobs_serial;
create index queue_jobs_serial on queue_jobs (serial_key, seq) where state in ('delayed', 'waiting', 'running');
drop index queue_jobs_waiting;
create index queue_jobs_waiting on queue_jobs (kind, fair_key, seq) where state = 'waiting';
create index queue_jobs_delayed on queue_jobs (run_after) where state = 'delayed';

-- waiting → running, for up to `most` jobs of some kinds. The next job is one of the fair key with the fewest running jobs; of one
-- fair key the oldest comes first. Of the jobs that share a serial key, only the oldest unfinished one can be claimed.
-- With `reserve`, the last job is one of a fair key of which the claimer runs no other job.
create function claim_queue_jobs(
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
      row_number() over (partition by keys.fair_key order by job.seq) as turn
    from keys
    cross join lateral (
      select own.id, own.seq from queue_jobs own
      where own.state = 'waiting' and own.kind = keys.kind and own.fair_key = keys.fair_key
        and (own.serial_key is null or not exists (
          select from queue_jobs other
          where other.serial_key = own.serial_key and other.state in ('delayed', 'waiting', 'running')
            and (other.seq < own.seq or other.state = 'running')))
      order by own.seq limit most
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
    returning job.id, job.kind, job.payload, job.attempt, job.failures, job.max_attempts, job.error, job.seq
  )
  select claimed.id, claimed.kind, claimed.payload, claimed.attempt, claimed.failures, claimed.max_attempts, claimed.error
  from claimed order by claimed.seq;
end $$;
