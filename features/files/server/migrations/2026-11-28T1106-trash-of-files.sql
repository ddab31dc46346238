-- Deleted versions of files that can be restored. They have the state `deleted`, and `ingesting` while their series are being restored; their
-- contents stay stored and count as stored bytes of their owners.
alter table files
  add column deleted_at timestamptz,
  add column deleted_by bigint references users (id) on delete set null,
  drop constraint files_state_check,
  add constraint files_state_check
    check (state in ('awaiting', 'ingesting', 'ready', 'rejected', 'duplicate', 'repeated', 'deleted')),
  add constraint files_deleted_check
    check (case state when 'deleted' then deleted_at is not null when 'ingesting' then true else deleted_at is null end);
create index files_deleted on files (deleted_at) where deleted_at is not null;
create index files_deleted_group on files (group_id, deleted_at) where deleted_at is not null;
