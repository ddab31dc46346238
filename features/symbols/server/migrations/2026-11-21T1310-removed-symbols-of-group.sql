-- Pages of an answer ask how many symbols of a group were removed since the first one.
create index removed_symbols_group on removed_symbols (group_id);
