import { setTimeout as sleep } from 'node:timers/promises'

/** Interval at which each server checks whether a run was stopped on another server. */
const pollMs = 400

/** Signals that abort the steps of stopped runs in this process. */
export interface StopSignals {
  /** Returns a signal that aborts when a run is stopped, on any server, and a function that ends the subscription. */
  watch(runId: string): { signal: AbortSignal; release: () => void }
  /** Immediately aborts the steps of a run in this process. */
  abort(runId: string): void
}

/** Creates the signals. While steps are in progress, one query per interval finds the stopped runs among theirs. */
export function createStopSignals(runs: {
  /** Returns which of the given runs were stopped by a user. */
  stopRequested(ids: readonly string[]): Promise<string[]>
}): StopSignals {
  const watched = new Map<string, Set<AbortController>>()
  let polling = false

  function abort(runId: string): void {
    for (const controller of watched.get(runId) ?? []) controller.abort()
  }

  async function poll(): Promise<void> {
    polling = true
    for (;;) {
      await sleep(pollMs, undefined, { ref: false })
      if (watched.size === 0) break
      // Steps continue while the database is unavailable.
      for (const id of await runs.stopRequested([...watched.keys()]).catch(() => [])) abort(id)
    }
    polling = false
  }

  return {
    watch(runId) {
      const controller = new AbortController()
      const controllers = watched.get(runId) ?? new Set()
      watched.set(runId, controllers.add(controller))
      if (!polling) void poll()
      return {
        signal: controller.signal,
        release() {
          controllers.delete(controller)
          if (controllers.size === 0 && watched.get(runId) === controllers) watched.delete(runId)
        },
      }
    },
    abort,
  }
}
