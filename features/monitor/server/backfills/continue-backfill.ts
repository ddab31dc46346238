import { pipelineErrors } from '@headwater/pipelines/contract'
import type { StoredPipeline } from '@headwater/pipelines/server'
import { triggerReference } from '@headwater/runs/contract'
import { isClientError, type Principal } from '@headwater/server-kit'
import type { BackfillsDependencies } from './backfills-service.ts'
import type { StoredBackfill } from './backfills-store.ts'

/** Kind of the jobs that start the next runs of a backfill: at its start, and at the end of each of its runs. */
const continueJobKind = 'continue-backfill'
/** Pause while the user has too many other runs. */
const pauseMs = 5000
/** Other runs take precedence. */
const priority = -10

/** Thrown if the run of a date has been started or must no longer start. */
class NotNeeded extends Error {}

/** Registers the handler that starts the runs of backfills. */
export function registerBackfills(deps: BackfillsDependencies): void {
  const { backfills, queue, clock } = deps
  queue.handle<{ backfillId: string }>(continueJobKind, {
    async run({ payload: { backfillId } }) {
      try {
        await startRuns(deps, backfillId)
      } catch (error) {
        if (!isClientError(error)) throw error
        if (error.code === 'tooManyRuns') {
          await queue.enqueue(
            continueJobKind,
            { backfillId },
            { uniqueKey: `${continueJobKind} ${backfillId}`, runAfter: new Date(Date.now() + pauseMs) },
          )
          return
        }
        await backfills.end(backfillId, 'FAILED', { message: error.message, at: clock.now() })
      }
    },
    giveUp: async ({ payload }) => {
      const message = 'Several attempts to start a run failed. Start another backfill later.'
      await backfills.end(payload.backfillId, 'FAILED', { message, at: clock.now() })
    },
  })
}

/** Starts runs of a backfill up to its limit, and ends it after the last one. */
async function startRuns(deps: BackfillsDependencies, id: string): Promise<void> {
  const { backfills, clock } = deps
  for (;;) {
    const backfill = await backfills.find(id)
    if (backfill?.state !== 'RUNNING') return
    const { total, started, ended, maxParallel } = backfill
    if (ended === total) {
      await backfills.end(id, 'ENDED', { at: clock.now() })
      return
    }
    if (started === total || started - ended >= maxParallel) return
    const next = (await backfills.dates(id)).find(({ reason, jobId }) => reason === null && jobId === null)
    if (next === undefined) return
    await startRun(deps, backfill, next.date)
  }
}

/** Starts the run of a date, once: another job of the backfill can start it at the same time. */
async function startRun(deps: BackfillsDependencies, backfill: StoredBackfill, date: string): Promise<void> {
  const { principal, pipeline } = await requireStart(deps, backfill)
  const at = `${date}T00:00:00.000Z`
  try {
    await deps.pipelines.startRun(principal, pipeline, {
      values: { [triggerReference('date')]: date, [triggerReference('at')]: at },
      priority,
      inSameTransaction: async (jobId, executor) => {
        if (!(await deps.backfills.recordRun(backfill.id, date, jobId, executor))) throw new NotNeeded()
      },
    })
  } catch (error) {
    if (!(error instanceof NotNeeded)) throw error
  }
}

/** Returns the user and the version of the pipeline, if the user can still run it. */
async function requireStart(
  { pipelines, groups, findPrincipal }: BackfillsDependencies,
  { userId, userName, pipelineId, version }: StoredBackfill,
): Promise<{ principal: Principal; pipeline: StoredPipeline }> {
  const pipeline = await pipelines.find(pipelineId, version)
  if (pipeline === undefined) throw pipelineErrors.notFound({ what: pipelineId })
  const principal = await findPrincipal(userId)
  if (principal === undefined || !principal.can('Science/Creator', 'RW'))
    throw pipelineErrors.pipelineInvalid({
      problem: `${userName} started the backfill and no longer has permission to run pipelines.`,
    })
  await groups.getGroupById(principal, pipeline.groupId, 'R')
  return { principal, pipeline }
}
