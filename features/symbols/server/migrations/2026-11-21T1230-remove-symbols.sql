-- Symbols that were removed by hand: by whom and when, and whether the store of series still has points of theirs. Their ids
-- are never used again, so that a symbol that is uploaded anew begins empty.
create table removed_symbols (
  id bigint primary key,
  group_id bigint not null references groups (id) on delete cascade,
  keys jsonb not null,
  removed_by bigint not null,
  removed_at timestamptz not null,
  is_gone boolean not null default false
);
create index removed_symbols_waiting on removed_symbols (group_id) where not is_gone;

-- So that what was noted for files of a group can go with the group.
alter table ingest_symbols add column group_id bigint;
