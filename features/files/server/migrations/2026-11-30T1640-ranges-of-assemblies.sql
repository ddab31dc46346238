-- Ranges of the assembly of an upload that can contain bytes. They count as stored bytes of the owner until the upload ends, also
-- after their parts were replaced or rejected. The parts in them no longer count themselves.
create table assembly_ranges (
  file_id uuid not null references files (id) on delete cascade,
  -- First byte.
  position bigint not null check (position >= 0),
  owner_id bigint not null,
  size_bytes bigint not null check (size_bytes > 0),
  primary key (file_id, position)
);
-- The stored bytes already include these parts.
insert into assembly_ranges (file_id, position, owner_id, size_bytes)
select file_id, position, owner_id, size_bytes from upload_parts where position is not null;

drop trigger upload_parts_counted on upload_parts;
create trigger upload_parts_added after insert on upload_parts
  for each row when (new.position is null) execute function count_part_bytes();
create trigger upload_parts_removed after delete on upload_parts
  for each row when (old.position is null) execute function count_part_bytes();
create trigger assembly_ranges_counted after insert or delete on assembly_ranges
  for each row execute function count_part_bytes();
