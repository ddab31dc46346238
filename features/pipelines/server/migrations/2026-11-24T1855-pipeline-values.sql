-- Values that scripts store under names of their own. They outlive the run; values under a reference belong to their run.
create table pipeline_values (
  pipeline_id uuid not null references items (id) on delete cascade,
  key text not null,
  value text not null,
  stored_at timestamptz not null,
  primary key (pipeline_id, key)
);
