import { randomUUID } from 'node:crypto'
import { isReference } from '@headwater/runs/contract'
import type { PlannedStep, StoredRun, StoredStep } from '@headwater/runs/server'
import type { Principal } from '@headwater/server-kit'
import { pipelineErrors } from '../contract/index.ts'
import {
  collect,
  hasSkipped,
  linksThrough,
  pinnedValues,
  tasksToRun,
  type LinkStart,
  type RunPart,
} from './run-part.ts'
import type { RunsServiceDependencies } from './runs-dependencies.ts'
import { start } from './start-runs.ts'
import { requirePipeline } from './stored-values.ts'

/** Selection of the steps that are executed again. Besides `pinned`, at most one field is set. */
export interface Repetition extends RunPart {
  /** Whether to repeat only tasks that did not succeed, and the tasks after them. Default false. */
  failedOnly?: boolean | undefined
}

/**
 * Executes the steps of a run again, unchanged, in a new run. Steps that are not repeated keep their results and values; if
 * they did not succeed, they are not part of the new run. Returns the new job id.
 * @throws pipelineInvalid if the run has no such task, valueMissing, tooManyRuns; pipelineNotFound or pipelineGroupForbidden if
 * the caller has no write access but pins values, or skips an approval that was not given
 */
export async function repeatRun(
  deps: RunsServiceDependencies,
  principal: Principal,
  run: StoredRun,
  repetition: Repetition = {},
): Promise<string> {
  const { pinned = [] } = repetition
  // Otherwise a reader could send the group's secrets, which other inputs refer to, to a URL of their choice.
  if (pinned.length > 0) await requirePipeline(deps, principal, run.pipelineId ?? 'None', 'RW')
  const [steps, earlier] = await Promise.all([deps.runs.steps(run.id), deps.runs.values(run.id)])
  const repeated = stepsToRepeat(steps, repetition)
  if (run.pipelineId !== undefined && skipsUndecided(deps, steps, repeated))
    await requirePipeline(deps, principal, run.pipelineId, 'RW')
  const values = Object.fromEntries([
    ...[...earlier].filter(([key]) => !isProvided(key, steps, repeated)),
    ...pinnedValues(pinned, (nodeId) => steps.find(({ task }) => task.nodeId === nodeId)?.task.outputs),
  ])
  checkValues(steps, repeated, values)
  const pipeline = run.pipelineId === undefined ? undefined : await deps.store.find({ id: run.pipelineId })
  return start(deps, {
    userId: principal.userId,
    name: run.name,
    groupName: run.groupName,
    group: run.groupId === undefined ? undefined : { id: run.groupId, name: run.groupName },
    pipeline: pipeline && {
      id: pipeline.id,
      version: run.pipelineVersion ?? pipeline.version,
      tags: pipeline.content.tags,
    },
    steps: plannedAgain(steps, repeated, new Set(pinned.map(({ nodeId }) => nodeId))),
    values,
    repeats: run.id,
  })
}

/** Returns the numbers of the steps to execute again. */
function stepsToRepeat(steps: readonly StoredStep[], repetition: Repetition): Set<number> {
  const { fromNodeId, failedOnly = false, pinned = [] } = repetition
  const nodes = steps.map((step) => ({
    id: step.task.nodeId,
    before: stepsBefore(steps, step).map(nodeIdOf),
  }))
  const running = tasksToRun(nodes, repetition)
  if (fromNodeId === undefined && !failedOnly) return numbersOf(steps, running)
  const failed = steps.filter(({ outcome, isLeftOut }) => outcome !== 'INFO' && !isLeftOut)
  if (failedOnly && failed.length === 0)
    throw pipelineErrors.pipelineInvalid({
      problem: 'All tasks of this run succeeded. Repeat all of them, or choose one.',
    })
  const byNumber = new Map(steps.map((step) => [step.number, step]))
  const repeated = fromNodeId === undefined ? new Set<number>() : numbersOf(steps, running)
  // Steps that did not succeed have no results that could be used.
  for (const { number } of failed) collect(repeated, number, (next) => byNumber.get(next)?.children)
  for (const number of numbersOf(steps, new Set(pinned.map(({ nodeId }) => nodeId)))) repeated.delete(number)
  return repeated
}

