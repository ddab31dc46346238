import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, countOf } from '@headwater/contract'
import type { JobQueue, RunningJob } from '@headwater/jobs'
import type { Executor, Principal } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import { isReference } from '@headwater/tasks/contract'
import type { TaskKind, TaskOutcome, Tasks } from '@headwater/tasks/server'
import type { RunsStore, StepOutcome, StoredRun, StoredStep } from './runs-store.ts'

export const runJobKind = 'run-pipeline'

/** Unique key of the job in the queue that does the work of a run. */
export function workOf(runId: string): string {
  return `${runJobKind} ${runId}`
}

/** How often a run looks whether somebody has asked for its end on another server. */
const lookEveryMs = 2000
/** What a kind of task may take beyond its timeout before it is told to end; some look after it themselves. */
const graceMs = 10_000
const givenUp = 'The run failed after several attempts. Start it again later.'
const stopped = 'The run was stopped.'
const startedAgain = 'The task was interrupted, for example by a server stop, and was restarted.'
const mayBeDone =
  'The server stopped while this task was running. The task may have finished its work; check before you run it again.'

/** How a step ended, with what it gives on. */
type EndedStep = StepOutcome & Pick<TaskOutcome, 'outputs'>

/** The work of runs, step by step. A step that has ended stays so: a run that is taken up again goes on behind it. */
export interface RunWork {
  /** Ends the step that runs here, if the run does. */
  abort(runId: string): void
}

