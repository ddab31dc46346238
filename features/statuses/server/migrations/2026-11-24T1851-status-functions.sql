-- Statuses as part of a transition of another feature, in one statement of it.

-- Starts a job. `started` has the fields id, type, name, groupId, groupName, ownerId, status, message, payload, types, tags, version, rootId.
create function start_job(started jsonb, at timestamptz) returns void language sql as $$
  insert into jobs (id, type, name, group_id, group_name, owner_id, status, latest_status, latest_message, payload, types, tags,
    version, root_id, follows_components, started_at)
  select id, type, name, "groupId", coalesce("groupName", ''), "ownerId", status, status, coalesce(message, ''),
    coalesce(payload, '{}'), types, coalesce(tags, '{}'), version, "rootId", false, at
  from jsonb_to_record(started) as job (id uuid, type text, name text, "groupId" bigint, "groupName" text, "ownerId" bigint,
    status text, message text, payload jsonb, types text[], tags text[], version integer, "rootId" text);
  insert into newest_jobs (type, scope, name, job_id)
  select type, case when "groupId" is null then 'user ' || "ownerId" else 'group ' || "groupId" end, name, id
  from jsonb_to_record(started) as job (id uuid, type text, name text, "groupId" bigint, "ownerId" bigint)
  on conflict (type, scope, name) do update set job_id = excluded.job_id;
$$;

-- Adds components to a job. `added` is an array of {eId, prevEId, component, status, message, payload}.
create function add_job_components(job uuid, added jsonb, at timestamptz) returns void language sql as $$
  insert into job_components (job_id, e_id, prev_e_id, component, status, message, payload, started_at, ended_at)
  select job, "eId", "prevEId", component, status, coalesce(message, ''), coalesce(payload, '{}'), at,
    case when status in ('COMPLETED', 'INFO', 'WARN', 'ERROR') then at end
  from jsonb_to_recordset(added) as given (
    "eId" text, "prevEId" text, component text, status text, message text, payload jsonb);
$$;

-- Changes the status of a component, and the latest status of its job. Without a message the component keeps its own.
create function set_component_status(job uuid, component_e_id text, new_status text, new_message text, at timestamptz)
returns void language sql as $$
  with component as (
    update job_components set status = new_status, message = coalesce(new_message, message),
      started_at = case when new_status not in ('UNEXECUTED', 'PENDING', 'PAUSED') and status in ('UNEXECUTED', 'PENDING') then at else started_at end,
      ended_at = case when new_status in ('COMPLETED', 'INFO', 'WARN', 'ERROR', 'UNEXECUTED') then at end
    where job_id = job and e_id = component_e_id
    returning message, component
  )
  update jobs set latest_status = new_status, latest_message = component.message, latest_component = component.component
  from component where id = job;
$$;

-- Changes the status of a job. A job ends with COMPLETED, INFO, WARN, ERROR or UNEXECUTED.
create function set_job_status(job uuid, new_status text, new_message text, at timestamptz) returns void language sql as $$
  update jobs set status = new_status, latest_status = new_status, latest_message = coalesce(new_message, ''), latest_component = '',
    ended_at = case when new_status in ('COMPLETED', 'INFO', 'WARN', 'ERROR', 'UNEXECUTED') then at end
  where id = job;
$$;

-- Latest messages of components, for transitions of other features.
create view job_component_messages as select job_id, e_id, message from job_components;
