-- Report authors send insights by e-mail through pipelines, so they can also see how their runs went.
insert into role_entitlements (role_id, parent, resource, mode)
select id, 'Science', 'Monitor', 'R' from roles where name = 'Report author'
on conflict do nothing;
