-- Links to public insights that let visitors choose something. A link opens nothing once its row is gone.
create table insight_public_links (
  id bigint generated always as identity primary key,
  insight_id bigint not null references insight_publications (insight_id) on delete cascade,
  -- Random text in the signed part of the link.
  key text not null unique,
  parameters jsonb not null,
  dates boolean not null,
  created_at timestamptz not null
);
create index insight_public_links_of_insight on insight_public_links (insight_id);
