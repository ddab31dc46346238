import { AppError, countOf } from '@headwater/contract'
import type { RunningJob } from '@headwater/jobs'
import { isReference } from '@headwater/tasks/contract'
import type { TaskKind, TaskOutcome } from '@headwater/tasks/server'
import type { RunWorkDependencies } from './run-work.ts'
import type { StepOutcome, StoredRun, StoredStep } from './runs-store.ts'

/** Message of a run that a user stopped. */
export const stoppedMessage = 'The run was stopped.'
/** Message of a step whose kind must not run again after an interruption. */
export const possiblyDoneMessage =
  'The server stopped while this task was running. The task may have finished its work; check before you run it again.'
const restartedMessage = 'The task was interrupted, for example by a server stop, and was restarted.'
/** Time after the timeout before the server aborts a task. Some kinds end on time themselves. */
const graceMs = 10_000

/** Result of a step, with its output values by reference. */
export type StepResult = StepOutcome & { values: ReadonlyMap<string, string> }

/**
 * Executes a step and returns its result.
 * @param stop aborts when a user stops the run
 * @throws the error of the task if the job has to be retried
 */
export async function executeStep(
  deps: RunWorkDependencies,
  run: StoredRun,
  step: StoredStep,
  job: RunningJob,
  stop: AbortSignal,
): Promise<StepResult> {
  const { task } = step
  const isRestart = step.state === 'running'
  const kind = deps.tasks.findKind(task.definitionName)
  if (kind === undefined)
    return failed(`The task type “${task.definitionName}” no longer exists on this server.`)
  if (isRestart && !kind.repeatable) return failed(possiblyDoneMessage)
  const principal = await deps.findPrincipal(run.userId)
  if (principal === undefined || !principal.can('Science', 'R'))
    return failed('The user who started the run no longer has permission to run tasks.')
  const inputs = await resolveInputs(deps, run, step, kind)
  if (inputs instanceof Error) return failed(inputs.message)

  await deps.runs.setStepState(run.id, step.number, 'running')
  const format = (...texts: string[]) => joinMessages(isRestart ? restartedMessage : '', ...texts)
  const report = (message: string) =>
    deps.statuses.updateComponent(run.id, step.eId, { status: 'RUNNING', message: format(message) })
  await report('')
  const late = AbortSignal.timeout(task.timeout * 1000 + graceMs)
  try {
    const outcome = await kind.run({
      principal,
      run: { jobId: run.id, pipelineId: run.pipelineId, name: run.name, groupName: run.groupName },
      eId: step.eId,
      taskName: task.taskName,
      inputs,
      outputs: task.outputs,
      memory: task.memory,
      timeout: task.timeout,
      signal: AbortSignal.any([job.signal, stop, late]),
      report,
    })
    if (outcome.status === 'INFO') job.signal.throwIfAborted()
    const reason = outcome.status === 'INFO' ? undefined : abortReason(step, job, stop, late)
    const message = format(reason ?? outcome.message, outcome.printed ?? '')
    if (reason !== undefined) return failed(message)
    return { status: outcome.status, message, values: valuesByReference(step, outcome.outputs ?? {}) }
  } catch (error) {
    const reason = abortReason(step, job, stop, late)
    if (reason !== undefined) return failed(format(reason))
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return failed(format(error.message))
  }
}

/** Joins the parts of a message with line breaks and makes the text storable. */
export function joinMessages(...texts: string[]): string {
  return toStorable(texts.filter((text) => text !== '').join('\n'))
}

/** Returns why the server aborted a step; undefined if the task ended on its own. Throws if the job was aborted. */
function abortReason(
  { task }: StoredStep,
  job: RunningJob,
  stop: AbortSignal,
  late: AbortSignal,
): string | undefined {
  if (stop.aborted) return stoppedMessage
  job.signal.throwIfAborted()
  return late.aborted ? `The task exceeded its timeout of ${countOf(task.timeout, 'second')}.` : undefined
}

async function resolveInputs(
  { runs }: RunWorkDependencies,
  run: StoredRun,
  { task }: StoredStep,
  kind: TaskKind,
): Promise<Record<string, string> | Error> {
  if (kind.readsReferences) return task.inputs
  const values = await runs.values(run.id, Object.values(task.inputs).filter(isReference))
  const inputs: Record<string, string> = {}
  for (const [name, value] of Object.entries(task.inputs)) {
    const resolved = isReference(value) ? values.get(value) : value
    if (resolved === undefined) return new Error(`No earlier task provided a value for “${name}”.`)
    inputs[name] = resolved
  }
  return inputs
}

function failed(message: string): StepResult {
  return { status: 'ERROR', message, values: new Map() }
}

/** PostgreSQL stores neither zero bytes nor unpaired surrogates, and any kind of task can return them. */
function toStorable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

function valuesByReference(
  { task }: StoredStep,
  outputs: NonNullable<TaskOutcome['outputs']>,
): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(outputs)) {
    const reference = task.outputs[name]
    if (reference !== undefined) values.set(reference, toStorable(value))
  }
  return values
}
