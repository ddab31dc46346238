import { randomUUID } from 'node:crypto'
import type { RunAttempt, TestRun } from '@headwater/server-kit'
import { taskErrors } from '../../contract/index.ts'

/** Maximum number of values that a test run can store. */
const maxValues = 100
/** Maximum number of characters of these values together. */
const maxValuesLength = 1_000_000

/** A test run in progress. */
export interface OpenTestRun {
  /** Ids that identify the test run in its token. No stored run has these ids. */
  attempt: RunAttempt
  /** Aborts when the caller disconnects, or the server stops. */
  signal: AbortSignal
  /** Values that its code has stored, by name, with secrets redacted. */
  values: ReadonlyMap<string, string>
  /** Revokes the access of its code and lets the user start the next test run. */
  end(): void
}

/** Test runs in progress in this process. They exist only in memory. */
export interface TestRuns {
  /**
   * Begins a test run of a user.
   * @param events.onMessage receives the messages that the code sends
   * @throws testInProgress if the user already has one in this process
   */
  begin(userId: number, events: { signal: AbortSignal; onMessage: (message: string) => void }): OpenTestRun
  /** Returns the test run with these ids; undefined after its end. */
  find(attempt: RunAttempt): TestRun | undefined
  /** Stops all test runs. Called before the server stops. */
  stop(): void
}

/**
 * Creates the registry.
 * @param hide redacts the secrets that tasks of a user are using
 */
export function createTestRuns(hide: (userId: number, text: string) => string): TestRuns {
  const byUser = new Map<number, { attempt: RunAttempt; testRun: TestRun }>()
  const stopping = new AbortController()

  return {
    begin(userId, { signal, onMessage }) {
      if (byUser.has(userId)) throw taskErrors.testInProgress()
      const attempt = { runId: randomUUID(), eId: randomUUID(), attempt: 1 }
      const stored = new Map<string, string>()
      const values = new Map<string, string>()
      let length = 0
      const testRun: TestRun = {
        value: (name) => stored.get(name),
        setValue(name, value) {
          const after = length + value.length - (stored.get(name)?.length ?? 0)
          if (after > maxValuesLength || (!stored.has(name) && stored.size >= maxValues)) return false
          length = after
          stored.set(name, value)
          values.set(name, hide(userId, value))
          return true
        },
        addMessage: (message) => onMessage(hide(userId, message)),
      }
      byUser.set(userId, { attempt, testRun })
      return {
        attempt,
        values,
        signal: AbortSignal.any([signal, stopping.signal]),
        end: () => byUser.delete(userId),
      }
    },
    find: ({ runId, eId }) =>
      [...byUser.values()].find(({ attempt }) => attempt.runId === runId && attempt.eId === eId)?.testRun,
    stop: () => stopping.abort(new Error('The server is shutting down.')),
  }
}
