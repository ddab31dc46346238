import type { ChildRun, ChildrenStore, ChildrenTally, ParentStep } from './children-store.ts'
import type { StepWait } from './step-kinds.ts'

/** Child runs that a step starts and waits for. The step executes again whenever one of them ends. */
export interface StepChildren {
  /** The step that starts the runs. */
  readonly parent: ParentStep
  /** Stores the values of the runs, unless they are already stored. */
  plan(values: readonly string[]): Promise<void>
  /** Returns the counts of the runs. A retry after an ERROR first plans failed runs again. */
  tally(): Promise<ChildrenTally>
  /** Returns the next runs that have not started. */
  next(count: number): Promise<ChildRun[]>
  /** Returns the first failed runs. */
  failed(count: number): Promise<ChildRun[]>
  /** Returns the first run. */
  first(): Promise<ChildRun | undefined>
  /** Marks a run that cannot start as ended with ERROR. */
  refuse(position: number, message: string): Promise<void>
  /** Returns a result that ends this execution until the next child run ends, or until `wakeAt`. */
  wait(message: string, wakeAt?: Date): StepWait
}

/** Returns the child runs of a step. */
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
