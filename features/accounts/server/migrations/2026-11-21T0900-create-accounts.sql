create table companies (
  id bigint generated always as identity primary key,
  name text not null,
  auth_type text not null default 'ALL' check (auth_type in ('ALL', 'BASIC', 'SSO')),
  tags text[] not null default '{}',
  created_at timestamptz not null default now()
);
create unique index companies_name on companies (lower(name));

create table roles (
  id bigint generated always as identity primary key,
  name text not null,
  description text not null default '',
  holds_everything boolean not null default false
);
create unique index roles_name on roles (lower(name));

create table role_entitlements (
  role_id bigint not null references roles (id) on delete cascade,
  parent text not null default '',
  resource text not null,
  mode text not null check (mode in ('R', 'RW', 'RWS')),
  primary key (role_id, parent, resource)
);

create table users (
  id bigint generated always as identity primary key,
  sub uuid not null unique default gen_random_uuid(),
  user_name text not null unique,
  company_id bigint not null references companies (id),
  status text not null default 'PENDING' check (status in ('PENDING', 'ACTIVE', 'INACTIVE')),
  auth_type text not null default 'ALL' check (auth_type in ('ALL', 'BASIC', 'SSO')),
  password_hash text,
  template_name text,
  last_logged_at timestamptz,
  created_at timestamptz not null default now()
);
create index users_company on users (company_id);

create table user_roles (
  user_id bigint not null references users (id) on delete cascade,
  role_id bigint not null references roles (id) on delete cascade,
  primary key (user_id, role_id)
);
create index user_roles_role on user_roles (role_id);

create table user_settings (
  user_id bigint primary key references users (id) on delete cascade,
  settings jsonb not null default '{}'
);

-- A session is the family of all refresh tokens that descend from one sign-in.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_user on sessions (user_id);
create index sessions_expires on sessions (expires_at);

create table refresh_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);
create index refresh_tokens_expires on refresh_tokens (expires_at);

create table one_time_tokens (
  hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('reset', 'activation')),
  expires_at timestamptz not null
);
create index one_time_tokens_user on one_time_tokens (user_id, purpose);

create table api_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  label text not null,
  hash bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index api_keys_user on api_keys (user_id);

create table throttles (
  key text primary key,
  attempts integer not null,
  blocked_until timestamptz,
  last_attempt_at timestamptz not null
);
create index throttles_last_attempt on throttles (last_attempt_at);

-- Addresses a user has proven to own the account from; attempts of others from elsewhere do not slow these down.
create table known_addresses (
  user_id bigint not null references users (id) on delete cascade,
  address text not null,
  last_seen_at timestamptz not null,
  primary key (user_id, address)
);
create index known_addresses_last_seen on known_addresses (last_seen_at);

insert into companies (name) values ('Default');

insert into roles (name, description, holds_everything) values
  ('Administrator', 'Everything, including users, roles, companies and every object.', true),
  ('Analyst', 'Uploads and shares files, queries storage, builds insights.', false),
  ('Report author', 'Builds insights and reports from data that others bring.', false),
  ('Pipeline builder', 'Builds, runs and monitors pipelines and tasks; uploads and shares files.', false),
  ('Viewer', 'Looks at insights and files; changes nothing.', false);

insert into role_entitlements (role_id, parent, resource, mode)
select roles.id, given.parent, given.resource, given.mode
from roles
join (values
  ('Analyst', '', 'Lake', 'R'),
  ('Analyst', 'Lake', 'Groups', 'RWS'),
  ('Analyst', 'Lake', 'Files', 'RWS'),
  ('Analyst', 'Lake', 'DataProviders', 'R'),
  ('Analyst', '', 'Storage', 'R'),
  ('Analyst', 'Storage', 'Data', 'RW'),
  ('Analyst', 'Storage', 'DataPreps', 'RW'),
  ('Analyst', '', 'Insight', 'R'),
  ('Analyst', 'Insight', 'Visualisations', 'RW'),
  ('Analyst', 'Insight', 'Workflows', 'RW'),
  ('Analyst', 'Insight', 'PublicView', 'RW'),
  ('Analyst', '', 'AITools', 'R'),
  ('Analyst', '', 'Excel', 'R'),
  ('Analyst', '', 'Templates', 'R'),
  ('Analyst', '', 'MyAccount', 'R'),
  ('Analyst', '', 'Statuses', 'R'),
  ('Analyst', '', 'Search', 'R'),
  ('Report author', '', 'Lake', 'R'),
  ('Report author', 'Lake', 'Groups', 'R'),
  ('Report author', 'Lake', 'Files', 'RW'),
  ('Report author', 'Lake', 'DataProviders', 'R'),
  ('Report author', '', 'Storage', 'R'),
  ('Report author', 'Storage', 'Data', 'R'),
  ('Report author', 'Storage', 'DataPreps', 'R'),
  ('Report author', '', 'Insight', 'R'),
  ('Report author', 'Insight', 'Visualisations', 'RW'),
  ('Report author', 'Insight', 'Workflows', 'RW'),
  ('Report author', 'Insight', 'PublicView', 'RW'),
  ('Report author', '', 'AITools', 'R'),
  ('Report author', '', 'Excel', 'R'),
  ('Report author', '', 'Templates', 'R'),
  ('Report author', '', 'MyAccount', 'R'),
  ('Report author', '', 'Search', 'R'),
  ('Pipeline builder', '', 'Lake', 'R'),
  ('Pipeline builder', 'Lake', 'Groups', 'RWS'),
  ('Pipeline builder', 'Lake', 'Files', 'RWS'),
  ('Pipeline builder', 'Lake', 'DataProviders', 'R'),
  ('Pipeline builder', '', 'Science', 'R'),
  ('Pipeline builder', 'Science', 'Creator', 'RWS'),
  ('Pipeline builder', 'Science', 'Monitor', 'R'),
  ('Pipeline builder', 'Science', 'Pipeline', 'R'),
  ('Pipeline builder', 'Science', 'Task', 'RW'),
  ('Pipeline builder', '', 'Storage', 'R'),
  ('Pipeline builder', 'Storage', 'Data', 'RW'),
  ('Pipeline builder', 'Storage', 'DataPreps', 'RW'),
  ('Pipeline builder', '', 'Insight', 'R'),
  ('Pipeline builder', 'Insight', 'Visualisations', 'R'),
  ('Pipeline builder', '', 'Templates', 'R'),
  ('Pipeline builder', '', 'MyAccount', 'R'),
  ('Pipeline builder', '', 'Statuses', 'R'),
  ('Pipeline builder', '', 'Search', 'R'),
  ('Viewer', '', 'Lake', 'R'),
  ('Viewer', 'Lake', 'Groups', 'R'),
  ('Viewer', 'Lake', 'Files', 'R'),
  ('Viewer', '', 'Insight', 'R'),
  ('Viewer', 'Insight', 'Visualisations', 'R'),
  ('Viewer', '', 'MyAccount', 'R'),
  ('Viewer', '', 'Search', 'R')
) as given (role, parent, resource, mode) on given.role = roles.name;
