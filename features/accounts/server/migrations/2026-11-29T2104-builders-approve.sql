-- Users who build pipelines can be approvers of them.
insert into role_entitlements (role_id, parent, resource, mode)
select id, 'Science', 'Pipeline', 'R' from roles where name in ('Analyst', 'Report author')
on conflict do nothing;

update roles set description = 'Uploads and shares files, queries storage, builds insights, data preps and pipelines.'
where name = 'Analyst' and description = 'Uploads and shares files, queries storage, builds insights.';
update roles set description = 'Builds insights, reports and pipelines from data that others bring.'
where name = 'Report author' and description = 'Builds insights and reports from data that others bring.';
