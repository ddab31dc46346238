-- For SQL of other features: the versions of files that have arrived.
create view ready_files as
select id, group_id, name, type, owner_id, saved_by, fields, version, latest, size_bytes, arrived_at
from files where state = 'ready';
