-- A session that ends because its user was deactivated can say so.
alter table sessions add column is_deactivated boolean not null default false;
