import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { JobQueue } from '@headwater/jobs'
import type { Logs } from '@headwater/logs/server'
import {
  createStopSignals,
  type Clock,
  type Database,
  type Executor,
  type Principal,
} from '@headwater/server-kit'
import { stoppedByMessage, stoppedMessage } from '@headwater/statuses/contract'
import type { Statuses } from '@headwater/statuses/server'
import { registerAdmissions } from './admissions.ts'
import { createChildrenStore, type ChildrenStore } from './children-store.ts'
import { createLimitsStore, type LimitsStore } from './limits-store.ts'
import { createRunHistory, type RunHistory } from './run-history.ts'
import { createRunsStore, type RunsStore } from './runs-store.ts'
import { startRun, type RunStart } from './start-run.ts'
import { registerStepJobs } from './step-jobs.ts'
import type { StepKind } from './step-kinds.ts'
import { createRunEnds, type RunEnds } from './wait-for-end.ts'

export type { LimitTarget, RunLimits } from './limits-store.ts'
export { stopReasonOf } from './execute-step.ts'
export { isUnavailableStatus } from './retries.ts'
export { stepLanes } from './step-jobs.ts'
export { maxRunsOfUser, type RunStart } from './start-run.ts'
export type { AncestorRun, ChildRun, ChildrenTally } from './children-store.ts'
export type { StepChildren } from './step-children.ts'
export {
  maxRunValues,
  stepJobKinds,
  type PlannedStep,
  type StepTask,
  type StoredRun,
  type StoredStep,
} from './runs-store.ts'
export type { NamedSecret, StepKind, StepOutcome, StepWait, StepWork } from './step-kinds.ts'
export { toStorable } from './storable-text.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the feature. */
export interface RunsDependencies {
  /** Database that stores the runs. */
  database: Database
  /** Clock for the timestamps of transitions. */
  clock: Clock
  /** Reports the progress of steps. */
  statuses: Pick<Statuses, 'updateComponent'>
  /** Stores the messages of steps that the server executes itself. */
  logs: Pick<Logs, 'open'>
  /** Returns a random number from 0 to 1, for the pauses before retries. Default `Math.random`. */
  random?: (() => number) | undefined
  /** Queue that executes steps. It has the lanes {@link stepLanes}. */
  queue: JobQueue
  /** Returns the step kind with this name; undefined if this installation does not have it. */
  findKind: (definitionName: string) => StepKind | undefined
  /** Returns the principal of an active user. A run has the access of the user who started it. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** Executes pipelines and single tasks: their steps run in order, independent steps in parallel. */
export interface Runs
  extends
    Pick<LimitsStore, 'limits' | 'setLimits'>,
    Pick<ChildrenStore, 'adopt' | 'ancestors'>,
    Pick<
      RunsStore,
      | 'continue'
      | 'decide'
      | 'find'
      | 'findOfPipeline'
      | 'isAttemptRunning'
      | 'latestOfPipelines'
      | 'openRuns'
      | 'setInput'
      | 'setValue'
      | 'steps'
      | 'transaction'
      | 'value'
      | 'values'
    > {
  /** Reads attempts, decisions and states of steps. */
  history: RunHistory
  /** Starts a run and returns the id of its job; undefined if the user already has too many runs. */
  start(run: RunStart): Promise<string | undefined>
  /** Waits up to `timeoutMs` for a run to end or pause. */
  waitFor: RunEnds['waitFor']
  /** Closes the connection that receives notifications about finished runs. */
  close(): Promise<void>
  /**
   * Stops runs and their child runs. Steps that have not started end immediately; steps in progress are aborted on every server.
   * `by`: user name for the messages.
   */
  stop(ids: readonly string[], executor?: Executor, by?: string): Promise<void>
}

/** Creates the feature and registers the handlers of steps. The caller starts the queue. */
export function createRuns(dependencies: RunsDependencies): Runs {
  const { database, clock } = dependencies
  const store = createRunsStore(database)
  const limits = createLimitsStore(database.pool)
  const children = createChildrenStore(database.pool)
  const stops = createStopSignals(store)
  const ends = createRunEnds(database, store)
  registerStepJobs({
    ...dependencies,
    random: dependencies.random ?? Math.random,
    runs: store,
    children,
    stops,
    worker: `${hostname()} ${randomUUID()}`,
  })
  registerAdmissions({ limits, queue: dependencies.queue, clock })
  return {
    ...store,
    ...limits,
    adopt: (step, childId, executor) => children.adopt(step, childId, executor),
    ancestors: (runId) => children.ancestors(runId),
    history: createRunHistory(database),
    waitFor: (id, timeoutMs) => ends.waitFor(id, timeoutMs),
    close: () => ends.close(),
    start: (run) => startRun({ runs: store, clock }, run),
    async stop(ids, executor, by) {
      const reason = by === undefined ? stoppedMessage : stoppedByMessage(by)
      const active = await store.stop(ids, reason, clock.now(), executor)
      // With a transaction of the caller, workers cannot see the stop request until it commits; their next poll finds it.
      if (executor === undefined) for (const id of active) stops.abort(id, reason)
    },
  }
}
