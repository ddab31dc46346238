import { randomUUID } from 'node:crypto'
import type { PlannedStep, StoredRun, StoredStep } from '@headwater/runs/server'
import type { Principal } from '@headwater/server-kit'
import { pipelineErrors } from '../contract/index.ts'
import type { RunsServiceDependencies } from './runs-dependencies.ts'
import { start } from './start-runs.ts'

/** Selection of the steps of a run that are executed again. */
export interface Repetition {
  /** The task to repeat, with all tasks after it. Default: all tasks. */
  fromNodeId?: string | undefined
  /** Whether to repeat only tasks that did not succeed, and those after them. Default false. */
  failedOnly?: boolean | undefined
}

/**
 * Executes the steps of a run again, as they were then, in a new run. Steps that are not repeated keep their results and values.
 * Returns the id of the new job.
 * @throws pipelineInvalid if the run has no such task, tooManyRuns
 */
export async function repeatRun(
  deps: RunsServiceDependencies,
  principal: Principal,
  run: StoredRun,
  repetition: Repetition = {},
): Promise<string> {
  const [steps, values] = await Promise.all([deps.runs.steps(run.id), deps.runs.values(run.id)])
  const repeated = stepsToRepeat(steps, repetition)
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
    steps: plannedAgain(steps, repeated),
    values: Object.fromEntries([...values].filter(([key]) => !isProvided(key, steps, repeated))),
    repeats: run.id,
  })
}

/** Returns the numbers of the steps to execute again. */
function stepsToRepeat(
  steps: readonly StoredStep[],
  { fromNodeId, failedOnly = false }: Repetition,
): Set<number> {
  if (fromNodeId === undefined && !failedOnly) return new Set(steps.map(({ number }) => number))
  const first = steps.filter(({ task, outcome }) =>
    fromNodeId === undefined ? outcome !== 'INFO' : task.nodeId === fromNodeId,
  )
  if (first.length === 0)
    throw pipelineErrors.pipelineInvalid({
      problem:
        fromNodeId === undefined
          ? 'All tasks of this run succeeded. Repeat all of them, or choose one.'
          : `The run has no task “${fromNodeId}”. Choose one of its tasks.`,
    })
  const byNumber = new Map(steps.map((step) => [step.number, step]))
  const repeated = new Set<number>()
  // What never succeeded before cannot be used now.
  const waiting = [...first, ...steps.filter(({ outcome }) => outcome !== 'INFO')].map(({ number }) => number)
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (repeated.has(number)) continue
    repeated.add(number)
    waiting.push(...(byNumber.get(number)?.children ?? []))
  }
  return repeated
}

function plannedAgain(steps: readonly StoredStep[], repeated: ReadonlySet<number>): PlannedStep[] {
  return steps.map(({ number, task, jobKind, message }) => ({
    number,
    eId: randomUUID(),
    task,
    jobKind,
    after: steps.filter(({ children }) => children.includes(number)).map((before) => before.number),
    ...(repeated.has(number) ? {} : { ended: { outcome: 'INFO' as const, message } }),
  }))
}

/** Whether a step that is executed again provides a value. */
function isProvided(key: string, steps: readonly StoredStep[], repeated: ReadonlySet<number>): boolean {
  return steps.some(({ number, task }) => repeated.has(number) && Object.values(task.outputs).includes(key))
}
