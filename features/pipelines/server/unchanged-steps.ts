import { isDeepStrictEqual } from 'node:util'
import { approvalTaskName } from '@headwater/approvals/contract'
import { isReference, triggerValueName } from '@headwater/runs/contract'
import type { PlannedStep, StepTask, StoredStep } from '@headwater/runs/server'
import { loopTaskName, subPipelineTaskName } from '../contract/index.ts'

/** A run with results that a later run can use. */
export interface EarlierRun {
  /** Steps, in order. */
  steps: readonly StoredStep[]
  /** Values, by reference. */
  values: ReadonlyMap<string, string>
}

const unchangedMessage = 'Unchanged: the result of an earlier run is used.'
/**
 * Tasks that always run, because their results do not depend only on their inputs: other pipelines can change, and a
 * decision belongs to one run.
 */
const alwaysRun: readonly string[] = [approvalTaskName, loopTaskName, subPipelineTaskName]

/**
 * Returns the steps of a run, with results of an earlier run for unchanged steps. A step is unchanged if it has the same task
 * with the same inputs and follows the same steps, which are also unchanged. The returned values are the outputs of unchanged
 * steps.
 * @param values initial values of the run, by reference
 */
export function reuseUnchanged(
  steps: readonly PlannedStep[],
  values: Readonly<Record<string, string>>,
  earlier: EarlierRun,
): { steps: PlannedStep[]; values: Record<string, string> } {
  const before = new Map(earlier.steps.map((step) => [step.task.nodeId, step]))
  const nodeIds = new Map(steps.map(({ number, task }) => [number, task.nodeId]))
  const settled = new Set<number>()
  const reused: Record<string, string> = {}
  const planned = steps.map((step): PlannedStep => {
    const last = before.get(step.task.nodeId)
    const isSettled =
      last !== undefined &&
      step.after.every((number) => settled.has(number)) &&
      isDeepStrictEqual(linksOf(step, nodeIds), earlierLinksOf(last, earlier.steps))
    if (!isSettled) return step
    // An unchanged branch skips the same steps again.
    if (last.isLeftOut) settled.add(step.number)
    if (!hasResult(last) || !isSameTask(step.task, last.task, values, earlier.values)) return step
    settled.add(step.number)
    for (const reference of Object.values(last.task.outputs)) {
      const value = earlier.values.get(reference)
      if (value !== undefined) reused[reference] = value
    }
    return {
      ...step,
      ended: { outcome: 'INFO', message: messageOf(last), branch: last.branch },
    }
  })
  return { steps: planned, values: reused }
}

/** Returns whether a step has succeeded, in its own run or in an earlier run that provided its result. */
function hasResult({ outcome, attempt, message }: StoredStep): boolean {
  return outcome === 'INFO' && (attempt > 0 || message.startsWith(unchangedMessage))
}

function messageOf({ message }: StoredStep): string {
  if (message === '' || message.startsWith(unchangedMessage)) return message || unchangedMessage
  return `${unchangedMessage}\n${message}`
}

/** Returns, by id, the steps before a step, each with the branch that leads to it. */
function linksOf(
  { after, branches = {} }: PlannedStep,
  nodeIds: ReadonlyMap<number, string>,
): Record<string, string | undefined> {
  return Object.fromEntries(after.map((number) => [nodeIds.get(number), branches[number]]))
}

function earlierLinksOf(
  { number }: StoredStep,
  steps: readonly StoredStep[],
): Record<string, string | undefined> {
  return Object.fromEntries(
    steps
      .filter(({ children }) => children.includes(number))
      .map(({ task, branches }) => [
        task.nodeId,
        Object.keys(branches).find((name) => branches[name]!.includes(number)),
      ]),
  )
}

function isSameTask(
  task: StepTask,
  last: StepTask,
  values: Readonly<Record<string, string>>,
  earlier: ReadonlyMap<string, string>,
): boolean {
  if (task.isPaused || alwaysRun.includes(task.definitionName)) return false
  if (!isDeepStrictEqual(comparable(task), comparable(last))) return false
  const expressions = new Set(task.expressions)
  return Object.entries(task.inputs).every(([name, value]) => {
    // Each run has a different id and time.
    if (expressions.has(name)) return !/\b(run|trigger|now|today)\b/i.test(value)
    return (
      !isReference(value) || triggerValueName(value) === undefined || values[value] === earlier.get(value)
    )
  })
}

/** Returns the stored fields that determine the result of a task. */
function comparable({
  definitionName,
  taskId,
  inputs,
  expressions,
  secretInputs,
  outputs,
  packages,
}: StepTask): unknown {
  return JSON.parse(
    JSON.stringify({ definitionName, taskId, inputs, expressions, secretInputs, outputs, packages }),
  )
}
