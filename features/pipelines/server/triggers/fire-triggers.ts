import { AppError } from '@headwater/contract'
import type { RunningJob } from '@headwater/jobs'
import type { Executor } from '@headwater/server-kit'
import type { TriggerValues } from '../../contract/index.ts'
import { storeAttachments } from './email/store-attachments.ts'
import { refuseTriggeredRun, startTriggeredRun } from './start-triggered-run.ts'
import type { TriggersDependencies } from './triggers-dependencies.ts'
import type { Firing, WaitingFiring } from './firings-store.ts'

/** Kind of job that starts the run of an event. */
const fireJobKind = 'fire-pipeline-trigger'
/**
 * Minimum pause before the next attempt if the owner has too many runs, in milliseconds. It grows with the time since the
 * event.
 */
const minPauseMs = 1000
const maxPauseMs = 60_000
/** Retention of events. Stored events prevent the same cause from starting a second run. */
const retentionMs = 90 * 24 * 60 * 60_000

/** Adds stored events to the queue, in the transaction that stores them. */
export async function enqueueFirings(
  { queue }: Pick<TriggersDependencies, 'queue'>,
  firings: readonly WaitingFiring[],
  executor: Executor,
  runAfter?: Date,
): Promise<void> {
  for (const { id, ownerId } of firings)
    await queue.enqueue(
      fireJobKind,
      { firingId: id },
      {
        uniqueKey: `${fireJobKind} ${id}`,
        fairKey: String(ownerId),
        ...(runAfter === undefined ? {} : { runAfter }),
      },
      executor,
    )
}

/** Registers the handler that starts one run for each event. */
export function registerFirings(deps: TriggersDependencies): void {
  const { triggers, queue } = deps
  const record = (firing: Firing) => async (jobId: string, executor: Executor) => {
    // The retry finds no waiting event.
    if (!(await triggers.recordFiring(firing.id, jobId, executor)))
      throw new Error('A different attempt has started the run of this event.')
  }

  queue.handle<{ firingId: string }>(fireJobKind, {
    async run(job) {
      const firing = await triggers.findWaiting(job.payload.firingId)
      if (firing === undefined) return
      if (!firing.trigger.active)
        return triggers.transaction(async (executor) => {
          await triggers.dropFiring(firing.id, executor)
          await job.complete(executor)
        })
      try {
        await startTriggeredRun(deps, {
          trigger: firing.trigger,
          values: firing.values as TriggerValues,
          at: firing.occurredAt,
          problem: problemOf(firing),
          prepare: (principal) => storeAttachments(deps, principal, firing),
          record: async (jobId, executor) => {
            await record(firing)(jobId, executor)
            await job.complete(executor)
          },
        })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'tooManyRuns') throw error
        await startLater(deps, firing, job)
      }
      await triggers.purgeFirings(new Date(deps.clock.now().getTime() - retentionMs))
    },
    async giveUp({ payload }) {
      const firing = await triggers.findWaiting(payload.firingId)
      const pipeline = firing && (await deps.store.find({ id: firing.trigger.pipelineId }))
      if (pipeline === undefined) return
      await refuseTriggeredRun(
        deps,
        { trigger: firing!.trigger, record: record(firing!) },
        pipeline,
        'Several attempts failed.',
      )
    },
  })
}

/** Returns an error message if a run that the trigger started would start the trigger again, even through other triggers. */
function problemOf({ trigger, chain, values }: Firing): string | undefined {
  if (trigger.type === 'RETRY' || !chain.includes(trigger.id)) return undefined
  const cause =
    values.fileName === undefined
      ? 'The run that ended was started by this trigger, directly or through other triggers.'
      : `The file “${values.fileName}” was written by a run that this trigger started, directly or through other triggers.`
  return `${cause} This would repeat forever. Write the files into another group, or change the pattern.`
}

/** Delays an event until some runs of its owner have ended. */
async function startLater(
  deps: TriggersDependencies,
  firing: Firing,
  job: RunningJob<unknown>,
): Promise<void> {
  const now = deps.clock.now().getTime()
  const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, (now - firing.occurredAt.getTime()) / 4))
  const waiting = { id: firing.id, ownerId: firing.trigger.owner.id }
  await deps.triggers.transaction(async (executor) => {
    await enqueueFirings(deps, [waiting], executor, new Date(Date.now() + pauseMs))
    await job.complete(executor)
  })
}
