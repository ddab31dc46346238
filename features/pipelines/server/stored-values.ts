import { canWrite } from '@headwater/groups/contract'
import { AppError, isUuid } from '@headwater/contract'
import { isReference } from '@headwater/runs/contract'
import { maxRunValues, type StoredRun } from '@headwater/runs/server'
import type { Principal } from '@headwater/server-kit'
import { pipelineErrors } from '../contract/index.ts'
import { maxPipelineValues } from './pipeline-values.ts'
import { requireGroupOf } from './run-access.ts'
import type { RunsServiceDependencies } from './runs-dependencies.ts'

/** Owner of a value: a run, or a pipeline with runs that share it. */
type ValueOwner = { run: StoredRun } | { pipelineId: string }

/** Identifies a value of a run or pipeline. */
export interface ValueName {
  /** Id of the pipeline; `None` for a task that runs on its own. */
  pipelineId: string
  /** Job id of the run. Default: the latest run of the pipeline. */
  jobId: string | undefined
  /** Name of the value. A reference `${uuid}` belongs to the run, every other name to the pipeline. */
  key: string
}

/**
 * Returns a stored value.
 * @throws valueNotFound, runNotFound, pipelineNotFound
 */
export async function readValue(deps: RunsServiceDependencies, principal: Principal, name: ValueName) {
  const own = principal.testRun?.value(name.key)
  if (own !== undefined) return { dataStorageId: principal.run?.runId ?? '', key: name.key, value: own }
  const owner = await ownerOf(deps, principal, name, 'R')
  const value =
    'run' in owner
      ? await deps.runs.value(owner.run.id, name.key)
      : await deps.values.find(owner.pipelineId, name.key)
  if (value === undefined) throw pipelineErrors.valueNotFound({ key: name.key })
  return { dataStorageId: 'run' in owner ? owner.run.id : owner.pipelineId, key: name.key, value }
}

/**
 * Stores a value.
 * @throws runNotFound, pipelineNotFound, pipelineGroupForbidden, tooManyValues
 */
export async function storeValue(
  deps: RunsServiceDependencies,
  principal: Principal,
  name: ValueName,
  value: string,
): Promise<void> {
  if (principal.testRun !== undefined) {
    if (!principal.testRun.setValue(name.key, value))
      throw pipelineErrors.tooManyValues({ max: maxRunValues })
    return
  }
  const owner = await ownerOf(deps, principal, name, 'RW')
  if ('run' in owner) {
    if (owner.run.state === 'ended') throw pipelineErrors.runNotFound()
    if (!(await deps.runs.setValue(owner.run.id, name.key, value)))
      throw pipelineErrors.tooManyValues({ max: maxRunValues })
  } else if (!(await deps.values.set(owner.pipelineId, name.key, value))) {
    throw pipelineErrors.tooManyValues({ max: maxPipelineValues })
  }
}

/** Returns the values of a run and of its pipeline, by name. Ignores a job id that does not belong to a run of the pipeline. */
export async function listValues(
  deps: RunsServiceDependencies,
  principal: Principal,
  { pipelineId, jobId }: Omit<ValueName, 'key'>,
) {
  const id = await requirePipeline(deps, principal, pipelineId, 'R')
  const selected = await findRun(deps, principal, id, jobId)
  // The check of the group above applies only to runs of this pipeline.
  const run = selected?.pipelineId === id ? selected : undefined
  const ofRun = run === undefined ? new Map<string, string>() : await deps.runs.values(run.id)
  const ofPipeline = await deps.values.list(id)
  return [...ofRun, ...ofPipeline].map(([name, value]) => ({
    jobId: run?.id ?? null,
    pipelineId: id,
    name,
    value,
  }))
}

async function ownerOf(
  deps: RunsServiceDependencies,
  principal: Principal,
  { pipelineId: givenId, jobId, key }: ValueName,
  mode: 'R' | 'RW',
): Promise<ValueOwner> {
  const pipelineId = isUuid(givenId.trim()) ? givenId.trim().toLowerCase() : undefined
  if (pipelineId !== undefined && !isReference(key)) {
    await requirePipeline(deps, principal, pipelineId, mode)
    return { pipelineId }
  }
  const run = await findRun(deps, principal, pipelineId, jobId)
  if (run === undefined) throw pipelineErrors.noRunForValue({ key })
  // Otherwise a reader could send the group's secrets, which other inputs refer to, to a URL of their choice. Only the code of
  // the run itself can store its outputs without write access.
  const isOwnCode = principal.run?.runId === run.id
  if (!isOwnCode) await requireGroupOf(deps, principal, run)
  if (mode === 'RW' && run.pipelineId !== undefined && !isOwnCode)
    await requirePipeline(deps, principal, run.pipelineId, 'RW')
  return { run }
}

/** Returns the run with this job id that the caller started; without a job id, the caller's latest run of the pipeline. */
async function findRun(
  { runs }: RunsServiceDependencies,
  principal: Principal,
  pipelineId: string | undefined,
  jobId: string | undefined,
): Promise<StoredRun | undefined> {
  if (jobId !== undefined && isUuid(jobId.trim())) {
    const run = await runs.find(jobId.trim().toLowerCase())
    return run?.userId === principal.userId ? run : undefined
  }
  return pipelineId === undefined ? undefined : runs.findOfPipeline(pipelineId, principal.userId)
}

/**
 * Checks access to a pipeline by id and returns the stored id.
 * @throws pipelineNotFound, pipelineGroupForbidden
 */
export async function requirePipeline(
  { store, groups }: Pick<RunsServiceDependencies, 'store' | 'groups'>,
  principal: Principal,
  pipelineId: string,
  mode: 'R' | 'RW',
): Promise<string> {
  const notFound = pipelineErrors.notFound({ what: pipelineId })
  const pipeline = isUuid(pipelineId) ? await store.find({ id: pipelineId }) : undefined
  if (pipeline === undefined) throw notFound
  try {
    const group = await groups.getGroupById(principal, pipeline.groupId, 'R')
    if (mode === 'RW' && !canWrite(group.access)) throw pipelineErrors.groupForbidden({ group: group.name })
    return pipeline.id
  } catch (error) {
    throw error instanceof AppError && error.code === 'groupNotFound' ? notFound : error
  }
}
