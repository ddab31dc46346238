-- Names of the keys of the symbols of a group, so that nobody has to read all symbols to know them.
create table symbol_keys (
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  primary key (group_id, name)
);
insert into symbol_keys (group_id, name)
select distinct symbols.group_id, found.key from symbols cross join lateral jsonb_object_keys(keys) as found (key);
