-- Bytes that files hold, by owner, as changes: uploads of one owner do not wait for each other to update a total. The hourly
-- sweep adds the changes up.
create table stored_bytes (
  owner_id bigint not null references users (id) on delete cascade,
  bytes bigint not null
);
create index stored_bytes_owner on stored_bytes (owner_id);
insert into stored_bytes (owner_id, bytes)
select owner_id, sum(size_bytes) from files where holds_content group by owner_id;

create function count_stored_bytes() returns trigger language plpgsql as $$
begin
  if old.holds_content then
    insert into stored_bytes (owner_id, bytes) values (old.owner_id, -old.size_bytes);
  end if;
  if tg_op = 'UPDATE' and new.holds_content then
    insert into stored_bytes (owner_id, bytes) values (new.owner_id, new.size_bytes);
  end if;
  return null;
end
$$;
create trigger files_bytes_deleted after delete on files
  for each row when (old.holds_content) execute function count_stored_bytes();
create trigger files_bytes_changed after update of holds_content, owner_id on files
  for each row when ((old.holds_content, old.owner_id) is distinct from (new.holds_content, new.owner_id))
  execute function count_stored_bytes();
