-- The deletion of a group finds its files by it, in whatever state they are.
create index files_group on files (group_id);
