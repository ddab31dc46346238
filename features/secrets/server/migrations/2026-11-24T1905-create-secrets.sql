-- Secrets of groups and users.
create table secrets (
  id bigint generated always as identity primary key,
  -- The owner: a group or a user.
  group_id bigint references groups (id) on delete cascade,
  user_id bigint references users (id) on delete cascade,
  name text not null,
  -- Encrypted with a key of the installation, for this owner and name.
  value text not null,
  saved_by bigint not null references users (id),
  saved_at timestamptz not null,
  check ((group_id is null) <> (user_id is null))
);
create unique index secrets_of_group on secrets (group_id, name) where group_id is not null;
create unique index secrets_of_user on secrets (user_id, name) where user_id is not null;
