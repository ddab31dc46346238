-- Mails whose runs have not started. The content is deleted with the start.
create table pipeline_trigger_mails (
  firing_id uuid primary key references pipeline_trigger_firings (id) on delete cascade,
  content bytea not null
);
