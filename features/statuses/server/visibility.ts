import { sql, type RawBuilder } from 'kysely'
import type { Principal } from '@headwater/server-kit'
import type { StatusGroups } from './new-job.ts'

/** What a caller can see: own jobs and jobs of readable groups; `everything` for an administrator. */
export type Visibility = { userId: number; groupIds: readonly number[] } | 'everything'

/** Groups about which a caller can read statuses; `all` for an administrator. */
export type ReadableGroups = readonly number[] | 'all'

/** Returns what a caller can see: own jobs and jobs of readable groups. */
export async function visibilityOf(
  groups: Pick<StatusGroups, 'scope'>,
  principal: Principal,
): Promise<Visibility> {
  const { groupIds } = await groups.scope(principal)
  return principal.isAdministrator || groupIds === 'all'
    ? 'everything'
    : { userId: principal.userId, groupIds }
}

/**
 * Returns the SQL condition that a caller can read a status with data of the given groups.
 * @param groupIds SQL expression for the array of groups
 * @param readable the groups that the caller can read, including the group of the job
 */
export function readsGroups(groupIds: RawBuilder<unknown>, readable: ReadableGroups): RawBuilder<boolean> {
  if (readable === 'all') return sql<boolean>`true`
  return sql<boolean>`(${groupIds} = '{}' or ${groupIds} <@ ${readable}::bigint[])`
}

/**
 * Returns the same condition for the statuses of many jobs. Users who can see a job can read its statuses about the group of
 * the job and about groups that they can read.
 * @param groupOfJob SQL expression for the group of the job. Default: from the table `jobs`
 */
export function readsGroupsInJobs(
  groupIds: RawBuilder<unknown>,
  visibleTo: Visibility,
  groupOfJob: RawBuilder<unknown> = sql`jobs.group_id`,
): RawBuilder<boolean> {
  if (visibleTo === 'everything') return sql<boolean>`true`
  return sql<boolean>`(${groupIds} = '{}' or ${groupIds} <@ (${groupOfJob} || ${visibleTo.groupIds}::bigint[]))`
}
