-- Versioned objects with a stable id and a name in a group: data preps, tasks, pipelines. The feature that owns a kind knows what
-- its contents mean.
create table items (
  id uuid primary key,
  -- Such as `pipeline`; never changes.
  kind text not null,
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  owner_id bigint not null references users (id),
  -- Number of the newest version.
  version integer not null,
  created_at timestamptz not null,
  -- When the newest version was saved.
  updated_at timestamptz not null,
  unique (group_id, kind, name)
);
create index items_name on items (kind, lower(name), id);
create index items_updated on items (kind, updated_at desc, id);

-- What every save wrote. Name and group are those of the item, whatever they were when a version was saved.
create table item_versions (
  item_id uuid not null references items (id) on delete cascade,
  version integer not null,
  -- The kind of the item, for the index below.
  kind text not null,
  content jsonb not null,
  -- What lists show and conditions compare, so that they do not read contents: these are stored out of line.
  summary jsonb storage main not null,
  saved_by bigint not null references users (id),
  saved_at timestamptz not null,
  primary key (item_id, version)
) with (toast_tuple_target = 256);
create index item_versions_saved on item_versions (kind, saved_at desc);
