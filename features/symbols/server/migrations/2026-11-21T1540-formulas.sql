-- Symbols whose values are computed from other series when they are asked for.
alter table symbols add column is_formula boolean not null default false;
create index symbols_formulas on symbols (group_id) where is_formula;

create table formulas (
  symbol_id bigint primary key references symbols (id) on delete cascade,
  expression text not null,
  join_mode text not null check (join_mode in ('INNER', 'OUTER', 'PREVIOUS')),
  -- Objects of name, groupId, digest (hex), keys and column. By their keys and not by their ids, so that a symbol that was removed
  -- and uploaded again is an input again.
  inputs jsonb not null,
  -- How often it was changed; pages of an answer tell by it.
  revision int not null default 0,
  saved_by bigint not null,
  saved_at timestamptz not null
);
create index formulas_inputs on formulas using gin (inputs jsonb_path_ops);
