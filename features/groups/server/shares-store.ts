import { sql, type Transaction } from 'kysely'
import { executorOf, type Database, type Executor } from '@headwater/server-kit'
import { groupErrors, type GroupAccessMode } from '../contract/index.ts'
import type { DataRange } from './access-scope.ts'
import { isInEffect, type GroupTables } from './group-tables.ts'

/** A grant of a group with its user and its origin. */
export interface StoredGroupGrant {
  /** Id of the user. */
  userId: number
  /** Name of the user. */
  userName: string
  /** Access that the grant allows. */
  access: GroupAccessMode
  /** Source of the grant. */
  source: 'direct' | 'insight'
  /** Id of the insight; empty for a direct share. */
  sourceId: string
  /** End of the grant; null for never. */
  endsAt: Date | null
  /** Range of the readable data; null for all data. */
  range: DataRange | null
  /** Name of the user who shared; null if unknown. */
  sharedBy: string | null
  /** Date of the share. */
  sharedAt: Date
}

/** A direct share to save. */
export interface NewShare {
  /** Id of the group. */
  groupId: number
  /** Id of the user. */
  userId: number
  /** Access of the user. */
  access: GroupAccessMode
  /** End of the share; null for never. */
  endsAt: Date | null
  /** Range of the readable data; null for all data. */
  range: DataRange | null
  /** Id of the user who shares. */
  sharedBy: number
}

/** Stores direct shares of groups. */
export interface SharesStore {
  /** Returns the grants of a group, ordered by user name, direct shares first, without grants that have ended. */
  grantsOf(groupId: number): Promise<StoredGroupGrant[]>
  /**
   * Runs `work` in a transaction. Other changes to the shares of these groups wait.
   * @throws groupDeleted
   */
  change<T>(groupIds: readonly number[], work: (shares: SharesInChange) => Promise<T>): Promise<T>
}

/** The direct shares of locked groups in a transaction. */
export interface SharesInChange {
  /** Executor of the transaction. */
  executor: Executor
  /**
   * Returns the access of a user to a group from ownership and grants; undefined without access or if the group is deleted.
   */
  accessOf(groupId: number, userId: number): Promise<GroupAccessMode | undefined>
  /** Returns the direct share of a user; undefined if there is none. */
  find(
    groupId: number,
    userId: number,
  ): Promise<{ access: GroupAccessMode; endsAt: Date | null; range: DataRange | null } | undefined>
  /** Saves a direct share. It replaces an existing direct share of the user. */
  save(share: NewShare): Promise<void>
  /** Deletes the direct share of a user. */
  remove(groupId: number, userId: number): Promise<void>
}

/** Creates the store. */
export function createSharesStore(database: Database): SharesStore {
  const db = database.tables<GroupTables>()
  return {
    async grantsOf(groupId) {
      const rows = await db
        .selectFrom('group_grants')
        .innerJoin('user_names', 'user_names.id', 'group_grants.user_id')
        .leftJoin('user_names as sharers', 'sharers.id', 'group_grants.shared_by')
        .select(['user_id', 'user_names.user_name', 'access', 'source', 'source_id', 'ends_at', 'shared_at'])
        .select(['sharers.user_name as sharer', 'data_from', 'data_to'])
        .where('group_id', '=', groupId)
        .where(isInEffect)
        .orderBy('user_names.user_name')
        .orderBy('source')
        .orderBy('source_id')
        .execute()
      return rows.map((row) => ({
        userId: row.user_id,
        userName: row.user_name,
        access: row.access,
        source: row.source,
        sourceId: row.source_id,
        endsAt: row.ends_at,
        range: rangeOf(row),
        sharedBy: row.sharer,
        sharedAt: row.shared_at,
      }))
    },
    change: (groupIds, work) =>
      db.transaction().execute(async (tx) => {
        // Locks in the order of ids, so that two changes of the same groups do not deadlock.
        const locked = await tx
          .selectFrom('live_groups as groups')
          .select('id')
          .where('id', '=', sql<number>`any(${groupIds}::bigint[])`)
          .orderBy('id')
          .forNoKeyUpdate()
          .execute()
        if (locked.length < groupIds.length) throw groupErrors.groupDeleted()
        return work(sharesIn(tx))
      }),
  }
}

function sharesIn(tx: Transaction<GroupTables>): SharesInChange {
  const direct = { source: 'direct', source_id: '' } as const
  return {
    executor: executorOf(tx),
    async accessOf(groupId, userId) {
      const row = await tx
        .selectFrom('effective_grants')
        .select('access')
        .where('group_id', '=', groupId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row?.access
    },
    async find(groupId, userId) {
      const row = await tx
        .selectFrom('group_grants')
        .select(['access', 'ends_at', 'data_from', 'data_to'])
        .where('group_id', '=', groupId)
        .where('user_id', '=', userId)
        .where('source', '=', 'direct')
        .where(isInEffect)
        .executeTakeFirst()
      return row && { access: row.access, endsAt: row.ends_at, range: rangeOf(row) }
    },
    async save({ groupId, userId, access, endsAt, range, sharedBy }) {
      const changed = {
        access,
        ends_at: endsAt,
        data_from: range?.from ?? null,
        data_to: range?.to ?? null,
        shared_by: sharedBy,
        shared_at: sql<Date>`now()`,
      }
      await tx
        .insertInto('group_grants')
        .values({ group_id: groupId, user_id: userId, ...direct, ...changed })
        .onConflict((conflict) =>
          conflict.columns(['group_id', 'user_id', 'source', 'source_id']).doUpdateSet(changed),
        )
        .execute()
    },
    async remove(groupId, userId) {
      await tx
        .deleteFrom('group_grants')
        .where('group_id', '=', groupId)
        .where('user_id', '=', userId)
        .where('source', '=', 'direct')
        .execute()
    },
  }
}

function rangeOf({
  data_from: from,
  data_to: to,
}: {
  data_from: Date | null
  data_to: Date | null
}): DataRange | null {
  return from === null && to === null ? null : { from, to }
}
