create sequence symbol_ids as bigint maxvalue 4294967295;

-- What can be searched by free text: every key and value, and the metadata, one to a line. Marked immutable because
-- jsonb_each_text depends on nothing but its argument.
create function symbol_search_text(keys jsonb, metadata jsonb) returns text
language sql immutable parallel safe
return lower(
  e'\n' || coalesce((select string_agg(key || '=' || value, e'\n') from jsonb_each_text(keys)), '')
  || e'\n' || coalesce((select string_agg(key || '=' || value, e'\n') from jsonb_each_text(metadata)), '') || e'\n'
);

create table symbols (
  id bigint primary key default nextval('symbol_ids'),
  group_id bigint not null references groups (id) on delete cascade,
  -- SHA-256 of the keys, so that values of any length can be unique within a group.
  digest bytea not null,
  keys jsonb not null,
  metadata jsonb not null default '{}',
  column_ids int[] not null default '{}',
  first_at timestamptz,
  last_at timestamptz,
  search_text text not null generated always as (symbol_search_text(keys, metadata)) stored,
  unique (group_id, digest)
) with (fillfactor = 85);
create index symbols_group on symbols (group_id, id);
create index symbols_search on symbols using gin (search_text gin_trgm_ops);
create index symbols_columns on symbols using gin (column_ids);

create sequence value_column_ids as int;
create table value_columns (
  id int primary key default nextval('value_column_ids'),
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  type text not null check (type in ('double', 'integer', 'string', 'date')),
  unique (group_id, name)
);

create table metadata_columns (
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  type text not null check (type in ('double', 'integer', 'string', 'date')),
  primary key (group_id, name)
);

-- The ledger: which version of the series engine belongs to which file.
create table ingests (
  file_id uuid primary key,
  group_id bigint not null references groups (id) on delete cascade,
  -- Commit time in UTC microseconds; the name of the version in the series engine.
  version bigint not null,
  row_count bigint not null,
  symbol_ids bigint[] not null,
  state text not null default 'published' check (state in ('published', 'removing')),
  committed_at timestamptz not null default now(),
  unique (group_id, version)
);

-- Symbols of files that are being ingested; they become symbols when the whole file does.
create unlogged table ingest_symbols (
  file_id uuid not null,
  id bigint not null,
  digest bytea not null,
  keys jsonb not null,
  metadata jsonb not null default '{}',
  is_new boolean not null,
  primary key (file_id, id)
);
