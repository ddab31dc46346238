import { createListener, type Listener } from '@headwater/jobs'
import type { Database } from '@headwater/server-kit'
import type { RunsStore, StoredRun } from './runs-store.ts'

/** Maximum time between two checks, in ms. Notifications can be lost. */
const pollMs = 1000

/** Waits for runs to end, whichever server executes them. */
export interface RunEnds {
  /** Waits up to `timeoutMs` for a run to end or pause, and returns it; undefined if it does not exist. */
  waitFor(id: string, timeoutMs: number): Promise<StoredRun | undefined>
  /** Stops listening. */
  close(): Promise<void>
}

/** Creates the waiter. The first wait opens a connection that receives notifications. */
export function createRunEnds(
  { pool }: Pick<Database, 'pool'>,
  runs: Pick<RunsStore, 'find'>,
  warn: (message: string) => void = () => {},
): RunEnds {
  let listener: Listener | undefined
  const waiters = new Map<string, Set<() => void>>()

  function listen(): void {
    if (listener !== undefined) return
    listener = createListener(pool, ['run_ended'], warn)
    listener.subscribe('run_ended', (id) => {
      for (const wake of waiters.get(id) ?? []) wake()
    })
  }

  return {
    async waitFor(id, timeoutMs) {
      listen()
      const deadline = performance.now() + timeoutMs
      for (;;) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const own = waiters.get(id) ?? new Set()
        waiters.set(id, own.add(resolve))
        try {
          const run = await runs.find(id)
          const leftMs = deadline - performance.now()
          if (run === undefined || run.state === 'ended' || run.state === 'paused' || leftMs <= 0) return run
          const timer = setTimeout(resolve, Math.min(pollMs, leftMs))
          await promise
          clearTimeout(timer)
        } finally {
          own.delete(resolve)
          if (own.size === 0) waiters.delete(id)
        }
      }
    },
    close: async () => listener?.close(),
  }
}
