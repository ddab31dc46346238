import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@headwater/contract'
import type { JobQueue, RunningJob } from '@headwater/jobs'
import type { Principal } from '@headwater/server-kit'
import type { StatusWord } from '@headwater/statuses/contract'
import type { Statuses } from '@headwater/statuses/server'
import { isReference } from '@headwater/tasks/contract'
import type { TaskKind, TaskOutcome, Tasks } from '@headwater/tasks/server'
import type { RunsStore, StoredRun, StoredStep } from './runs-store.ts'

export const runJobKind = 'run-pipeline'

/** How often a run looks whether somebody has asked for its end on another server. */
const lookEveryMs = 2000
const givenUp = 'The run was tried several times and could not be ended. Start it again later.'
const stopped = 'The run was stopped.'

/** The work of runs, step by step. A step that has ended stays so: a run that is taken up again goes on behind it. */
export interface RunWork {
  /** Ends the step that runs here, if the run does. */
  abort(runId: string): void
}

export interface RunWorkDependencies {
  runs: RunsStore
  tasks: Pick<Tasks, 'findKind'>
  statuses: Pick<Statuses, 'updateComponent' | 'finishJob'>
  queue: JobQueue
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

interface End {
  status: StatusWord
  message: string
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
      const end = await goOn(run, job, stop)
      await runs.transaction(async (executor) => {
        if (end === 'paused') await runs.setPaused(run.id, executor)
        else await runs.end(run.id, executor)
        await job.complete(executor)
      })
    } finally {
      done.abort()
      stops.delete(run.id)
      await looking
    }
  }

  /** Does the steps that are left. */
  async function goOn(run: StoredRun, job: RunningJob, stop: AbortController): Promise<End | 'paused'> {
    const steps = await runs.steps(run.id)
    await statuses.finishJob(run.id, { status: 'RUNNING', message: '' })
    for (const step of steps) {
      if (step.state === 'done') continue
      if (stop.signal.aborted || (await runs.find(run.id))?.stopRequested)
        return finish(run, { status: 'ERROR', message: stopped })
      if (step.task.isPaused) {
        const message = `The run is paused before “${step.task.name}”.`
        await statuses.updateComponent(run.id, step.eId, { status: 'PAUSED', message })
        await statuses.finishJob(run.id, { status: 'PAUSED', message })
        return 'paused'
      }
      const outcome = await doStep(run, step, job, stop)
      await statuses.updateComponent(run.id, step.eId, { status: outcome.status, message: outcome.message })
      await runs.endStep(run.id, step.number, valuesOf(step, outcome))
      if (outcome.status !== 'INFO')
        return finish(run, {
          status: outcome.status,
          message: `“${step.task.name}”: ${outcome.message}`,
        })
    }
    const count = steps.length
    return finish(run, {
      status: 'INFO',
      message: count === 1 ? 'The task has ended.' : `All ${count} tasks have ended.`,
    })
  }

  async function finish(run: StoredRun, end: End): Promise<End> {
    await statuses.finishJob(run.id, end)
    return end
  }

  async function doStep(
    run: StoredRun,
    step: StoredStep,
    job: RunningJob,
    stop: AbortController,
  ): Promise<TaskOutcome> {
    const { task, eId } = step
    const kind = tasks.findKind(task.definitionName)
    if (kind === undefined)
      return failed(`This installation knows no kind of task “${task.definitionName}” any more.`)
    if (step.state === 'running' && !kind.repeatable)
      return failed(
        'The server stopped while this task ran, and it may have done its work. Look whether it has before you run it again.',
      )
    const principal = await findPrincipal(run.userId)
    if (principal === undefined || !principal.can('Science', 'R'))
      return failed('Who started the run may not run tasks any more.')
    const inputs = await inputsOf(run, step, kind)
    if (inputs instanceof Error) return failed(inputs.message)

    await runs.setStepState(run.id, step.number, 'running')
    const tell = (message: string) => statuses.updateComponent(run.id, eId, { status: 'RUNNING', message })
    await tell('')
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
        signal: AbortSignal.any([job.signal, stop.signal]),
        tell,
      })
      if (stop.signal.aborted) return failed(stopped)
      job.signal.throwIfAborted()
      return outcome
    } catch (error) {
      if (stop.signal.aborted) return failed(stopped)
      if (!(error instanceof AppError) || error.status >= 500 || job.signal.aborted) throw error
      return failed(error.message)
    }
  }

  async function inputsOf(
    run: StoredRun,
    { task }: StoredStep,
    kind: TaskKind,
  ): Promise<Record<string, string> | Error> {
    if (kind.readsReferences) return task.inputs
    const values = await runs.values(run.id)
    const inputs: Record<string, string> = {}
    for (const [name, value] of Object.entries(task.inputs)) {
      const given = isReference(value) ? values.get(value) : value
      if (given === undefined) return new Error(`No task before it gave a value for “${name}”.`)
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
      await statuses.finishJob(runId, { status: 'ERROR', message: givenUp })
      await runs.end(runId)
    },
  })

  return { abort: (runId) => stops.get(runId)?.abort() }
}

function failed(message: string): TaskOutcome {
  return { status: 'ERROR', message }
}

/** What a step gives on, by the reference that stands for it. */
function valuesOf({ task }: StoredStep, { outputs = {} }: TaskOutcome): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(outputs)) {
    const reference = task.outputs[name]
    if (reference !== undefined) values.set(reference, value)
  }
  return values
}
