import { setTimeout as sleep } from 'node:timers/promises'
import type { JobQueue, RunningJob } from '@headwater/jobs'
import { writeMessage, type Logs } from '@headwater/logs/server'
import type { Clock, StopSignals } from '@headwater/server-kit'
import {
  executeStep,
  joinMessages,
  restartedMessage,
  type ExecuteStepDependencies,
  type StepResult,
} from './execute-step.ts'
import { retryPause } from './retries.ts'
import {
  stepJobKinds,
  type ChainEnd,
  type RunsStore,
  type StartedStep,
  type StepEnd,
  type StepJobKind,
} from './runs-store.ts'
import type { StepWait } from './step-kinds.ts'

/** Dependencies of the jobs that execute steps. */
export interface StepJobsDependencies extends ExecuteStepDependencies {
  /** Stored runs and their steps. */
  runs: Pick<RunsStore, 'begin' | 'createdAt' | 'end' | 'endChain' | 'leftOutReferences' | 'values'>
  /** Aborts the steps of stopped runs. */
  stops: StopSignals
  /** Stores the messages of built-in steps; scripts write their own. */
  logs: Pick<Logs, 'open'>
  /** Queue that executes steps. */
  queue: Pick<JobQueue, 'handle'>
  /** Name of this process in the history of attempts. */
  worker: string
  /** Current time. */
  clock: Clock
  /** Returns a random number from 0 to 1, for the pauses before retries. */
  random: () => number
}

/** Names of the lanes of the queue. */
export const stepLanes = { userCode: 'user-code', builtIn: 'built-in' } as const

interface StepJob {
  runId: string
  number: number
}

const givenUpMessage = 'The run failed after several attempts. Start it again later.'
/** Delay before the start of a step in a continued job is reported, in milliseconds. */
const reportedAfterMs = 150

/** Registers the handlers of steps with the queue. */
export function registerStepJobs(deps: StepJobsDependencies): void {
  for (const [name, kind] of Object.entries(stepJobKinds) as [keyof typeof stepJobKinds, StepJobKind][])
    deps.queue.handle<StepJob>(kind, {
      lane: stepLanes[name],
      run: (job) => executeSteps(deps, kind, job),
      giveUp: (job) => giveUp(deps, job),
    })
}

/** One execution of a job. */
interface Execution {
  kind: StepJobKind
  job: RunningJob<StepJob>
  /** Aborts when a user stops the run. */
  stop: AbortSignal
}

/**
 * Executes the step of a job, and then the next steps of the same kind in the same job. It stores results after each step,
 * or after each chain of fused steps. While other jobs are waiting, the next step with user code becomes a new job, because
 * the queue alternates between users.
 */
async function executeSteps(
  deps: StepJobsDependencies,
  kind: StepJobKind,
  job: RunningJob<StepJob>,
): Promise<void> {
  const begun = await begin(deps, job)
  if (begun === undefined) return
  const { signal: stop, release } = deps.stops.watch(begun.runId)
  try {
    let step: StartedStep | undefined = begun
    while (step !== undefined) step = await executeChain(deps, { kind, job, stop }, step, step === begun)
  } finally {
    release()
  }
}

/**
 * Executes a step and the rest of its chain until a step fails, and writes the results in one transaction. Returns the next
 * step, which has begun.
 * @param isVisible whether the first step is already reported as running
 */
async function executeChain(
  deps: StepJobsDependencies,
  { kind, job, stop }: Execution,
  first: StartedStep,
  isVisible: boolean,
): Promise<StartedStep | undefined> {
  const { clock, runs } = deps
  const ends: ChainEnd[] = []
  const write = async () => {
    const at = clock.now()
    return (await (ends.length === 1 ? runs.end(ends[0]!, at) : runs.endChain(ends, at))).next
  }
  let step: StartedStep | undefined = first
  while (step !== undefined) {
    const startedAt = clock.now()
    let result: StepResult | StepWait
    try {
      const execution = executeStep(deps, step, job, stop)
      result = await (isVisible && step === first ? execution : reportingStart(deps, step, execution))
      if ('seen' in result && step !== first) throw new Error('A step of a chain cannot wait for runs.')
    } catch (error) {
      // The job then restarts with this step.
      if (ends.length > 0) await write()
      throw error
    }
    if ('seen' in result) {
      await deps.children.await(step, result, clock.now())
      return undefined
    }
    if (kind === stepJobKinds.builtIn) await writeResult(deps, step, result)
    ends.push({
      ...endOf(step, result),
      eId: step.eId,
      startedAt,
      endedAt: clock.now(),
      ...(result.canRetry ? retryOf(deps, step, result) : {}),
      ...((kind === stepJobKinds.builtIn ? !job.signal.aborted : job.canContinue())
        ? { nextKind: kind, queueJob: job.id, worker: deps.worker }
        : {}),
    })
    const isContinued: boolean = result.outcome === 'INFO' && !job.signal.aborted && !stop.aborted
    step = isContinued ? nextOfChain(first, step, result) : undefined
  }
  return write()
}

