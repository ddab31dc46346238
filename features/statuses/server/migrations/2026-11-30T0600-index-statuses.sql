-- Jobs by status, so that filters with few matches do not read all jobs. Most jobs end with INFO, so an index of these would only be large.
-- The status of a run changes mostly when it ends, and the index of the end changes then anyway.
create index jobs_status on jobs (status, seq desc) where status <> 'INFO';
