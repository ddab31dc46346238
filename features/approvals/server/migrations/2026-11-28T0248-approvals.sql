-- Tasks that wait for the decision of approvers. A decision is made once.
create table approvals (
  run_id uuid not null references runs (id) on delete cascade,
  number integer not null,
  e_id uuid not null,
  message text not null,
  -- Number of approvals that the task needs. One refusal is enough to decline it.
  required integer not null,
  requested_at timestamptz not null,
  deadline timestamptz,
  approves_at_deadline boolean not null default false,
  -- Empty until the decision.
  is_approved boolean,
  primary key (run_id, number)
);

-- Approvers by address. The token of the mailed link is stored as a hash only.
create table approval_requests (
  run_id uuid not null,
  number integer not null,
  address text not null,
  token_hash text unique,
  sent_at timestamptz,
  decided_at timestamptz,
  is_approved boolean,
  -- Time that the client named; the server keeps its own.
  approve_time text,
  primary key (run_id, number, address),
  foreign key (run_id, number) references approvals (run_id, number) on delete cascade
);

-- Requests the decision in the transaction that pauses the run.
create function request_approval() returns trigger language plpgsql as $$
begin
  perform enqueue_queue_jobs(jsonb_build_array(jsonb_build_object('kind', 'request-approval',
    'payload', jsonb_build_object('runId', new.run_id, 'number', new.number),
    'uniqueKey', format('request-approval %s/%s', new.run_id, new.number), 'fairKey', new.run_id::text)));
  return null;
end $$;
create trigger run_steps_request_approval after update of state on run_steps for each row
  when (new.state = 'paused' and old.state <> 'paused' and new.task ->> 'definitionName' = 'approval')
  execute function request_approval();
