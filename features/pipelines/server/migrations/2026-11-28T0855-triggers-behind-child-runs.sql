-- A run that a loop or another pipeline started continues the chain of triggers of that run. Otherwise a pipeline that is started by the end
-- of its own child runs would start for ever.
create or replace function fire_on_run_end() returns trigger language plpgsql as $$
declare
  jobs jsonb;
begin
  with earlier as (
    select trigger_id, run_values, attempt from pipeline_trigger_firings where job_id = new.id limit 1
  ),
  origin as (
    select chain || trigger_id as chain from pipeline_trigger_firings where job_id = root_of_run(new.id) limit 1
  ),
  matching as (
    select own.id, own.type, own.definition, own.owner_id, origin.chain,
      case when own.type = 'RETRY' and earlier.trigger_id = own.id then earlier.attempt + 1 else 1 end as attempt,
      case when own.type = 'RETRY' then coalesce(earlier.run_values, '{}') else '{}' end as run_values
    from pipeline_triggers own left join earlier on true left join origin on true
    where own.active and own.definition -> 'statuses' ? new.outcome and (
      own.type = 'PIPELINE' and own.definition ->> 'pipelineId' = new.pipeline_id::text
      -- Only the trigger that started a repetition repeats it again.
      or own.type = 'RETRY' and own.pipeline_id = new.pipeline_id and not new.stop_requested
        and (new.trigger <> 'RETRY' or earlier.trigger_id = own.id))
    -- A pipeline that is being deleted takes its triggers with it.
    for key share of own
  ),
  added as (
    insert into pipeline_trigger_firings (trigger_id, cause, run_values, chain, attempt, occurred_at)
    select id, 'run ' || new.id, run_values || jsonb_build_object('jobId', new.id, 'status', new.outcome, 'pipelineId', new.pipeline_id,
      'pipelineName', new.name, 'attempt', attempt::text), coalesce(chain, '{}'), attempt, new.ended_at
    from matching where type <> 'RETRY' or attempt <= (definition ->> 'attempts')::integer
    on conflict (trigger_id, cause) do nothing
    returning id, trigger_id, attempt
  )
  select jsonb_agg(jsonb_build_object(
    'kind', 'fire-pipeline-trigger', 'payload', jsonb_build_object('firingId', added.id),
    'uniqueKey', 'fire-pipeline-trigger ' || added.id, 'fairKey', matching.owner_id::text,
    -- Repetitions of many failed runs do not start all at once.
    'runAfter', case when matching.type = 'RETRY' then now() + interval '1 second' * (0.9 + 0.2 * random())
      * least(86400, (matching.definition ->> 'delaySeconds')::numeric * (matching.definition ->> 'backoff')::numeric ^ (added.attempt - 1)) end))
  into jobs from added join matching on matching.id = added.trigger_id;
  if jobs is not null then perform enqueue_queue_jobs(jobs); end if;
  return null;
end $$;
