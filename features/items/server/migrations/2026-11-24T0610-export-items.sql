-- For SQL of other features.
create view item_names as select id, kind, group_id, name from items;
