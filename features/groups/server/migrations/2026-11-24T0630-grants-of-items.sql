-- Sources of grants have ids of any form.
alter table group_grants
  drop constraint group_grants_check,
  alter source_id drop default,
  -- Id of the insight; empty for direct shares.
  alter source_id type text using case source when 'direct' then '' else source_id::text end,
  alter source_id set default '',
  add constraint group_grants_source_id_check check ((source = 'direct') = (source_id = ''));

create or replace function delete_grants() returns trigger language plpgsql as $$
begin
  delete from group_grants
  where source = tg_argv[0] and source_id = to_jsonb(old) ->> tg_argv[1] and user_id = old.user_id;
  return null;
end $$;
