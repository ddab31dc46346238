-- Pages of the newest versions in the order of their names or sizes read only the files of the page.
create index files_latest_by_name on files (lower(name), arrival) where latest;
create index files_latest_by_size on files (size_bytes, arrival) where latest;
