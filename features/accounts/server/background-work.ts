import type { Clock, Log } from '@headwater/server-kit'

/** Work that an answer does not wait for, so that its time tells nothing about what is done. */
export interface BackgroundWork {
  /** Starts work; a failure is logged under `what`. */
  start(what: string, work: () => Promise<void>): void
  /** Waits until all work has ended. */
  settled(): Promise<void>
}

/** Creates the runner. */
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

/** Starts work at most once an hour, whenever somebody comes by. */
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
