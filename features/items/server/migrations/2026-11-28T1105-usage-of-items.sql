-- The step of a pipeline that names the target; empty if the item itself names it.
alter table item_links add column part text not null default '';
-- The version of a task that a step of a pipeline runs; null: the newest.
alter table item_links add column target_version integer;

drop index item_links_item;
create unique index item_links_item
  on item_links (item_id, version, target_type, target_group, md5(target), md5(part));

-- Whether the links of a version are not written yet. A job writes them: for versions from before this table, and for kinds whose contents
-- are files.
alter table item_versions add column links_pending boolean not null default true;
alter table item_versions alter column links_pending set default false;
create index item_versions_links_pending on item_versions (item_id, version) where links_pending;
