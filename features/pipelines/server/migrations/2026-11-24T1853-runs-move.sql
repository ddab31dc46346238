-- Runs move to the feature `runs`. Paused and unfinished runs continue there.
-- A server that still runs the old code finishes what it is writing; what it starts later fails and is not lost.
lock table pipeline_runs, pipeline_run_steps, pipeline_run_values in access exclusive mode;
delete from queue_jobs where kind = 'run-pipeline' and state in ('delayed', 'waiting', 'running');

insert into runs (id, pipeline_id, name, group_id, group_name, user_id, state, stop_requested, created_at)
select old.id, pipeline_id, old.name, groups.id, group_name, user_id, case when paused then 'paused' else 'running' end, stop_requested, started_at
from pipeline_runs old left join groups on groups.name = group_name and old.pipeline_id is not null
order by started_at;

insert into run_steps (run_id, number, e_id, task, job_kind, waits_for, children, state, outcome, message, ended_at)
select step.run_id, number, e_id, task,
  case when task ->> 'definitionName' = 'python-runner' then 'run-user-code' else 'run-built-in' end,
  case when step.state = 'waiting' and number > first.open then 1 else 0 end,
  case when number < first.last then array[number + 1] else '{}' end,
  case when step.state = 'waiting' and number = first.open then case when runs.state = 'paused' then 'paused' else 'ready' end else step.state end,
  step.outcome ->> 'status', coalesce(step.outcome ->> 'message', ''), case when step.state = 'done' then now() end
from pipeline_run_steps step
join runs on runs.id = step.run_id
join (
  select run_id, max(number) as last, min(number) filter (where state <> 'done') as open from pipeline_run_steps group by run_id
) first on first.run_id = step.run_id;

insert into run_values (run_id, key, value) select run_id, key, value from pipeline_run_values;

-- A failed step ends its run, as does a stop.
select skip_run_steps(id, array(select number from run_steps where run_id = id), '', now()) from runs
where state <> 'ended' and (stop_requested or exists (select from run_steps where run_id = id and outcome in ('WARN', 'ERROR')));
select enqueue_run_step(run_id, number, job_kind, user_id, null) from run_steps join runs on runs.id = run_id
where run_steps.state in ('ready', 'running');
select settle_run(id, now()) from runs where not exists (select from run_steps where run_id = id and state <> 'done');

drop table pipeline_run_values;
drop table pipeline_run_steps;
drop table pipeline_runs;
