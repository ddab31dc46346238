import { isDeepStrictEqual } from 'node:util'
import { approvalTaskName } from '@headwater/approvals/contract'
import { isReference, triggerValueName } from '@headwater/runs/contract'
import type { PlannedStep, StepTask, StoredStep } from '@headwater/runs/server'
import { loopTaskName, subPipelineTaskName } from '../contract/index.ts'

/** A run whose results another run can use. */
export interface EarlierRun {
  /** Its steps, in their order. */
  steps: readonly StoredStep[]
  /** Its values, by reference. */
  values: ReadonlyMap<string, string>
}

const unchangedMessage = 'Unchanged: the result of an earlier run is used.'
/** Tasks whose result does not depend on their inputs alone: other pipelines change, and a decision belongs to one run. */
const alwaysRun: readonly string[] = [approvalTaskName, loopTaskName, subPipelineTaskName]

/**
 * Returns the steps of a run, the unchanged ones with their results from an earlier run. A step is unchanged if it has
 * the same task with the same inputs, after the same steps, all of them unchanged. The returned values are the outputs
 * of unchanged steps.
 * @param values values of the run before its first step, by reference
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

/** Returns whether a step has executed successfully, in its run or in one whose result it used. */
function hasResult({ outcome, attempt, message }: StoredStep): boolean {
  return outcome === 'INFO' && (attempt > 0 || message.startsWith(unchangedMessage))
}

function messageOf({ message }: StoredStep): string {
  if (message === '' || message.startsWith(unchangedMessage)) return message || unchangedMessage
  return `${unchangedMessage}\n${message}`
}

/** Returns the steps before a step, each with the only branch that leads to it, by id. */
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
    // Each run has another id and time.
    if (expressions.has(name)) return !/\b(run|trigger|now|today)\b/i.test(value)
    return (
      !isReference(value) || triggerValueName(value) === undefined || values[value] === earlier.get(value)
    )
  })
}

/** Returns the stored facts that determine the result of a task. */
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
