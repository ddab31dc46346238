-- Analysts build and run pipelines, so they can also see how their runs went.
insert into role_entitlements (role_id, parent, resource, mode)
select id, 'Science', 'Monitor', 'R' from roles where name = 'Analyst'
on conflict do nothing;
