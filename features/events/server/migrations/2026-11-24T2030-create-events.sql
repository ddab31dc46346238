-- Changes of jobs, for the event streams of all servers. A cursor is a snapshot of PostgreSQL: what it does not see is new. So an event
-- whose transaction commits late is not missed, and a stream continues on any server.
create table events (
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  job_id uuid not null,
  owner_id bigint not null,
  group_id bigint,
  created_at timestamptz not null default now()
);
create index events_xid on events (xid);
create index events_created on events (created_at);

-- Adds an event in the transaction of the change.
create function add_event(type text, job uuid, owner bigint, of_group bigint) returns void language sql as $$
  insert into events (type, job_id, owner_id, group_id) values (type, job, owner, of_group);
$$;
