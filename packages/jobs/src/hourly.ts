import type { JobQueue } from './job-queue.ts'

const hourMs = 3_600_000

/**
 * Registers work that runs every hour, in one process at a time. Each run schedules the next one, even if all of its
 * attempts fail. @param clock returns the time from which the hour is counted @param kind kind of the job; at most one
 * such job is waiting
 * @returns schedules the first run; call it when the server starts
 */
export function registerHourly(
  queue: Pick<JobQueue, 'enqueue' | 'handle'>,
  clock: { now(): Date },
  kind: string,
  run: () => Promise<unknown>,
): () => Promise<void> {
  async function schedule(): Promise<void> {
    await queue.enqueue(kind, {}, { uniqueKey: kind, runAfter: new Date(clock.now().getTime() + hourMs) })
  }
  queue.handle(kind, {
    async run() {
      await run()
      await schedule()
    },
    giveUp: schedule,
  })
  return schedule
}
