create table demo (
  one boolean primary key default true check (one),
  state text not null check (state in ('loading', 'loaded', 'failed', 'removed'))
);
