import { ApiError, call, pageSizes, type RecentHit } from '@headwater/web-kit'
import { type JobType, searchStatuses } from '../contract/index.ts'

/**
 * Returns the latest status of the newest job of a pipeline, data prep or group; undefined if there is no job or the user has
 * no access to statuses.
 */
export async function newestStatus(
  job: { type: JobType; name: string; groupName?: string },
  signal: AbortSignal,
): Promise<RecentHit['latestStatus']> {
  try {
    const query = { ...job, size: pageSizes.details }
    const { items } = await call(searchStatuses, { query }, { signal })
    return items[0]?.latestStatus
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}
