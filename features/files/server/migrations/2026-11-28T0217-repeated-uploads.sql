-- The step of a run that uploads the file, the latest attempt at it that has this file as its result, and whether the server executes the
-- step itself. An upload that repeats one of an earlier attempt is `repeated`: its id leads to the file of that attempt.
alter table files
  add column step_id uuid,
  add column step_attempt integer,
  add column is_built_in_step boolean not null default false,
  add column repeats uuid references files (id) on delete cascade,
  drop constraint files_state_check,
  add constraint files_state_check check (state in ('awaiting', 'ingesting', 'ready', 'rejected', 'duplicate', 'repeated')),
  add constraint files_repeats_check check ((state = 'repeated') = (repeats is not null));
create index files_of_step on files (step_id) where step_id is not null;
create index files_repeats on files (repeats) where repeats is not null;
