-- For SQL of other features.
create view user_names as select id, user_name from users;
create view user_companies as select id as user_id, company_id from users;
