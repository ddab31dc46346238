-- Until now `group_grants` held what a user could do, and `insight_grants` which part of that came with shares of insights.
create temporary table given on commit drop as
select
  group_id,
  user_id,
  'R' || case when bool_or(access like '%W%') then 'W' else '' end
    || case when bool_or(access like '%S%') then 'S' else '' end as access
from insight_grants
group by group_id, user_id;

-- Nobody receives more than before: a share gives nothing where the grant had been removed, and no more than a lowered grant.
insert into group_grants (group_id, user_id, source, source_id, access)
select group_id, user_id, 'insight', insight_id,
  'R' || case when shared.access like '%W%' and held.access like '%W%' then 'W' else '' end
    || case when shared.access like '%S%' and held.access like '%S%' then 'S' else '' end
from insight_grants as shared join group_grants as held using (group_id, user_id);

-- A grant that is not exactly what the shares gave was set by somebody, and outlives them.
delete from group_grants using given
where group_grants.group_id = given.group_id and group_grants.user_id = given.user_id
  and group_grants.source = 'direct' and group_grants.access = given.access;

drop table insight_grants;

create trigger delete_grants after delete on insight_shares
for each row execute function delete_grants('insight', 'insight_id');
