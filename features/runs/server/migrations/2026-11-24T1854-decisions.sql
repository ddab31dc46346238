-- Decisions of users about paused steps.
create table run_decisions (
  run_id uuid not null,
  number integer not null,
  decided_at timestamptz not null,
  approved boolean not null,
  user_id bigint references users (id) on delete set null,
  -- Time that the client named; the server keeps its own.
  approve_time text,
  primary key (run_id, number, decided_at),
  foreign key (run_id, number) references run_steps (run_id, number) on delete cascade
);

-- Approves or declines the paused steps of a run, or only those in `numbers`. An approved step starts; a declined one ends with ERROR.
-- Returns false if none of them is paused.
create function decide_run_steps(
  decided uuid, numbers integer[], is_approved boolean, decider bigint, client_time text, reason text, at timestamptz
) returns boolean language plpgsql as $$
declare
  steps integer[];
  step integer;
begin
  perform 1 from runs where id = decided and state <> 'ended' for update;
  if not found then return false; end if;
  steps := array(select number from run_steps where run_id = decided and state = 'paused' and (numbers is null or number = any(numbers))
    order by number);
  if cardinality(steps) = 0 then return false; end if;
  insert into run_decisions (run_id, number, decided_at, approved, user_id, approve_time)
  select decided, unnest(steps), at, is_approved, decider, client_time;
  if is_approved then return continue_run(decided, steps, at); end if;
  foreach step in array steps loop
    -- Another declined step may have ended the run.
    update run_steps set state = 'running', attempt = attempt + 1 where run_id = decided and number = step and state = 'paused';
    perform end_run_step(jsonb_build_object('runId', decided, 'number', step, 'outcome', 'ERROR', 'message', reason, 'values', '{}'::jsonb,
      'attempt', (select attempt from run_steps where run_id = decided and number = step)), at);
  end loop;
  return true;
end $$;
