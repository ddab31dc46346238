import type { JobQueue } from '@headwater/jobs'
import type { Clock } from '@headwater/server-kit'
import type { LimitsStore } from './limits-store.ts'
import { stepLanes } from './step-jobs.ts'

/** Kind of the job that starts held runs. */
const admitJobKind = 'admit-runs'
/** Interval at which held runs are checked again, because a limit can change while a run ends. In milliseconds. */
const againAfterMs = 60_000

/** Registers the handler that starts held runs. It runs after each start and end of a limited run. */
export function registerAdmissions({
  limits,
  queue,
  clock,
}: {
  limits: Pick<LimitsStore, 'admit'>
  queue: Pick<JobQueue, 'handle' | 'enqueue'>
  clock: Clock
}): void {
  queue.handle(admitJobKind, {
    lane: stepLanes.builtIn,
    async run() {
      if ((await limits.admit(clock.now())) === 0) return
      const runAfter = new Date(Date.now() + againAfterMs)
      await queue.enqueue(admitJobKind, {}, { uniqueKey: admitJobKind, runAfter })
    },
  })
}
