create extension if not exists pg_trgm;

create table groups (
  id bigint generated always as identity primary key,
  name text not null unique,
  description text not null default '',
  fields jsonb not null default '[]',
  owner_id bigint not null references users (id),
  home_of bigint unique references users (id),
  created_at timestamptz not null default now()
);
create index groups_owner on groups (owner_id);
create index groups_search on groups using gin (
  (lower(name) || ' ' || lower(description) || ' ' || lower(fields::text)) gin_trgm_ops
);

create table group_grants (
  group_id bigint not null references groups (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  access text not null check (access in ('R', 'RW', 'RS', 'RWS')),
  primary key (group_id, user_id)
);
create index group_grants_user on group_grants (user_id);

create table group_tags (
  id bigint generated always as identity primary key,
  name text not null
);
create unique index group_tags_name on group_tags (lower(name));

create table group_tag_links (
  group_id bigint not null references groups (id) on delete cascade,
  tag_id bigint not null references group_tags (id) on delete cascade,
  primary key (group_id, tag_id)
);
