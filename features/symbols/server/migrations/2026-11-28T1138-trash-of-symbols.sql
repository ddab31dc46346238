-- Removed symbols that can be restored: their points stay in the series store under their ids, which no query names.
alter table removed_symbols
  -- Whether the symbol can be restored; its points then stay stored.
  add column is_restorable boolean not null default false,
  -- How often it was removed or restored; pages of a result end with each of them.
  add column changes integer not null default 1,
  add column digest bytea,
  add column metadata jsonb,
  add column column_ids int[],
  -- The row of `formulas` of a formula.
  add column formula jsonb,
  -- The files that named it.
  add column file_ids uuid[];
create index removed_symbols_restorable on removed_symbols (removed_at) where is_restorable;
create index removed_symbols_restorable_group on removed_symbols (group_id, removed_at) where is_restorable;
drop index removed_symbols_waiting;
create index removed_symbols_waiting on removed_symbols (group_id) where not is_gone and not is_restorable;
