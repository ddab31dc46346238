import { AppError, isUuid } from '@headwater/contract'
import { writeMessage, type Logs } from '@headwater/logs/server'
import type { Executor, Principal, StopSignals } from '@headwater/server-kit'
import { stoppedMessage } from '@headwater/statuses/contract'
import type { Statuses } from '@headwater/statuses/server'
import { prepErrors } from '../contract/index.ts'
import type { PrepsService } from './preps-service.ts'
import type { RunsStore, StoredRun } from './runs-store.ts'

/** Dependencies of {@link stopRun}. */
export interface StopRunDependencies {
  /** Stores runs. */
  runs: Pick<RunsStore, 'find' | 'end' | 'transaction'>
  /** Checks access to data preps. */
  preps: Pick<PrepsService, 'require'>
  /** Reports statuses. */
  statuses: Pick<Statuses, 'updateComponent' | 'finishJob'>
  /** Stores the messages of runs. */
  logs: Pick<Logs, 'open'>
  /** Aborts runs of this process. */
  stops: Pick<StopSignals, 'abort'>
}

/**
 * Stops a run of the caller, or of a data prep that the caller can change. Its stored run disappears, and the process that executes it
 * aborts it.
 */
export async function stopRun(deps: StopRunDependencies, principal: Principal, jobId: string): Promise<void> {
  const id = jobId.trim().toLowerCase()
  const storedRun = isUuid(id) ? await deps.runs.find(id) : undefined
  if (storedRun === undefined || !(await canStop(deps, principal, storedRun)))
    throw prepErrors.prepRunNotFound()
  const stopped = { status: 'ERROR', message: stoppedMessage } as const
  await deps.runs.transaction(async (executor) => {
    if (!(await deps.runs.end(id, executor))) throw prepErrors.prepRunNotFound()
    await deps.statuses.updateComponent(id, id, stopped, executor)
    await deps.statuses.finishJob(id, stopped, executor)
  })
  deps.stops.abort(id)
  await writeMessage(deps.logs, { jobId: id, eId: id, component: 'Data prep' }, stopped)
}

/**
 * Stops the runs of the data preps of a group, in the transaction that deletes it. The processes that execute them find out as with any stop
 * by another process.
 */
export async function stopRunsOfGroup(
  { runs, statuses }: { runs: Pick<RunsStore, 'endOf'>; statuses: StopRunDependencies['statuses'] },
  prepIds: readonly string[],
  executor: Executor,
): Promise<void> {
  const stopped = { status: 'ERROR', message: `${stoppedMessage} Its group was deleted.` } as const
  for (const id of await runs.endOf(prepIds, executor)) {
    await statuses.updateComponent(id, id, stopped, executor)
    await statuses.finishJob(id, stopped, executor)
  }
}

async function canStop(
  { preps }: StopRunDependencies,
  principal: Principal,
  { userId, prepId }: StoredRun,
): Promise<boolean> {
  if (userId === principal.userId) return true
  return preps.require(principal, { id: prepId }, 'RW').then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.status < 500) return false
      throw error
    },
  )
}
