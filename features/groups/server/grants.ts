import { sql, type Kysely } from 'kysely'
import { tablesOn, type Database, type Executor } from '@headwater/server-kit'
import { canShare, groupErrors, includesAccess, type GroupAccessMode } from '../contract/index.ts'
import { isInEffect, hasRange, type GroupTables } from './group-tables.ts'
import type { AccessibleGroup } from './group-access.ts'

/** The source of a grant: a direct share, or the share of an insight with its id. */
export type GrantSource = { kind: 'direct' } | InsightSource

/** The share of an insight. */
export interface InsightSource {
  /** Kind of the source. */
  kind: 'insight'
  /** Id of the insight. */
  id: string
}

/** The access to a group that a user has from one source. */
export interface Grant {
  /** Id of the group. */
  groupId: number
  /** Id of the user. */
  userId: number
  /** Source of the grant. */
  source: GrantSource
  /** Access that the grant allows. */
  access: GroupAccessMode
}

/** A grant with the names of its group and its user. */
export interface NamedGrant extends Grant {
  /** Name of the group. */
  groupName: string
  /** User name of the user. */
  userName: string
}

/** Grants on groups, for features that share objects together with the groups that they need. */
export interface Grants {
  /** Returns the combined access of users to a group from all of their grants. Users without access are omitted. */
  effective(
    groupId: number,
    userIds: readonly number[],
    executor: Executor,
  ): Promise<Map<number, GroupAccessMode>>
  /** Returns the users whose direct share of a group has a range of dates and has not ended. */
  withRange(groupId: number, userIds: readonly number[], executor: Executor): Promise<ReadonlySet<number>>
  /** Returns the grants of users on all data of a group, without grants that have ended. */
  on(groupId: number, userIds: readonly number[], executor: Executor): Promise<Grant[]>
  /** Returns the grants of a source, ordered by group and user name, without grants that have ended. */
  from(source: GrantSource, executor?: Executor): Promise<NamedGrant[]>
  /**
   * Saves the grant of an insight, on all data and without an end. Replaces an existing grant of the same insight.
   * @throws groupForbidden unless the caller can share the group and has all access of the grant
   */
  set(
    group: AccessibleGroup,
    grant: Omit<Grant, 'groupId' | 'source'> & { source: InsightSource },
    executor: Executor,
  ): Promise<void>
  /**
   * Shares all data of a group directly, without an end. The owner and users who already have a direct share of all
   * data are skipped.
   * @returns false if the group no longer exists
   * @throws groupForbidden unless the caller can share the group and has all access of the grants
   */
  shareDirectly(
    group: AccessibleGroup,
    userIds: readonly number[],
    grant: { access: GroupAccessMode; sharedBy: number },
    executor: Executor,
  ): Promise<boolean>
  /** Removes the grant of a source; grants of other sources remain. */
  remove(grant: Omit<Grant, 'access'>, executor: Executor): Promise<void>
}

/** Creates the store of grants in PostgreSQL. */
export function createGrants(database: Database): Grants {
  const db = database.tables<GroupTables>()
  return {
    effective: effectiveGrants,
    withRange: directGrantsWithRange,
    on: grantsOn,
    from: (source, executor) => grantsFrom(executor === undefined ? db : tablesOn(executor), source),
    async set(group, grant, executor) {
      requireShareable(group, grant.access)
      await saveGrant({ ...grant, groupId: group.id }, executor)
    },
    async shareDirectly(group, userIds, grant, executor) {
      requireShareable(group, grant.access)
      return addDirectGrants(group.id, userIds, grant, executor)
    },
    remove: removeGrant,
  }
}

function requireShareable(group: AccessibleGroup, access: GroupAccessMode): void {
  // A separate query for the group would need a second pool connection and could wait for the transaction.
  if (!canShare(group.access) || !includesAccess(group.access, access))
    throw groupErrors.groupForbidden({ name: group.name, mode: 'RS' })
}

