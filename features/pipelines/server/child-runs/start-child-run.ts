import { AppError } from '@headwater/contract'
import { triggerReference } from '@headwater/runs/contract'
import type { AncestorRun, ChildRun, Runs, StepWork } from '@headwater/runs/server'
import type { GroupAccess } from '@headwater/groups/server'
import type { Clock } from '@headwater/server-kit'
import { pipelineErrors } from '../../contract/index.ts'
import { accessToPipelines } from '../pipeline-access.ts'
import type { PipelinesStore, StoredPipeline } from '../pipelines-store.ts'
import type { RunPlans } from '../run-plans.ts'
import { startPipelineRun } from '../start-runs.ts'

/** Maximum nesting depth of pipelines. */
const maxDepth = 5

/** Dependencies of tasks that run other pipelines. */
export interface ChildRunsDependencies {
  /** Stored runs. */
  runs: Runs
  /** Saved pipelines. */
  store: PipelinesStore
  /** Checks access to groups. */
  groups: GroupAccess
  /** Resolves the tasks of a pipeline. */
  plans: RunPlans
  /** Current time. */
  clock: Clock
}

/** A pipeline that a step runs. */
export interface ChildPipeline {
  /** Name of the pipeline. */
  name: string
  /** Group of the pipeline. */
  groupName: string
  /** Whether its runs receive a value. */
  takesValue: boolean
}

/**
 * Thrown if the step must no longer start the run because its own run was stopped or a different attempt has already started
 * the run.
 */
class NotNeeded extends Error {}

/**
 * Starts a child run of a pipeline with the access of the parent run. Returns `later` if it cannot start now, because the user
 * has too many runs or the parent run was stopped and the step will end.
 * @throws pipelineNotFound, pipelineGroupForbidden, pipelineInvalid, and the errors of tasks
 */
export async function startChildRun(
  deps: ChildRunsDependencies,
  { principal, eId, taskName, children }: StepWork,
  { name, groupName, takesValue }: ChildPipeline,
  child: ChildRun,
): Promise<'started' | 'later'> {
  const { parent } = children
  if (!principal.can('Science/Creator', 'RW'))
    throw invalid(`${principal.userName} no longer has permission to run pipelines.`)
  // Values from other users could send the group's secrets, which other inputs refer to, to a URL of their choice.
  const mode = takesValue ? 'RW' : 'R'
  const { item: pipeline } = await accessToPipelines(deps).require(principal, { name, groupName }, mode)
  const ancestors = await deps.runs.ancestors(parent.runId)
  checkAncestors(pipeline, ancestors)
  const resolved = await deps.plans.resolve(principal, pipeline.content.tasks)
  const change = await changeByOthers(deps, principal.userName, { pipeline, resolved, ancestors })
  if (change !== undefined)
    throw invalid(
      `${change}, and the run uses the access of ${principal.userName}. Review the change and save the pipeline of “${taskName}” again.`,
    )
  try {
    await startPipelineRun(deps, principal, pipeline, {
      types: ['PIPELINE'],
      resolved,
      parent: { ...parent, position: child.position, eId },
      values: {
        [triggerReference('index')]: String(child.position),
        ...(takesValue ? { [triggerReference('item')]: child.value } : {}),
      },
      inSameTransaction: async (jobId, executor) => {
        const own = { ...parent, position: child.position }
        if (!(await deps.runs.adopt(own, jobId, executor))) throw new NotNeeded()
      },
    })
    return 'started'
  } catch (error) {
    if (error instanceof NotNeeded || (error instanceof AppError && error.code === 'tooManyRuns'))
      return 'later'
    throw error
  }
}

function checkAncestors(pipeline: StoredPipeline, ancestors: readonly AncestorRun[]): void {
  if (ancestors.some(({ pipelineId }) => pipelineId === pipeline.id))
    throw invalid(`“${pipeline.name}” would run itself, directly or through other pipelines.`)
  if (ancestors.length >= maxDepth)
    throw invalid(
      `Pipelines can be nested at most ${maxDepth} levels deep. “${pipeline.name}” would be level ${ancestors.length + 1}. Run it from a pipeline higher up.`,
    )
}

/**
 * Returns a change that a different user made after the user of a triggered run saved one of the parent pipelines. Without this
 * check, a user who can change the pipeline could run code with the access of the trigger's owner. Manual runs skip this check
 * because the user can review the pipelines first.
 */
async function changeByOthers(
  { runs, store, plans }: ChildRunsDependencies,
  userName: string,
  {
    pipeline,
    resolved,
    ancestors,
  }: {
    pipeline: StoredPipeline
    resolved: Awaited<ReturnType<RunPlans['resolve']>>
    ancestors: readonly AncestorRun[]
  },
): Promise<string | undefined> {
  const root = ancestors.at(-1)!
  // Webhook runs have the type None, but they have trigger values.
  const isTriggered =
    root.trigger !== 'None' || (await runs.value(root.id, triggerReference('type'))) !== undefined
  if (!isTriggered) return undefined
  let reviewedAt = new Date(0)
  const above = await Promise.all(
    ancestors.map(async ({ pipelineId, pipelineVersion }) =>
      pipelineId === undefined ? undefined : store.find({ id: pipelineId }, pipelineVersion),
    ),
  )
  for (const own of [pipeline, ...above])
    if (own?.savedBy === userName && own.savedAt > reviewedAt) reviewedAt = own.savedAt
  if (pipeline.savedBy !== userName && pipeline.savedAt > reviewedAt)
    return `${pipeline.savedBy} saved version ${pipeline.version} of “${pipeline.name}” after ${userName} had reviewed it`
  return plans.changedByOthers(resolved, { savedBy: userName, savedAt: reviewedAt })
}

function invalid(problem: string) {
  return pipelineErrors.pipelineInvalid({ problem })
}
