import { AppError, isUuid } from '@headwater/contract'
import type { StoredRun } from '@headwater/runs/server'
import type { Principal } from '@headwater/server-kit'
import { pipelineErrors } from '../contract/index.ts'
import type { RunsServiceDependencies } from './runs-dependencies.ts'

type Dependencies = Pick<RunsServiceDependencies, 'runs' | 'store' | 'groups'>

/** Returns a run that the caller started, if the caller can still read its group. */
export async function requireRunOfCaller(
  deps: Dependencies,
  principal: Principal,
  jobId: string,
): Promise<StoredRun> {
  const run = await requireReadableRun(deps, principal, jobId)
  // This also applies to administrators: the values were read with the access of the other user, and readers of the new run
  // would see them.
  if (run.userId !== principal.userId) throw pipelineErrors.runNotFound()
  return run
}

/** Returns a run that the caller started and that has not ended. Administrators have access to every run. */
export async function requireOpenRun(
  deps: Dependencies,
  principal: Principal,
  jobId: string,
): Promise<StoredRun> {
  return unlessEnded(await requireOwnRun(deps, principal, jobId))
}

/** Like {@link requireOpenRun}, but only if the caller can still read the group of the run. */
export async function requireReadableOpenRun(
  deps: Dependencies,
  principal: Principal,
  jobId: string,
): Promise<StoredRun> {
  return unlessEnded(await requireReadableRun(deps, principal, jobId))
}

/**
 * Returns a run that the caller started, if the caller can still read its group. Administrators have access to every run. If
 * the pipeline still exists, its current group counts, otherwise the group of the run.
 */
export async function requireReadableRun(
  deps: Dependencies,
  principal: Principal,
  jobId: string,
): Promise<StoredRun> {
  const run = await requireOwnRun(deps, principal, jobId)
  await requireGroupOf(deps, principal, run)
  return run
}

/**
 * Checks that the caller can read the group of a run.
 * @throws runNotFound
 */
export async function requireGroupOf(
  { store, groups }: Pick<Dependencies, 'store' | 'groups'>,
  principal: Principal,
  run: Pick<StoredRun, 'pipelineId' | 'groupId'>,
): Promise<void> {
  const pipeline = run.pipelineId === undefined ? undefined : await store.find({ id: run.pipelineId })
  const groupId = pipeline?.groupId ?? run.groupId
  if (groupId === undefined) return
  try {
    await groups.getGroupById(principal, groupId, 'R')
  } catch (error) {
    throw error instanceof AppError && error.code === 'groupNotFound' ? pipelineErrors.runNotFound() : error
  }
}

async function requireOwnRun(
  { runs }: Pick<Dependencies, 'runs'>,
  principal: Principal,
  jobId: string,
): Promise<StoredRun> {
  const run = isUuid(jobId.trim()) ? await runs.find(jobId.trim().toLowerCase()) : undefined
  if (run === undefined || (run.userId !== principal.userId && !principal.isAdministrator))
    throw pipelineErrors.runNotFound()
  return run
}

function unlessEnded(run: StoredRun): StoredRun {
  if (run.state === 'ended') throw pipelineErrors.runNotFound()
  return run
}
