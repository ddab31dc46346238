import type { JobQueue } from './job-queue.ts'

const hourMs = 3_600_000

/**
 * Registers work that runs every hour, in one process at a time. Each run schedules the next one, even if all of its attempts
 * fail. It uses the real clock, because the queue compares times with the clock of its database.
 * @param kind kind of the job; at most one such job is waiting
 * @returns a function that schedules the first run; call it when the server starts
 */
export function registerHourly(
  queue: Pick<JobQueue, 'enqueue' | 'handle'>,
  kind: string,
  run: () => Promise<unknown>,
): () => Promise<void> {
  async function schedule(): Promise<void> {
    await queue.enqueue(kind, {}, { uniqueKey: kind, runAfter: new Date(Date.now() + hourMs) })
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
