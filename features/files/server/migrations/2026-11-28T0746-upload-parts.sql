-- Parts of contents that are being uploaded. Each is stored as content of its own and counts as stored bytes of the owner until the
-- content is complete or the upload is forgotten.
create table upload_parts (
  file_id uuid not null references files (id) on delete cascade,
  number integer not null check (number >= 1),
  owner_id bigint not null,
  hash text not null,
  size_bytes bigint not null check (size_bytes > 0),
  primary key (file_id, number)
);
create index upload_parts_content on upload_parts (hash);

create trigger upload_parts_released after delete on upload_parts
  for each row execute function release_content();

create function count_part_bytes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stored_bytes (owner_id, bytes) values (new.owner_id, new.size_bytes);
  else
    insert into stored_bytes (owner_id, bytes) values (old.owner_id, -old.size_bytes);
  end if;
  return null;
end
$$;
create trigger upload_parts_counted after insert or delete on upload_parts
  for each row execute function count_part_bytes();
