-- Only a share of the group can have a range, and it is read-only.
alter table group_grants add constraint group_grants_range_check
  check ((data_from is null and data_to is null) or (source = 'direct' and access = 'R'));
