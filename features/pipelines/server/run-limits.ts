import { canWrite } from '@headwater/groups/contract'
import { AppError } from '@headwater/contract'
import type { LimitTarget, RunLimits } from '@headwater/runs/server'
import type { Principal } from '@headwater/server-kit'
import { pipelineErrors } from '../contract/index.ts'
import type { RunsServiceDependencies } from './runs-dependencies.ts'
import { requirePipeline } from './stored-values.ts'

/** Target of limits. Exactly one of the fields is set. */
export interface LimitName {
  /** Id of the pipeline. */
  pipelineId?: string | undefined
  /** Name of the group. */
  groupName?: string | undefined
}

type LimitsDependencies = Pick<RunsServiceDependencies, 'runs' | 'store' | 'groups'>

/**
 * Returns the run limits of a pipeline or group.
 * @throws limitTargetInvalid, pipelineNotFound, pipelineGroupNotFound
 */
export async function getLimits(
  deps: LimitsDependencies,
  principal: Principal,
  name: LimitName,
): Promise<RunLimits> {
  return deps.runs.limits(await requireTarget(deps, principal, name, 'R'))
}

/**
 * Sets the run limits of a pipeline or group.
 * @throws limitTargetInvalid, pipelineNotFound, pipelineGroupNotFound, pipelineGroupForbidden
 */
export async function setLimits(
  deps: LimitsDependencies,
  principal: Principal,
  { maxRuns, priority, ...name }: LimitName & RunLimits,
): Promise<RunLimits> {
  const target = await requireTarget(deps, principal, name, 'RW')
  await deps.runs.setLimits(target, { maxRuns, priority })
  return deps.runs.limits(target)
}

async function requireTarget(
  deps: LimitsDependencies,
  principal: Principal,
  { pipelineId, groupName }: LimitName,
  mode: 'R' | 'RW',
): Promise<LimitTarget> {
  if ((pipelineId === undefined) === (groupName === undefined)) throw pipelineErrors.limitTargetInvalid()
  if (pipelineId !== undefined)
    return { pipelineId: await requirePipeline(deps, principal, pipelineId, mode) }
  const group = await deps.groups.getGroup(principal, groupName!, 'R').catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'groupNotFound'
      ? pipelineErrors.groupNotFound({ group: groupName! })
      : error
  })
  if (mode === 'RW' && !canWrite(group.access)) throw pipelineErrors.groupForbidden({ group: group.name })
  return { groupId: group.id }
}
