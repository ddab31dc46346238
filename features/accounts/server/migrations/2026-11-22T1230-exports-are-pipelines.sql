-- An insight is exported by e-mail by a pipeline, and a template may run a task; how it went stands in the statuses.
insert into role_entitlements (role_id, parent, resource, mode)
select roles.id, given.parent, given.resource, given.mode
from roles
join (values
  ('Analyst', '', 'Science', 'R'),
  ('Analyst', 'Science', 'Creator', 'RW'),
  ('Report author', '', 'Science', 'R'),
  ('Report author', 'Science', 'Creator', 'RW'),
  ('Report author', '', 'Statuses', 'R')
) as given (role, parent, resource, mode) on given.role = roles.name
on conflict do nothing;