async function addDirectGrants(
  groupId: number,
  userIds: readonly number[],
  { access, sharedBy }: { access: GroupAccessMode; sharedBy: number },
  executor: Executor,
): Promise<boolean> {
  const on = tablesOn<GroupTables>(executor)
  // The lock prevents the deletion of the group until the end of the transaction.
  const group = await on
    .selectFrom('live_groups as groups')
    .select('owner_id')
    .where('id', '=', groupId)
    .forKeyShare()
    .executeTakeFirst()
  if (group === undefined) return false
  const others = userIds.filter((userId) => userId !== group.owner_id)
  if (others.length === 0) return true
  const shared = { access, shared_by: sharedBy, shared_at: sql<Date>`now()` }
  await on
    .insertInto('group_grants')
    .values(
      others.map((userId) => ({
        group_id: groupId,
        user_id: userId,
        source: 'direct',
        source_id: '',
        ...shared,
      })) as never,
    )
    .onConflict((conflict) =>
      conflict
        .columns(['group_id', 'user_id', 'source', 'source_id'])
        .doUpdateSet({ ...shared, data_from: null, data_to: null, ends_at: null })
        .where(sql<boolean>`group_grants.ends_at <= now() or ${hasRange}`),
    )
    .execute()
  return true
}

async function effectiveGrants(
  groupId: number,
  userIds: readonly number[],
  executor: Executor,
): Promise<Map<number, GroupAccessMode>> {
  const rows = await tablesOn<GroupTables>(executor)
    .selectFrom('effective_grants')
    .select(['user_id', 'access'])
    .where('group_id', '=', groupId)
    .where('user_id', '=', sql<number>`any(${userIds}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.user_id, row.access]))
}

async function directGrantsWithRange(
  groupId: number,
  userIds: readonly number[],
  executor: Executor,
): Promise<ReadonlySet<number>> {
  const rows = await tablesOn<GroupTables>(executor)
    .selectFrom('group_grants')
    .select('user_id')
    .where('group_id', '=', groupId)
    .where('source', '=', 'direct')
    .where('user_id', '=', sql<number>`any(${userIds}::bigint[])`)
    .where(isInEffect)
    .where(hasRange)
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

async function grantsOn(groupId: number, userIds: readonly number[], executor: Executor): Promise<Grant[]> {
  const rows = await tablesOn<GroupTables>(executor)
    .selectFrom('group_grants')
    .select(['group_id', 'user_id', 'source', 'source_id', 'access'])
    .where('group_id', '=', groupId)
    .where('user_id', '=', sql<number>`any(${userIds}::bigint[])`)
    .where(isInEffect)
    .where(sql<boolean>`not ${hasRange}`)
    .execute()
  return rows.map(toGrant)
}

async function grantsFrom(on: Kysely<GroupTables>, source: GrantSource): Promise<NamedGrant[]> {
  const rows = await on
    .selectFrom('group_grants')
    .innerJoin('live_groups as groups', 'groups.id', 'group_grants.group_id')
    .innerJoin('user_names', 'user_names.id', 'group_grants.user_id')
    .select(['group_id', 'user_id', 'source', 'source_id', 'access'])
    .select(['groups.name as group_name', 'user_name'])
    .where('source', '=', source.kind)
    .where('source_id', '=', idOf(source))
    .where(isInEffect)
    .orderBy('groups.name')
    .orderBy('user_name')
    .execute()
  return rows.map((row) => ({ ...toGrant(row), groupName: row.group_name, userName: row.user_name }))
}

async function saveGrant({ groupId, userId, source, access }: Grant, executor: Executor): Promise<void> {
  await tablesOn<GroupTables>(executor)
    .insertInto('group_grants')
    .values({
      group_id: groupId,
      user_id: userId,
      source: source.kind,
      source_id: idOf(source),
      access,
    } as never)
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'user_id', 'source', 'source_id']).doUpdateSet({ access }),
    )
    .execute()
}

async function removeGrant(
  { groupId, userId, source }: Omit<Grant, 'access'>,
  executor: Executor,
): Promise<void> {
  await tablesOn<GroupTables>(executor)
    .deleteFrom('group_grants')
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .where('source', '=', source.kind)
    .where('source_id', '=', idOf(source))
    .execute()
}

function idOf(source: GrantSource): string {
  return source.kind === 'direct' ? '' : source.id
}

function toGrant(
  row: Pick<GroupTables['group_grants'], 'group_id' | 'user_id' | 'source' | 'source_id' | 'access'>,
): Grant {
  return {
    groupId: row.group_id,
    userId: row.user_id,
    source: row.source === 'direct' ? { kind: 'direct' } : { kind: row.source, id: row.source_id },
    access: row.access,
  }
}
