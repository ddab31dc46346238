-- running → done, for jobs of one worker. Returns the ids of those that the worker still held. Jobs are locked in the order of their ids, as every
-- change of several jobs does. The plan is the same for all calls.
create function complete_queue_jobs(by_worker text, ids uuid[], attempts integer[], results jsonb[]) returns uuid[]
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  done uuid[];
  kinds text[];
begin
  perform 1 from queue_jobs where id = any(ids) order by id for update;
  with ended as (
    update queue_jobs job set state = 'done', ended_at = now(), lease_until = null, error = null, result = held.result
    from unnest(ids, attempts, results) as held (id, attempt, result)
    where job.id = held.id and job.attempt = held.attempt and worker = by_worker and state = 'running'
    returning job.id, kind, serial_key
  )
  select array_agg(id), array_agg(distinct kind) filter (where serial_key is not null) into done, kinds from ended;
  if done is null then return '{}'; end if;
  perform pg_notify('queue_ended', array_to_string(done, ','));
  perform pg_notify('queue_ready', kind) from unnest(kinds) as kind;
  return done;
end $$;