export interface RunWorkDependencies {
  runs: RunsStore
  tasks: Pick<Tasks, 'findKind'>
  statuses: Pick<Statuses, 'updateComponent' | 'finishJob' | 'statusesOfComponents'>
  queue: Pick<JobQueue, 'handle'>
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** Names the handler of runs to the queue. */
export function createRunWork({ runs, tasks, statuses, queue, findPrincipal }: RunWorkDependencies): RunWork {
  const stops = new Map<string, AbortController>()

  async function work(job: RunningJob<{ runId: string }>): Promise<void> {
    const run = await runs.find(job.payload.runId)
    if (run === undefined || run.paused) return
    const stop = new AbortController()
    stops.set(run.id, stop)
    const done = new AbortController()
    const looking = lookForStop(run.id, stop, done.signal)
    try {
      await goOn(run, job, stop)
    } finally {
      done.abort()
      // The run may have been taken up again by now, with a way of its own to end it.
      if (stops.get(run.id) === stop) stops.delete(run.id)
      await looking
    }
  }

  /** Does the steps that are left, until the run ends or pauses. */
  async function goOn(run: StoredRun, job: RunningJob, stop: AbortController): Promise<void> {
    const steps = await runs.steps(run.id)
    await statuses.finishJob(run.id, { status: 'RUNNING' })
    for (const step of steps) {
      // A step that failed ends the run, also when the server was stopped before it could.
      if (step.outcome !== undefined && step.outcome.status !== 'INFO')
        return finish(run, job, ofStep(step, step.outcome))
      if (step.state === 'done') continue
      if (stop.signal.aborted || (await runs.find(run.id))?.stopRequested) {
        return endStopped(run, step, job)
      }
      if (step.task.isPaused) {
        if (await pause(run, step, job)) return
        return endStopped(run, step, job)
      }
      const { outputs = {}, ...outcome } = await doStep(run, step, job, stop)
      await runs.transaction(async (executor) => {
        await statuses.updateComponent(run.id, step.eId, outcome, executor)
        await runs.endStep(run.id, step.number, outcome, valuesOf(step, outputs), executor)
      })
      if (outcome.status !== 'INFO') return finish(run, job, ofStep(step, outcome))
    }
    const count = steps.length
    const message = count === 1 ? 'The task succeeded.' : `All ${count} tasks succeeded.`
    return finish(run, job, { status: 'INFO', message })
  }

  function finish(run: StoredRun, job: RunningJob, end: StepOutcome): Promise<void> {
    return runs.transaction((executor) => finishWithin(executor, run, job, end))
  }

  async function finishWithin(
    executor: Executor,
    run: StoredRun,
    job: RunningJob,
    end: StepOutcome,
  ): Promise<void> {
    await statuses.finishJob(run.id, end, executor)
    await runs.end(run.id, executor)
    await job.complete(executor)
  }

  /** Ends a run before a step, or in it while nobody does it. */
  function endStopped(run: StoredRun, step: StoredStep, job: RunningJob): Promise<void> {
    return runs.transaction(async (executor) => {
      await tellOpenStep(executor, run, step)
      await finishWithin(executor, run, job, { status: 'ERROR', message: stopped })
    })
  }

  /** Has the run wait to be continued; false when it is to end. */
  function pause(run: StoredRun, { eId, task }: StoredStep, job: RunningJob): Promise<boolean> {
    return runs.transaction(async (executor) => {
      if (!(await runs.pause(run.id, executor))) return false
      const message = `The run is paused before “${task.name}”.`
      await statuses.updateComponent(run.id, eId, { status: 'PAUSED', message }, executor)
      await statuses.finishJob(run.id, { status: 'PAUSED', message }, executor)
      await job.complete(executor)
      return true
    })
  }

  /** A step that will not be done is told so, whatever was told of it before. */
  async function tellOpenStep(
    executor: Executor,
    run: StoredRun,
    { eId, state, task }: StoredStep,
  ): Promise<void> {
    if (state !== 'running')
      return statuses.updateComponent(run.id, eId, { status: 'UNEXECUTED', message: stopped }, executor)
    const isRepeatable = tasks.findKind(task.definitionName)?.repeatable ?? true
    await tellCutOff(executor, run.id, eId, isRepeatable ? stopped : `${stopped} ${mayBeDone}`)
  }

  /**
   * Tells why a step ended while nobody did it; what it had told of its way stays.
   * @param executor the transaction that ends the run: told apart from it, the reason would be told again with the next try
   */
  async function tellCutOff(executor: Executor, runId: string, eId: string, reason: string): Promise<void> {
    const known = await statuses.statusesOfComponents([{ jobId: runId, eId }], executor)
    const message = messageOf(reason, known.get(eId)?.message ?? '')
    await statuses.updateComponent(runId, eId, { status: 'ERROR', message }, executor)
  }

  async function doStep(
    run: StoredRun,
    step: StoredStep,
    job: RunningJob,
    stop: AbortController,
  ): Promise<EndedStep> {
    const { task, eId } = step
    const kind = tasks.findKind(task.definitionName)
    if (kind === undefined)
      return failed(`The task type “${task.definitionName}” no longer exists on this server.`)
    if (step.state === 'running' && !kind.repeatable) return failed(mayBeDone)
    const principal = await findPrincipal(run.userId)
    if (principal === undefined || !principal.can('Science', 'R'))
      return failed('The user who started the run no longer has permission to run tasks.')
    const inputs = await inputsOf(run, step, kind)
    if (inputs instanceof Error) return failed(inputs.message)

    await runs.setStepState(run.id, step.number, 'running')
    const isAgain = step.state === 'running'
    const told = (...texts: string[]) => messageOf(isAgain ? startedAgain : '', ...texts)
    const tell = (message: string) =>
      statuses.updateComponent(run.id, eId, { status: 'RUNNING', message: told(message) })
    await tell('')
    const late = AbortSignal.timeout(task.timeout * 1000 + graceMs)
    /** Why a task that could not end by itself has ended; undefined when nobody cut it off. */
    function cutOff(): string | undefined {
      if (stop.signal.aborted) return stopped
      job.signal.throwIfAborted()
      return late.aborted ? `The task exceeded its timeout of ${countOf(task.timeout, 'second')}.` : undefined
    }
    try {
      const outcome = await kind.run({
        principal,
        run: { jobId: run.id, pipelineId: run.pipelineId, name: run.name, groupName: run.groupName },
        eId,
        taskName: task.taskName,
        inputs,
        outputs: task.outputs,
        memory: task.memory,
        timeout: task.timeout,
        signal: AbortSignal.any([job.signal, stop.signal, late]),
        tell,
      })
      if (outcome.status === 'INFO') job.signal.throwIfAborted()
      const reason = outcome.status === 'INFO' ? undefined : cutOff()
      const message = told(reason ?? outcome.message, outcome.printed ?? '')
      return reason === undefined
        ? { status: outcome.status, message, outputs: outcome.outputs ?? {} }
        : failed(message)
    } catch (error) {
      const reason = cutOff()
      if (reason !== undefined) return failed(told(reason))
      if (!(error instanceof AppError) || error.status >= 500) throw error
      return failed(told(error.message))
    }
  }

  async function inputsOf(
    run: StoredRun,
    { task }: StoredStep,
    kind: TaskKind,
  ): Promise<Record<string, string> | Error> {
    if (kind.readsReferences) return task.inputs
    const values = await runs.values(run.id, Object.values(task.inputs).filter(isReference))
    const inputs: Record<string, string> = {}
    for (const [name, value] of Object.entries(task.inputs)) {
      const given = isReference(value) ? values.get(value) : value
      if (given === undefined) return new Error(`No earlier task provided a value for “${name}”.`)
      inputs[name] = given
    }
    return inputs
  }

  async function lookForStop(runId: string, stop: AbortController, done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      await sleep(lookEveryMs, undefined, { signal: done }).catch(() => {})
      if (done.aborted) return
      const found = await runs.find(runId).catch(() => undefined)
      if (found?.stopRequested) stop.abort()
    }
  }

  queue.handle<{ runId: string }>(runJobKind, {
    run: work,
    async giveUp({ payload: { runId } }) {
      const steps = await runs.steps(runId)
      await runs.transaction(async (executor) => {
        for (const { eId, state } of steps)
          if (state === 'running') await tellCutOff(executor, runId, eId, givenUp)
        await statuses.finishJob(runId, { status: 'ERROR', message: givenUp }, executor)
        await runs.end(runId, executor)
      })
    },
  })

  return { abort: (runId) => stops.get(runId)?.abort() }
}

function failed(message: string): EndedStep {
  return { status: 'ERROR', message }
}

function ofStep({ task }: StoredStep, { status, message }: StepOutcome): StepOutcome {
  return { status, message: `“${task.name}”: ${message}` }
}

/** The message of a step, of whatever is to be said of it. */
function messageOf(...texts: string[]): string {
  return storable(texts.filter((text) => text !== '').join('\n'))
}

/** The database takes no zero byte and no half of a character; any kind of task may give some. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

/** What a step gives on, by the reference that stands for it. */
function valuesOf({ task }: StoredStep, outputs: NonNullable<TaskOutcome['outputs']>): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(outputs)) {
    const reference = task.outputs[name]
    if (reference !== undefined) values.set(reference, storable(value))
  }
  return values
}
