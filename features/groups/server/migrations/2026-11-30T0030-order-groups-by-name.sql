-- Lists of files in the order of the names of their groups read the groups in this order.
create index groups_by_lower_name on groups (lower(name)) where deleted_at is null;
