-- Data preps move to the feature `items`.
-- A server that still runs the old code finishes what it is writing; what it starts later fails and is not lost.
lock table data_preps, data_prep_versions, data_prep_runs in access exclusive mode;
insert into items (id, kind, group_id, name, owner_id, version, created_at, updated_at)
select id, 'data-prep', group_id, name, owner_id, version, created_at, updated_at from data_preps;
insert into item_versions (item_id, version, kind, content, summary, saved_by, saved_at)
select data_prep_id, version, 'data-prep', definition,
  jsonb_build_object('symbolCount', symbol_count, 'range', jsonb_build_object(
    'range', definition -> 'range', 'lastType', definition -> 'lastType', 'lastTypeAmount', definition -> 'lastTypeAmount',
    'dateFrom', definition -> 'dateFrom', 'dateTo', definition -> 'dateTo')),
  saved_by, saved_at
from data_prep_versions;

alter table data_prep_runs drop constraint data_prep_runs_data_prep_id_fkey;
alter table data_prep_runs add foreign key (data_prep_id) references items (id) on delete cascade;
create trigger items_data_prep_schedule after delete on items
for each row when (old.kind = 'data-prep') execute function delete_schedule('data-prep');
drop table data_prep_versions;
drop table data_preps;
