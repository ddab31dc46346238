-- A user can hold several grants on a group, one from each source.
alter table group_grants
  -- Where the grant comes from: shared directly, or with an insight.
  add source text not null default 'direct' check (source in ('direct', 'insight')),
  -- Id of the insight; 0 for direct shares.
  add source_id bigint not null default 0 check ((source = 'direct') = (source_id = 0)),
  -- Limits of the data that the grant opens, from inclusive to exclusive; empty: no limit.
  add data_from timestamptz,
  add data_to timestamptz,
  add check (data_from < data_to),
  -- The grant gives nothing from then on; empty: it does not end.
  add ends_at timestamptz,
  drop constraint group_grants_pkey,
  add primary key (group_id, user_id, source, source_id);
create index group_grants_source on group_grants (source, source_id) where source <> 'direct';

-- For SQL of other features.
create view group_names as select id, name, description from groups;

-- The access of each user on each group, which is nowhere else computed: the owner has all of it, others what their grants
-- that have not ended allow together. The range of data goes from the earliest start to the latest end; a grant without a
-- limit lifts that limit. Administrators need no grants.
create view effective_grants as
select
  group_id,
  user_id,
  'R' || case when bool_or(access like '%W%') then 'W' else '' end
    || case when bool_or(access like '%S%') then 'S' else '' end as access,
  case when bool_and(data_from is not null) then min(data_from) end as data_from,
  case when bool_and(data_to is not null) then max(data_to) end as data_to
from (
  select id as group_id, owner_id as user_id, 'RWS' as access, null::timestamptz as data_from, null::timestamptz as data_to
  from groups
  union all
  select group_id, user_id, access, data_from, data_to from group_grants where ends_at is null or ends_at > now()
) as held
group by group_id, user_id;

-- For tables of sources whose rows name a user: deletes the grants of a deleted row. Its arguments are the source and the
-- name of the column with the source id.
create function delete_grants() returns trigger language plpgsql as $$
begin
  delete from group_grants
  where source = tg_argv[0] and source_id = (to_jsonb(old) ->> tg_argv[1])::bigint and user_id = old.user_id;
  return null;
end $$;
