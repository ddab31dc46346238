import { setTimeout as sleep } from 'node:timers/promises'
import type { JobQueue, RunningJob } from '@headwater/jobs'
import type { Executor, Principal } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { Tasks } from '@headwater/tasks/server'
import { executeStep, joinMessages, possiblyDoneMessage, stoppedMessage } from './run-step.ts'
import type { RunsStore, StepOutcome, StoredRun, StoredStep } from './runs-store.ts'

/** Kind of the jobs that execute runs. */
export const runJobKind = 'run-pipeline'

/** Returns the unique key of the job that executes a run. */
export function jobKeyOf(runId: string): string {
  return `${runJobKind} ${runId}`
}

/** Interval of the check whether a user stopped the run on another server. */
const stopPollMs = 2000
const givenUpMessage = 'The run failed after several attempts. Start it again later.'

/** Execution of runs, step by step. A resumed run continues after the last finished step. */
export interface RunWork {
  /** Aborts the step of a run if it is executing in this process. */
  abort(runId: string): void
}

/** Dependencies of the execution of runs. */
export interface RunWorkDependencies {
  /** Stored runs and their steps. */
  runs: RunsStore
  /** Finds the kinds of tasks. */
  tasks: Pick<Tasks, 'findKind'>
  /** Reports the statuses of runs and steps. */
  statuses: Pick<Statuses, 'updateComponent' | 'finishJob' | 'statusesOfComponents'>
  /** Queue that executes the jobs of runs. */
  queue: Pick<JobQueue, 'handle'>
  /** Returns the principal of an active user. A run has the access of the user who started it. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** Registers the handler of runs at the queue. */
export function createRunWork(deps: RunWorkDependencies): RunWork {
  const { runs, queue } = deps
  const stops = new Map<string, AbortController>()

  async function work(job: RunningJob<{ runId: string }>): Promise<void> {
    const run = await runs.find(job.payload.runId)
    if (run === undefined || run.paused) return
    const stop = new AbortController()
    stops.set(run.id, stop)
    const done = new AbortController()
    const polling = pollForStop(runs, run.id, stop, done.signal)
    try {
      await executeSteps(deps, run, job, stop.signal)
    } finally {
      done.abort()
      // A newer attempt at this run may have replaced the controller.
      if (stops.get(run.id) === stop) stops.delete(run.id)
      await polling
    }
  }

  queue.handle<{ runId: string }>(runJobKind, {
    run: work,
    giveUp: ({ payload }) => giveUp(deps, payload.runId),
  })
  return { abort: (runId) => stops.get(runId)?.abort() }
}

/** Executes the remaining steps until the run ends or pauses. */
async function executeSteps(
  deps: RunWorkDependencies,
  run: StoredRun,
  job: RunningJob,
  stop: AbortSignal,
): Promise<void> {
  const { runs, statuses } = deps
  const steps = await runs.steps(run.id)
  await statuses.finishJob(run.id, { status: 'RUNNING' })
  for (const step of steps) {
    // The server may have stopped after a step failed and before the run ended.
    if (step.outcome !== undefined && step.outcome.status !== 'INFO')
      return finish(deps, run, job, withTaskName(step, step.outcome))
    if (step.state === 'done') continue
    if (stop.aborted || (await runs.find(run.id))?.stopRequested) return finishStopped(deps, run, step, job)
    if (step.task.isPaused) {
      if (await pause(deps, run, step, job)) return
      return finishStopped(deps, run, step, job)
    }
    const { values, ...outcome } = await executeStep(deps, run, step, job, stop)
    await runs.transaction(async (executor) => {
      await statuses.updateComponent(run.id, step.eId, outcome, executor)
      await runs.endStep(run.id, step.number, outcome, values, executor)
    })
    if (outcome.status !== 'INFO') return finish(deps, run, job, withTaskName(step, outcome))
  }
  const count = steps.length
  const message = count === 1 ? 'The task succeeded.' : `All ${count} tasks succeeded.`
  return finish(deps, run, job, { status: 'INFO', message })
}

function finish(
  deps: RunWorkDependencies,
  run: StoredRun,
  job: RunningJob,
  outcome: StepOutcome,
): Promise<void> {
  return deps.runs.transaction((executor) => finishWithin(deps, executor, run, job, outcome))
}

async function finishWithin(
  { runs, statuses }: RunWorkDependencies,
  executor: Executor,
  run: StoredRun,
  job: RunningJob,
  outcome: StepOutcome,
): Promise<void> {
  await statuses.finishJob(run.id, outcome, executor)
  await runs.end(run.id, executor)
  await job.complete(executor)
}

/** Finishes a stopped run before a step, or in an interrupted step. */
function finishStopped(
  deps: RunWorkDependencies,
  run: StoredRun,
  step: StoredStep,
  job: RunningJob,
): Promise<void> {
  return deps.runs.transaction(async (executor) => {
    await reportStoppedStep(deps, executor, run, step)
    await finishWithin(deps, executor, run, job, { status: 'ERROR', message: stoppedMessage })
  })
}

/** Pauses a run until a user continues it; returns false if a user stopped it. */
function pause(
  { runs, statuses }: RunWorkDependencies,
  run: StoredRun,
  { eId, task }: StoredStep,
  job: RunningJob,
): Promise<boolean> {
  return runs.transaction(async (executor) => {
    if (!(await runs.pause(run.id, executor))) return false
    const message = `The run is paused before “${task.name}”.`
    await statuses.updateComponent(run.id, eId, { status: 'PAUSED', message }, executor)
    await statuses.finishJob(run.id, { status: 'PAUSED', message }, executor)
    await job.complete(executor)
    return true
  })
}

/** Reports that a step will not run or finish, whatever its status was. */
async function reportStoppedStep(
  deps: RunWorkDependencies,
  executor: Executor,
  run: StoredRun,
  { eId, state, task }: StoredStep,
): Promise<void> {
  if (state !== 'running')
    return deps.statuses.updateComponent(
      run.id,
      eId,
      { status: 'UNEXECUTED', message: stoppedMessage },
      executor,
    )
  const isRepeatable = deps.tasks.findKind(task.definitionName)?.repeatable ?? true
  const reason = isRepeatable ? stoppedMessage : `${stoppedMessage} ${possiblyDoneMessage}`
  await reportInterruption(deps, executor, run.id, eId, reason)
}

/**
 * Puts the reason for an interruption before the last message of a step.
 * @param executor transaction that ends the run; in another one, a retry would add the reason again
 */
async function reportInterruption(
  { statuses }: RunWorkDependencies,
  executor: Executor,
  runId: string,
  eId: string,
  reason: string,
): Promise<void> {
  const known = await statuses.statusesOfComponents([{ jobId: runId, eId }], executor)
  const message = joinMessages(reason, known.get(eId)?.message ?? '')
  await statuses.updateComponent(runId, eId, { status: 'ERROR', message }, executor)
}

/** Ends a run after its last attempt failed. */
async function giveUp(deps: RunWorkDependencies, runId: string): Promise<void> {
  const { runs, statuses } = deps
  const steps = await runs.steps(runId)
  await runs.transaction(async (executor) => {
    for (const { eId, state } of steps)
      if (state === 'running') await reportInterruption(deps, executor, runId, eId, givenUpMessage)
    await statuses.finishJob(runId, { status: 'ERROR', message: givenUpMessage }, executor)
    await runs.end(runId, executor)
  })
}

async function pollForStop(
  runs: RunsStore,
  runId: string,
  stop: AbortController,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted) {
    await sleep(stopPollMs, undefined, { signal: done }).catch(() => {})
    if (done.aborted) return
    const run = await runs.find(runId).catch(() => undefined)
    if (run?.stopRequested) stop.abort()
  }
}

function withTaskName({ task }: StoredStep, { status, message }: StepOutcome): StepOutcome {
  return { status, message: `“${task.name}”: ${message}` }
}
