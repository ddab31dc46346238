-- Files in a deleted group count against its owner, who alone can restore the group or delete it permanently.
alter table files add column counts_for_id bigint;

create or replace function count_stored_bytes() returns trigger language plpgsql as $$
begin
  if old.holds_content then
    insert into stored_bytes (owner_id, bytes) values (coalesce(old.counts_for_id, old.owner_id), -old.size_bytes);
  end if;
  if tg_op = 'UPDATE' and new.holds_content then
    insert into stored_bytes (owner_id, bytes) values (coalesce(new.counts_for_id, new.owner_id), new.size_bytes);
  end if;
  return null;
end
$$;
drop trigger files_bytes_changed on files;
create trigger files_bytes_changed after update of holds_content, owner_id, counts_for_id on files
  for each row when ((old.holds_content, coalesce(old.counts_for_id, old.owner_id))
    is distinct from (new.holds_content, coalesce(new.counts_for_id, new.owner_id)))
  execute function count_stored_bytes();

update files set counts_for_id = groups.owner_id
from groups where groups.id = files.group_id and groups.deleted_at is not null and groups.owner_id <> files.owner_id;
