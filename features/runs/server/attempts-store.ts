import type { Executor } from '@headwater/server-kit'

/** Returns whether an attempt at a step is in progress. In a chain, only the first step is `running` and holds the job. */
export async function isAttemptRunning(
  executor: Executor,
  { runId, eId, attempt }: { runId: string; eId: string; attempt: number },
): Promise<boolean> {
  const { rows } = await executor.query(
    `select from run_steps own where run_id = $1 and e_id = $2 and (
       state = 'running' and attempt = $3 and is_queue_job_held(queue_job)
       or state = 'waiting' and exists (select from run_steps first where first.run_id = $1 and first.state = 'running'
         and own.number = any(first.chain) and own.attempt + first.attempt = $3 and is_queue_job_held(first.queue_job)))`,
    [runId, eId, attempt],
  )
  return rows.length > 0
}
