import type { Clock, Log } from '@headwater/server-kit'

/** Work that runs after the response, so that the response time does not reveal whether there is any. */
export interface BackgroundWork {
  /** Starts work; a failure is logged under `what`. */
  start(what: string, work: () => Promise<void>): void
  /** Waits until all work has ended, including work that it starts. */
  settled(): Promise<void>
}

/** Runs background work and logs its failures. */
export function createBackgroundWork({ log }: { log: Log }): BackgroundWork {
  const running = new Set<Promise<void>>()
  return {
    start(what, work) {
      const task = work()
        .catch((error: unknown) => log.error({ error }, `${what} failed`))
        .finally(() => running.delete(task))
      running.add(task)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Returns a function that starts the work, at most once an hour. */
export function createHourlyWork(options: {
  what: string
  work: () => Promise<void>
  background: BackgroundWork
  clock: Clock
}): () => void {
  const { what, work, background, clock } = options
  let last = -Infinity
  return () => {
    const now = clock.now().getTime()
    if (now - last < 3_600_000) return
    last = now
    background.start(what, work)
  }
}
