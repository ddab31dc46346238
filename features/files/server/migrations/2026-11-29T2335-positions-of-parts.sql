-- Byte at which a part begins in the assembly of its upload; null: the part is a content of its own.
alter table upload_parts add column position bigint check (position >= 0);

drop trigger upload_parts_released on upload_parts;
create trigger upload_parts_released after delete on upload_parts
  for each row when (old.position is null) execute function release_content();
