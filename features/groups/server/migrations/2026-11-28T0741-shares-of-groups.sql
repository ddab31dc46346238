-- Which user shared a group, and when. Null: the user is gone, or the grant belongs to an insight.
alter table group_grants
  add shared_by bigint references users (id) on delete set null,
  add shared_at timestamptz not null default now();

-- The access of each user on each group by ownership and by all grants without a range. A grant with a range is not part of
-- it, so that code which does not limit its data to the range gives no access at all.
drop view effective_grants;
create view effective_grants as
select
  group_id,
  user_id,
  'R' || case when bool_or(access like '%W%') then 'W' else '' end
    || case when bool_or(access like '%S%') then 'S' else '' end as access
from (
  select id as group_id, owner_id as user_id, 'RWS' as access from groups
  union all
  select group_id, user_id, access from group_grants
  where data_from is null and data_to is null and (ends_at is null or ends_at > now())
) as held
group by group_id, user_id;
