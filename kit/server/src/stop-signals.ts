import { setTimeout as sleep } from 'node:timers/promises'

/** Interval at which each server checks whether another server has stopped a run, in milliseconds. */
const pollMs = 400

/** Error with which the steps of a stopped run abort. */
export class StopError extends Error {
  /**
   * @param message reason for users, such as `The run was stopped by anna@example.com.`; empty if it is unknown
   */
  constructor(message: string) {
    super(message)
    this.name = 'AbortError'
  }
}

/** Signals that abort the steps of stopped runs in this process. */
export interface StopSignals {
  /** Returns a signal that aborts when a run is stopped, on any server, and a function that ends the subscription. */
  watch(runId: string): { signal: AbortSignal; release: () => void }
  /**
   * Immediately aborts the steps of a run in this process. The reason of the signal is a {@link StopError} with this text.
   */
  abort(runId: string, reason?: string): void
}

/** Creates the signals. While steps are in progress, one query per interval finds out which of their runs were stopped. */
export function createStopSignals(runs: {
  /** Returns the given runs that a user has stopped, with the reason if it is known. */
  stopRequested(ids: readonly string[]): Promise<{ id: string; reason?: string | undefined }[]>
}): StopSignals {
  const watched = new Map<string, Set<AbortController>>()
  let polling = false

  function abort(runId: string, reason = ''): void {
    for (const controller of watched.get(runId) ?? []) controller.abort(new StopError(reason))
  }

  async function poll(): Promise<void> {
    polling = true
    for (;;) {
      await sleep(pollMs, undefined, { ref: false })
      if (watched.size === 0) break
      // Steps continue while the database is unavailable.
      for (const { id, reason } of await runs.stopRequested([...watched.keys()]).catch(() => []))
        abort(id, reason)
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
