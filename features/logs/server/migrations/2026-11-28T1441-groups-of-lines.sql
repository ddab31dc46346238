-- Group whose data the lines contain, if it can be another one than that of the job. Only users with access to it read them.
alter table log_chunks add column group_id bigint;