function endOf({ runId, number, attempt }: StartedStep, result: StepResult): StepEnd {
  const { outcome, message, values, branch } = result
  return { runId, number, attempt, outcome, message, values, branch }
}

/** Returns the next step of a chain. Its attempt number differs from earlier executions of the chain. */
function nextOfChain(
  first: StartedStep,
  before: StartedStep,
  { values }: StepResult,
): StartedStep | undefined {
  const [next, ...chain] = before.chain
  if (next === undefined) return undefined
  return {
    ...before,
    ...next,
    attempt: next.attempt + first.attempt,
    failures: 0,
    isRestart: false,
    lastMessage: '',
    values: { ...before.values, ...values },
    unwritten: { ...before.unwritten, ...values },
    chain,
  }
}

/** Writes the message of a result and its detail to the log. */
async function writeResult(
  { logs }: Pick<StepJobsDependencies, 'logs'>,
  { runId, eId, task }: StartedStep,
  { outcome, message, detail = '' }: StepResult,
): Promise<void> {
  const source = { jobId: runId, eId, component: task.name }
  await writeMessage(logs, source, { status: outcome, message })
  // The log stores each line as a separate entry.
  await writeMessage(logs, source, { status: 'INFO', message: detail.replaceAll(/\s+/g, ' ').trim() })
}

/**
 * Reports the start of a step in a continued job only if it is still running after a short time. Most such steps end before a
 * user could see them running.
 */
async function reportingStart(
  { statuses }: StepJobsDependencies,
  { runId, eId }: StartedStep,
  execution: Promise<StepResult | StepWait>,
): Promise<StepResult | StepWait> {
  const ended = new AbortController()
  // If the report fails, for example because the database restarts, the step continues. Without a handler, the rejection would
  // end the process before the step finishes.
  const reported = sleep(reportedAfterMs, undefined, { signal: ended.signal })
    .then(() => statuses.updateComponent(runId, eId, { status: 'RUNNING' }))
    .catch(() => {})
  try {
    return await execution
  } finally {
    ended.abort()
    // The report must not arrive after the result.
    await reported
  }
}

function begin(deps: StepJobsDependencies, job: RunningJob<StepJob>): Promise<StartedStep | undefined> {
  const { worker, clock } = deps
  return deps.runs.begin({ id: job.id, ...job.payload }, { worker, restartedMessage, at: clock.now() })
}

/** Ends a step after the last attempt of its job failed. */
async function giveUp(deps: StepJobsDependencies, job: RunningJob<StepJob>): Promise<void> {
  const step = await begin(deps, job)
  if (step === undefined) return
  const { runId, number, attempt, lastMessage } = step
  const message = joinMessages(givenUpMessage, lastMessage)
  await deps.runs.end({ runId, number, attempt, outcome: 'ERROR', message, values: {} }, deps.clock.now())
}

/**
 * Returns when a failed step is retried; undefined after its last attempt and for errors that are not retried.
 */
function retryOf(
  { clock, random }: Pick<StepJobsDependencies, 'clock' | 'random'>,
  { task, failures }: StartedStep,
  { message, errors }: StepResult,
): Pick<StepEnd, 'retryAt' | 'retryMessage'> {
  const pause = retryPause(task, failures, errors, random)
  if (pause === undefined) return {}
  const attempts = (task.retries ?? 0) + 1
  const retryMessage = joinMessages(
    `Attempt ${failures + 1} of ${attempts} failed. The next one starts within ${Math.ceil(pause.atMost)} s.`,
    message,
  )
  return { retryAt: new Date(clock.now().getTime() + pause.seconds * 1000), retryMessage }
}
