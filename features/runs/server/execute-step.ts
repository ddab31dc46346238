import { countOf } from '@headwater/contract'
import type { RunningJob } from '@headwater/jobs'
import { isClientError, type Principal, StopError } from '@headwater/server-kit'
import { stoppedMessage } from '@headwater/statuses/contract'
import type { Statuses } from '@headwater/statuses/server'
import type { ErrorClass } from '../contract/index.ts'
import { resolveInputs, type ExpressionFacts } from './resolve-inputs.ts'
import type { Outcome, StartedStep, StepTask } from './runs-store.ts'
import type { ChildrenStore } from './children-store.ts'
import { childrenOf } from './step-children.ts'
import { errorClassOf } from './retries.ts'
import { toStorable } from './storable-text.ts'
import type { StepKind, StepOutcome, StepWait } from './step-kinds.ts'

/** Dependencies of the execution of a step. */
export interface ExecuteStepDependencies {
  /** Returns the step kind with this name; undefined if this installation does not have it. */
  findKind: (definitionName: string) => StepKind | undefined
  /** Returns the facts about a run that expressions use. */
  runs: ExpressionFacts
  /** Store of child runs. */
  children: ChildrenStore
  /** Reports the progress of steps. */
  statuses: Pick<Statuses, 'updateComponent'>
  /** Returns the principal of an active user. A run has the access of the user who started it. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** Message of a step that is executed again after its worker was lost. */
export const restartedMessage = 'The task was interrupted, for example by a server stop, and was restarted.'
/** Message of an interrupted step of a kind that must not be executed again. */
const possiblyDoneMessage =
  'The server stopped while this task was running. The task may have finished its work; check before you run it again.'
/** Extra time after the timeout before the server aborts a step, because some kinds enforce their timeout themselves. */
const graceMs = 10_000

/** Result of a step. */
export interface StepResult {
  /** Result. */
  outcome: Outcome
  /** Message for users; can be empty. */
  message: string
  /** Additional log entry, not part of the message. */
  detail?: string | undefined
  /** Output values by reference. */
  values: Record<string, string>
  /** Branch with which the run continues. */
  branch?: string | undefined
  /** Whether a retry can have a different result. */
  canRetry: boolean
  /** Classes of the error; empty means `other`. */
  errors: readonly ErrorClass[]
}

/**
 * Executes a step. Returns its result, or a {@link StepWait} if it waits for child runs.
 * @param stop aborts when a user stops the run
 * @throws the error of the step if the job must be retried
 */
export async function executeStep(
  deps: ExecuteStepDependencies,
  step: StartedStep,
  job: Pick<RunningJob, 'signal'>,
  stop: AbortSignal,
): Promise<StepResult | StepWait> {
  const { task } = step
  const kind = deps.findKind(task.definitionName)
  if (step.stopRequested) return interrupted(step, kind?.repeatable ?? true)
  if (kind === undefined)
    return failed(`This server no longer has the kind of task “${task.definitionName}”.`)
  if (step.isRestart && !kind.repeatable) return failed(possiblyDoneMessage)
  const principal = await deps.findPrincipal(step.userId)
  if (principal === undefined || !principal.can('Science', 'R'))
    return failed('The user who started the run no longer has permission to run tasks.')
  const inputs = await resolveInputs(deps.runs, step, kind)
  if (inputs instanceof Error) return failed(inputs.message)

  const restarted = step.isRestart ? restartedMessage : ''
  const format = (...texts: string[]) => joinMessages(restarted, ...texts)
  // The web application recognises a stop by the beginning of this message.
  const formatAbort = (reason: string, printed = '') => joinMessages(reason, restarted, printed)
  const late = AbortSignal.timeout(task.timeout * 1000 + graceMs)
  try {
    const outcome = await kind.run({
      principal: inStep(principal, step, kind),
      run: {
        jobId: step.runId,
        pipelineId: step.pipelineId,
        name: step.runName,
        groupName: step.groupName,
      },
      eId: step.eId,
      attempt: step.attempt,
      stepName: task.name,
      taskName: task.taskName,
      taskId: task.taskId,
      inputs,
      secretInputs: task.secretInputs,
      outputs: task.outputs,
      unusedOutputs: task.unusedOutputs,
      packages: task.packages,
      memory: task.memory,
      timeout: task.timeout,
      signal: AbortSignal.any([job.signal, stop, late]),
      children: childrenOf(deps.children, step),
      report: (message) =>
        deps.statuses.updateComponent(step.runId, step.eId, { status: 'RUNNING', message: format(message) }),
    })
    if (outcome.status === 'WAIT') return outcome
    if (outcome.status === 'INFO') job.signal.throwIfAborted()
    const reason = outcome.status === 'INFO' ? undefined : abortReason(task, job, stop, late)
    if (reason !== undefined) return aborted(formatAbort(reason, outcome.printed), stop)
    const message = format(outcome.message, outcome.printed ?? '')
    return {
      outcome: outcome.status,
      message,
      detail: outcome.detail,
      values: valuesByReference(task, outcome.outputs ?? {}),
      branch: outcome.branch,
      canRetry: outcome.status === 'ERROR',
      errors: outcome.errors ?? [],
    }
  } catch (error) {
    const reason = abortReason(task, job, stop, late)
    if (reason !== undefined) return aborted(formatAbort(reason), stop)
    if (!isClientError(error)) throw error
    return { ...failed(format(error.message)), canRetry: true, errors: [errorClassOf(error)] }
  }
}

/**
 * Adds the attempt to the principal of a built-in step, so that its effects happen only once. For user code, the run token
 * identifies the attempt.
 */
function inStep(principal: Principal, { runId, eId, attempt }: StartedStep, kind: StepKind): Principal {
  return kind.isUserCode ? principal : { ...principal, run: { runId, eId, attempt, isBuiltIn: true } }
}

/** Joins message parts with line breaks and removes characters that PostgreSQL cannot store. */
export function joinMessages(...texts: string[]): string {
  return toStorable(texts.filter((text) => text !== '').join('\n'))
}

/** Returns the result of a step if its worker was lost and a user has stopped the run since. */
function interrupted({ lastMessage, isRestart }: StartedStep, isRepeatable: boolean): StepResult {
  const reason = isRepeatable || !isRestart ? stoppedMessage : `${stoppedMessage} ${possiblyDoneMessage}`
  return failed(joinMessages(reason, lastMessage))
}

/** Returns why the server aborted a step; undefined if the step ended on its own. Throws if the job was aborted. */
function abortReason(
  { timeout }: StepTask,
  job: Pick<RunningJob, 'signal'>,
  stop: AbortSignal,
  late: AbortSignal,
): string | undefined {
  if (stop.aborted) return stopReasonOf(stop)
  job.signal.throwIfAborted()
  return late.aborted ? `The task exceeded its timeout of ${countOf(timeout, 'second')}.` : undefined
}

/** Returns why a run was stopped, with the name of the user if it is known. */
export function stopReasonOf({ reason }: AbortSignal): string {
  return reason instanceof StopError && reason.message !== '' ? reason.message : stoppedMessage
}

function failed(message: string): StepResult {
  return { outcome: 'ERROR', message, values: {}, canRetry: false, errors: [] }
}

/** Returns the result of a step that a user has stopped, or that exceeded its timeout. */
function aborted(message: string, stop: AbortSignal): StepResult {
  return { ...failed(message), canRetry: !stop.aborted, errors: ['timeout'] }
}

function valuesByReference(
  { outputs: references }: StepTask,
  outputs: NonNullable<StepOutcome['outputs']>,
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(outputs)) {
    const reference = references[name]
    if (reference !== undefined) values[reference] = toStorable(value)
  }
  return values
}
