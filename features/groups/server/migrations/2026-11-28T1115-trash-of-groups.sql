-- Deleted groups that can be restored, with all rows of all features. SQL sees them only where it reads the table `groups` itself:
-- the views below, which all other code reads, contain live groups only.
alter table groups
  add column deleted_at timestamptz,
  add column deleted_by bigint references users (id) on delete set null,
  -- Numbers of its objects at the deletion, for the list of deleted groups.
  add column deleted_contents jsonb,
  drop constraint groups_name_key;
create unique index groups_live_name on groups (name) where deleted_at is null;
create index groups_deleted on groups (deleted_at) where deleted_at is not null;

create view live_groups as
select id, name, description, fields, owner_id, home_of, created_at from groups where deleted_at is null;

create or replace view group_names as select id, name, description from groups where deleted_at is null;

-- Grants of insights in a deleted group, which give nothing until it is restored.
alter table group_grants add column suspended_by bigint references groups (id) on delete cascade;
create index group_grants_suspended on group_grants (suspended_by) where suspended_by is not null;

create or replace view effective_grants as
select
  group_id,
  user_id,
  'R' || case when bool_or(access like '%W%') then 'W' else '' end
    || case when bool_or(access like '%S%') then 'S' else '' end as access
from (
  select id as group_id, owner_id as user_id, 'RWS' as access from groups where deleted_at is null
  union all
  select group_id, user_id, access from group_grants
  where data_from is null and data_to is null and (ends_at is null or ends_at > now()) and suspended_by is null
    and exists (select from groups where groups.id = group_grants.group_id and groups.deleted_at is null)
) as held
group by group_id, user_id;
