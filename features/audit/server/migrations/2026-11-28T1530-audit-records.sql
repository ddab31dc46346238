-- Requests that changed data, or were refused. Users and objects can be deleted; their records stay.
create table audit_records (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Null: without credentials.
  user_id bigint,
  user_name text,
  run_id text,
  route text not null,
  method text not null,
  path text not null,
  object jsonb not null,
  status smallint not null,
  address text not null
);
create index audit_records_user on audit_records (user_name, id);
create index audit_records_route on audit_records (route, id);
create index audit_records_at on audit_records (at);

-- Append-only: a record is neither changed nor deleted, except by the retention, which sets a parameter of its transaction.
create function protect_audit_records() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('headwater.audit_retention', true) = 'on' then
    return old;
  end if;
  raise exception 'Records of the audit log cannot be changed or deleted.';
end $$;
create trigger protect_audit_records before update or delete on audit_records
  for each row execute function protect_audit_records();
create function keep_audit_records() returns trigger language plpgsql as $$
begin
  raise exception 'Records of the audit log cannot be changed or deleted.';
end $$;
create trigger keep_audit_records before truncate on audit_records
  for each statement execute function keep_audit_records();
