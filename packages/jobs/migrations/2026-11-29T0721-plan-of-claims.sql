-- A claim has one plan for all its calls: planning takes longer than its execution. Every table is read by an index, also if the plan was made while
-- the queue was empty.
alter function claim_queue_jobs(text, text[], integer, interval, boolean) set plan_cache_mode = force_generic_plan;
alter function claim_queue_jobs(text, text[], integer, interval, boolean) set enable_seqscan = off;
