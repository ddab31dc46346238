-- Data of an insight besides its file. A row is created when needed, renamed with the file and deleted with its last version.
create table insights (
  id bigint generated always as identity primary key,
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  unique (group_id, name)
);

create table insight_shares (
  insight_id bigint not null references insights (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  shared_by bigint not null references users (id) on delete cascade,
  shared_at timestamptz not null,
  primary key (insight_id, user_id)
);
create index insight_shares_user on insight_shares (user_id);

-- Grants on groups that belong to a share and are deleted with it; without earlier grants of the user.
create table insight_grants (
  insight_id bigint not null,
  user_id bigint not null,
  group_id bigint not null references groups (id) on delete cascade,
  access text not null check (access in ('R', 'RW', 'RWS')),
  primary key (insight_id, user_id, group_id),
  foreign key (insight_id, user_id) references insight_shares (insight_id, user_id) on delete cascade
);
create index insight_grants_held on insight_grants (group_id, user_id);

create table insight_publications (
  insight_id bigint primary key references insights (id) on delete cascade,
  -- User whose access applies to visitors. Deleting the user ends the public view.
  publisher_id bigint not null references users (id) on delete cascade,
  -- Random. A new key ends all earlier links and tokens.
  signing_key text not null,
  published_at timestamptz not null,
  expires_at timestamptz
);

-- Submitted forms of visitors of a public view.
create table insight_visitors (
  id bigint generated always as identity primary key,
  insight_id bigint not null references insights (id) on delete cascade,
  company text not null,
  email text not null,
  full_name text not null,
  discount_code text not null,
  submitted_at timestamptz not null
);
create index insight_visitors_insight on insight_visitors (insight_id, submitted_at desc);

create table insight_exports (
  insight_id bigint primary key references insights (id) on delete cascade,
  pipeline jsonb not null,
  details jsonb not null,
  changed_by bigint not null references users (id) on delete cascade,
  changed_at timestamptz not null
);
