import { ApiError, call, pageSizes, type RecentHit } from '@headwater/web-kit'
import { type JobType, searchStatuses } from '../contract/index.ts'

/**
 * What the newest job of something said last: of a pipeline or data prep by its name and group, of a group by its name.
 * Undefined when there was no job, or when the user may not see statuses.
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
