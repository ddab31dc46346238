import { isUuid, utcDate } from '@headwater/contract'
import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import { pipelineErrors } from '@headwater/pipelines/contract'
import type { Pipelines } from '@headwater/pipelines/server'
import type { Runs } from '@headwater/runs/server'
import type { Clock, Principal } from '@headwater/server-kit'
import { monitorErrors, type Backfill, type BackfillInput } from '../../contract/index.ts'
import { datesOf, type BackfillDate } from './backfill-dates.ts'
import type { BackfillsStore, StoredBackfill, StoredDate } from './backfills-store.ts'
import { registerBackfills } from './continue-backfill.ts'

/** Dependencies of the use cases of backfills. */
export interface BackfillsDependencies {
  /** Stored backfills. */
  backfills: BackfillsStore
  /** Finds pipelines and starts their runs. */
  pipelines: Pick<Pipelines, 'require' | 'find' | 'startRun'>
  /** Stops runs. */
  runs: Pick<Runs, 'stop' | 'transaction'>
  /** Checks access to groups. */
  groups: Pick<GroupAccess, 'getGroupById'>
  /** Starts the runs of backfills. */
  queue: JobQueue
  /** Returns the principal of an active user. Runs have the access of the user who started the backfill. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Current time. */
  clock: Clock
}

/** Use cases of backfills. */
export type BackfillsService = ReturnType<typeof createBackfillsService>

/** Creates the use cases of backfills and registers the handler that starts their runs. */
export function createBackfillsService(deps: BackfillsDependencies) {
  registerBackfills(deps)
  return {
    start: (principal: Principal, pipelineId: string, input: BackfillInput) =>
      startBackfill(deps, principal, pipelineId, input),

    /** Returns the backfills of a pipeline, newest first. */
    async list(principal: Principal, pipelineId: string): Promise<Backfill[]> {
      const { item } = await deps.pipelines.require(principal, { id: pipelineId }, 'R')
      return (await deps.backfills.list(item.id)).map(toView)
    },

    /** Returns a backfill with the run of each date. */
    async get(
      principal: Principal,
      pipelineId: string,
      id: string,
    ): Promise<Backfill & { dates: StoredDate[] }> {
      const backfill = await requireBackfill(deps, principal, pipelineId, id)
      return { ...toView(backfill), dates: await deps.backfills.dates(backfill.id) }
    },

    /** Cancels a backfill and stops its runs. */
    async cancel(principal: Principal, pipelineId: string, id: string): Promise<void> {
      const backfill = await requireBackfill(deps, principal, pipelineId, id)
      if (backfill.userId !== principal.userId && !principal.isAdministrator)
        throw monitorErrors.backfillNotFound()
      await deps.runs.transaction(async (executor) => {
        const at = deps.clock.now()
        await deps.runs.stop(await deps.backfills.end(backfill.id, 'CANCELLED', { at }, executor), executor)
      })
    },
  }
}

/**
 * Starts a backfill, or only returns its dates.
 * @throws pipelineNotFound, pipelineInvalid without tasks, backfillEmpty, backfillRunning
 */
async function startBackfill(
  deps: BackfillsDependencies,
  principal: Principal,
  pipelineId: string,
  { version, maxParallel, dryRun, ...range }: BackfillInput,
): Promise<{ id: string | null; dates: BackfillDate[] }> {
  const { item } = await deps.pipelines.require(principal, { id: pipelineId }, 'R', version)
  if (item.content.tasks.length === 0)
    throw pipelineErrors.pipelineInvalid({
      problem: `“${item.name}” has no tasks. Add a task before you run it.`,
    })
  const at = deps.clock.now()
  const done = range.skipDone ? await deps.backfills.doneDates(item.id) : new Set<string>()
  const dates = datesOf({ ...range, version }, utcDate(at), done)
  if (dryRun) return { id: null, dates }
  if (dates.every(({ reason }) => reason !== null)) throw monitorErrors.backfillEmpty()
  const id = await deps.backfills.add({
    pipelineId: item.id,
    version: item.version,
    userId: principal.userId,
    maxParallel,
    dates,
    at,
  })
  if (id === undefined) throw monitorErrors.backfillRunning()
  return { id, dates }
}

async function requireBackfill(
  deps: BackfillsDependencies,
  principal: Principal,
  pipelineId: string,
  id: string,
): Promise<StoredBackfill> {
  const { item } = await deps.pipelines.require(principal, { id: pipelineId }, 'R')
  const backfill = isUuid(id) ? await deps.backfills.find(id) : undefined
  if (backfill?.pipelineId !== item.id) throw monitorErrors.backfillNotFound()
  return backfill
}

function toView({ pipelineId: _pipeline, userId: _user, ...backfill }: StoredBackfill): Backfill {
  return backfill
}
