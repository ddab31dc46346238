-- Objects that a version of an item names, written in the transaction of the save. A version keeps its links while later ones exist.
create table item_links (
  item_id uuid not null,
  version integer not null,
  -- `group`, `file`, `symbol`, `task` or `data-prep`.
  target_type text not null,
  -- Name of the group of a symbol; otherwise empty.
  target_group text not null default '',
  -- As the content names the target: name of a group; id of a file, task or data prep; keys and values of a symbol as JSON.
  target text not null,
  foreign key (item_id, version) references item_versions (item_id, version) on delete cascade
);
-- The keys of a symbol can be longer than an entry of an index.
create unique index item_links_item on item_links (item_id, version, target_type, target_group, md5(target));
create index item_links_target on item_links (target_type, target_group, md5(target));
