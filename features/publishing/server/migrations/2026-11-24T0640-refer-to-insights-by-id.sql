-- Shares, publications, links and visitors belong to the item of an insight. Until now each insight that had any of them had a
-- number of its own, under its group and name.
create temporary table moved on commit drop as
select insights.id as old_id, items.id as new_id
from insights join items on kind = 'insight' and items.group_id = insights.group_id and items.name = insights.name;

-- Insights whose last version has been deleted; their grants go with their shares.
delete from insights where not exists (select from moved where old_id = id);

alter table insight_public_links drop constraint insight_public_links_insight_id_fkey;
alter table insight_shares drop constraint insight_shares_insight_id_fkey;
alter table insight_publications drop constraint insight_publications_insight_id_fkey;
alter table insight_visitors drop constraint insight_visitors_insight_id_fkey;

create function item_of(bigint) returns uuid language sql stable as 'select new_id from moved where old_id = $1';
alter table insight_shares alter insight_id type uuid using item_of(insight_id);
alter table insight_publications alter insight_id type uuid using item_of(insight_id);
alter table insight_public_links alter insight_id type uuid using item_of(insight_id);
alter table insight_visitors alter insight_id type uuid using item_of(insight_id);
drop function item_of;
update group_grants set source_id = new_id::text from moved where source = 'insight' and source_id = old_id::text;

alter table insight_shares add foreign key (insight_id) references items (id) on delete cascade;
alter table insight_publications add foreign key (insight_id) references items (id) on delete cascade;
alter table insight_visitors add foreign key (insight_id) references items (id) on delete cascade;
alter table insight_public_links add foreign key (insight_id) references insight_publications (insight_id) on delete cascade;
drop table insights;
