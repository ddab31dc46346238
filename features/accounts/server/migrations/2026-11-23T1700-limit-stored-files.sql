-- Limits of stored files of the installation, in bytes; 0 is no limit.
create table storage_limits (
  only_row boolean primary key default true check (only_row),
  bytes_per_user bigint not null default 0,
  bytes_per_company bigint not null default 0,
  bytes_in_all bigint not null default 0,
  reserved_disk_bytes bigint not null default 1000000000
);
insert into storage_limits default values;
