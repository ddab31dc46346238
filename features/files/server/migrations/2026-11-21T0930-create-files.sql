create extension if not exists pg_trgm;

-- What free text is compared with: the name and every metadata value, in lower case, one a line.
create function file_search_text(name text, fields jsonb) returns text
language sql immutable parallel safe as $$
  select lower(name || coalesce((
    select string_agg(E'\n' || (value #>> '{}'), '') from jsonb_path_query(fields, 'lax $.*[*]') value
  ), ''))
$$;

-- All single characters and pairs of neighbours of a text. Trigrams cannot find patterns below three characters.
create function short_grams(content text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct gram), '{}') from (
    select unnest(array[letter, letter || lead(letter) over (order by place)]) as gram
    from unnest(string_to_array(content, null)) with ordinality as letters (letter, place)
  ) grams where gram is not null
$$;

create sequence file_arrivals;

create table files (
  id uuid primary key,
  group_id bigint not null references groups (id) on delete cascade,
  name text not null,
  type text not null,
  owner_id bigint not null references users (id),
  zipped boolean not null,
  fields jsonb not null default '{}',
  partial_update boolean not null,
  avoid_duplicates boolean not null,
  skip_metadata boolean not null,
  data_start bigint,
  data_end bigint,
  job_id uuid not null,
  ingest_job_id uuid,
  state text not null default 'awaiting'
    check (state in ('awaiting', 'ingesting', 'ready', 'rejected', 'duplicate')),
  message text not null default '',
  hash text,
  size_bytes bigint,
  holds_content boolean not null default false,
  version integer,
  latest boolean not null default false,
  arrival bigint,
  arrived_at timestamptz,
  announced_at timestamptz not null,
  search_text text not null generated always as (file_search_text(name, fields)) stored,
  search_grams text[] not null generated always as (short_grams(file_search_text(name, fields))) stored,
  check (state <> 'ready' or (version is not null and arrival is not null and hash is not null))
);
create unique index files_version on files (group_id, name, version) where state = 'ready';
create unique index files_latest on files (group_id, name) where latest;
create index files_name on files (name) where state = 'ready';
create index files_arrival on files (arrival desc) where state = 'ready';
create index files_group_arrival on files (group_id, arrival desc) where state = 'ready';
create index files_type on files (type, arrival desc) where state = 'ready';
create index files_search_text on files using gin (search_text gin_trgm_ops) where state = 'ready';
create index files_search_grams on files using gin (search_grams) where state = 'ready';
create index files_fields on files using gin (fields jsonb_path_ops) where state = 'ready';
create index files_content on files (hash) where holds_content;
create index files_unfinished on files (announced_at) where state in ('awaiting', 'ingesting');
create index files_owner on files (owner_id);

-- Contents that a file let go of; a sweep removes those that no file holds any more.
create table released_contents (
  hash text primary key,
  released_at timestamptz not null default now()
);
create index released_contents_time on released_contents (released_at);

create function release_content() returns trigger language plpgsql as $$
begin
  insert into released_contents (hash) values (old.hash)
  on conflict (hash) do update set released_at = now();
  return null;
end
$$;
create trigger files_deleted after delete on files
  for each row when (old.holds_content) execute function release_content();
create trigger files_let_go after update of holds_content on files
  for each row when (old.holds_content and not new.holds_content) execute function release_content();
