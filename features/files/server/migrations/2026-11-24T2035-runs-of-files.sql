-- Run whose code uploads the file, by its token; empty for all other uploads.
alter table files add column run_id uuid;
