-- Hosts that the scripts of a task can reach. A task without a row has no network.
create table task_hosts (
  task_id uuid primary key references items (id) on delete cascade,
  hosts text[] not null,
  saved_by bigint not null references users (id),
  saved_at timestamptz not null
);
