import { sql, type RawBuilder } from 'kysely'
import type { Principal } from '@headwater/server-kit'
import type { StatusGroups } from './new-job.ts'

/** The caller and the readable groups; `everything` for an administrator. */
export type Visibility = { userId: number; groupIds: readonly number[] } | 'everything'

/** Groups whose statuses a caller reads; `all` for an administrator. */
export type ReadableGroups = readonly number[] | 'all'

/** Returns what a caller sees: own jobs, and those of readable groups. */
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
 * Returns the condition that a caller reads a status with data of some groups.
 * @param groupIds expression of the groups, an array
 * @param readable the groups that the caller reads, with that of the job
 */
export function readsGroups(groupIds: RawBuilder<unknown>, readable: ReadableGroups): RawBuilder<boolean> {
  if (readable === 'all') return sql<boolean>`true`
  return sql<boolean>`(${groupIds} = '{}' or ${groupIds} <@ ${readable}::bigint[])`
}

/**
 * Returns the same condition for the statuses of many jobs. Users who can see a job can read its statuses about their
 * groups.
 * @param groupOfJob expression of the group of the job; default of the table `jobs`
 */
export function readsGroupsInJobs(
  groupIds: RawBuilder<unknown>,
  visibleTo: Visibility,
  groupOfJob: RawBuilder<unknown> = sql`jobs.group_id`,
): RawBuilder<boolean> {
  if (visibleTo === 'everything') return sql<boolean>`true`
  return sql<boolean>`(${groupIds} = '{}' or ${groupIds} <@ (${groupOfJob} || ${visibleTo.groupIds}::bigint[]))`
}
