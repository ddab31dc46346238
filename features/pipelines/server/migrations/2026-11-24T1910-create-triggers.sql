-- What starts the runs of a pipeline, besides users and tasks `cron-trigger`.
create table pipeline_triggers (
  id uuid primary key,
  pipeline_id uuid not null references items (id) on delete cascade,
  -- Order within the pipeline, from 1.
  position integer not null,
  -- Type of the trigger; None is a webhook.
  type text not null check (type in ('CRON', 'SCHEDULER', 'FILEARRIVAL', 'PIPELINE', 'RETRY', 'EMAIL', 'None')),
  name text not null,
  -- Fields of the type, with ids instead of names.
  definition jsonb not null,
  active boolean not null,
  -- Runs have the access of this user.
  owner_id bigint not null references users (id),
  set_at timestamptz not null,
  -- SHA-256 of the secret in the URL of a webhook.
  secret_hash text unique,
  -- Number of the signing key of a webhook; a renewed secret has another one.
  key_number integer not null default 1,
  -- The last event that started a run, and its job. Scheduled triggers have them in their schedule.
  last_at timestamptz,
  last_job_id uuid
);
create index pipeline_triggers_of_pipeline on pipeline_triggers (pipeline_id, position);
create index pipeline_triggers_of_files on pipeline_triggers ((definition -> 'groupId')) where type = 'FILEARRIVAL' and active;
create index pipeline_triggers_of_ends on pipeline_triggers ((definition ->> 'pipelineId')) where type = 'PIPELINE';
create trigger pipeline_triggers_schedule after delete on pipeline_triggers
for each row execute function delete_schedule('pipeline-trigger');

-- Events that start one run each. They are written in the transaction of the event.
create table pipeline_trigger_firings (
  id uuid primary key default gen_random_uuid(),
  trigger_id uuid not null references pipeline_triggers (id) on delete cascade,
  -- What happened, for example the id of a version of a file. A trigger fires once for each cause.
  cause text not null,
  -- Values for tasks, by key.
  run_values jsonb not null,
  -- Triggers whose runs led to the event, the earliest first.
  chain uuid[] not null,
  -- Number of this repetition of a failed run; 1 for other triggers.
  attempt integer not null default 1,
  occurred_at timestamptz not null,
  -- Job of the run, or of the report why it did not start; empty while it waits.
  job_id uuid,
  unique (trigger_id, cause)
);
create index pipeline_trigger_firings_of_job on pipeline_trigger_firings (job_id) where job_id is not null;
create index pipeline_trigger_firings_done on pipeline_trigger_firings (occurred_at) where job_id is not null;
create index pipeline_trigger_firings_waiting on pipeline_trigger_firings (trigger_id) where job_id is null;