/** Returns whether steps after an approval are repeated although the approval was not given in the run and is not repeated. */
function skipsUndecided(
  { approvals }: Pick<RunsServiceDependencies, 'approvals'>,
  steps: readonly StoredStep[],
  repeated: ReadonlySet<number>,
): boolean {
  const nodes = steps.map((step) => ({
    id: step.task.nodeId,
    before: stepsBefore(steps, step).map(nodeIdOf),
  }))
  const running = new Set(steps.filter(({ number }) => repeated.has(number)).map(nodeIdOf))
  const open = steps.filter((step) => approvals.isApproval(step) && step.outcome !== 'INFO')
  return hasSkipped(nodes, running, new Set(open.map(nodeIdOf)))
}

const nodeIdOf = ({ task }: StoredStep): string => task.nodeId

function numbersOf(steps: readonly StoredStep[], nodeIds: ReadonlySet<string>): Set<number> {
  return new Set(steps.filter(({ task }) => nodeIds.has(task.nodeId)).map(({ number }) => number))
}

function stepsBefore(steps: readonly StoredStep[], { number }: StoredStep): StoredStep[] {
  return steps.filter(({ children }) => children.includes(number))
}

function linksTo(steps: readonly StoredStep[], step: StoredStep): LinkStart<number>[] {
  return stepsBefore(steps, step).map(({ number, branches }) => ({
    id: number,
    branch: Object.keys(branches).find((name) => branches[name]!.includes(step.number)),
  }))
}

function plannedAgain(
  steps: readonly StoredStep[],
  repeated: ReadonlySet<number>,
  pinned: ReadonlySet<string>,
): PlannedStep[] {
  const byNumber = new Map(steps.map((step) => [step.number, step]))
  const isPart = ({ number, task, outcome }: StoredStep) =>
    repeated.has(number) || pinned.has(task.nodeId) || outcome === 'INFO'
  const before = (number: number) => linksTo(steps, byNumber.get(number)!)
  return steps.filter(isPart).map(({ number, task, jobKind, message, needs }) => {
    // If a step before them is not executed, steps wait for the steps before that one.
    const reached = [
      ...linksThrough(before(number), (next) => (repeated.has(next) ? [] : before(next))),
    ].filter(([other]) => isPart(byNumber.get(other)!))
    return {
      number,
      eId: randomUUID(),
      task,
      jobKind,
      after: reached.map(([other]) => other),
      branches: Object.fromEntries(reached),
      needs: needs.filter((other) => repeated.has(other)),
      ...(repeated.has(number)
        ? {}
        : {
            ended: {
              outcome: 'INFO' as const,
              message: pinned.has(task.nodeId) ? 'The task was pinned and did not run.' : message,
            },
          }),
    }
  })
}

/** Checks that the outputs of steps that are not executed are available. */
function checkValues(
  steps: readonly StoredStep[],
  repeated: ReadonlySet<number>,
  values: Readonly<Record<string, string>>,
): void {
  for (const { number, task } of steps)
    for (const [input, value] of repeated.has(number) ? Object.entries(task.inputs) : []) {
      const provider = isReference(value)
        ? steps.find((step) => Object.values(step.task.outputs).includes(value))
        : undefined
      if (provider !== undefined && !repeated.has(provider.number) && values[value] === undefined)
        throw pipelineErrors.valueMissing({ input, task: task.name, provider: provider.task.name })
    }
}

/** Returns whether a value is provided by a step that is executed again. */
function isProvided(key: string, steps: readonly StoredStep[], repeated: ReadonlySet<number>): boolean {
  return steps.some(({ number, task }) => repeated.has(number) && Object.values(task.outputs).includes(key))
}
