import type { ChildRun, ChildrenStore, ChildrenTally, ParentStep } from './children-store.ts'
import type { StepWait } from './step-kinds.ts'

/** Runs that a step starts and waits for. The step executes again after the end of each of them. */
export interface StepChildren {
  /** The step, for the start of its runs. */
  readonly parent: ParentStep
  /** Stores the values of the runs, once. */
  plan(values: readonly string[]): Promise<void>
  /** Returns the counts of the runs. Before a further attempt after an ERROR, failed runs are planned again. */
  tally(): Promise<ChildrenTally>
  /** Returns the next runs that have not started. */
  next(count: number): Promise<ChildRun[]>
  /** Returns the first failed runs. */
  failed(count: number): Promise<ChildRun[]>
  /** Returns the first run. */
  first(): Promise<ChildRun | undefined>
  /** Ends a run that cannot start, with ERROR. */
  refuse(position: number, message: string): Promise<void>
  /** Returns the result with which this execution ends until another run ends, or until `wakeAt`. */
  wait(message: string, wakeAt?: Date): StepWait
}

/** Returns the runs of a step. */
export function childrenOf(
  store: ChildrenStore,
  { runId, number, failures }: ParentStep & { failures: number },
): StepChildren {
  const parent = { runId, number }
  let seen = 0
  let isReset = failures === 0
  return {
    parent,
    plan: (values) => store.plan(parent, values, failures),
    async tally() {
      if (!isReset) await store.resetFailed(parent, failures)
      isReset = true
      const tally = await store.tally(parent)
      seen = tally.ended.INFO + tally.ended.WARN + tally.ended.ERROR
      return tally
    },
    next: (count) => store.next(parent, count),
    failed: (count) => store.failed(parent, count),
    first: () => store.first(parent),
    async refuse(position, message) {
      await store.refuse(parent, position, message)
      seen += 1
    },
    wait: (message, wakeAt) => ({
      status: 'WAIT',
      message,
      seen,
      ...(wakeAt === undefined ? {} : { wakeAt }),
    }),
  }
}
