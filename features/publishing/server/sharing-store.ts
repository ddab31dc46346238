import { sql } from 'kysely'
import { createWorkLimit, executorOf, tablesOn, type Database, type Executor } from '@headwater/server-kit'

interface Tables {
  insight_shares: { insight_id: string; user_id: number; shared_by: number; shared_at: Date }
  user_names: { id: number; user_name: string }
  group_names: { id: number }
}

/** A user with whom an insight is shared. */
export interface StoredShare {
  /** Id of the user. */
  userId: number
  /** Name of the user. */
  userName: string
  /** Name of the user who shared the insight. */
  sharedBy: string
  /** Date of the share. */
  sharedAt: Date
}

/** Store of shares in PostgreSQL. */
export interface SharingStore {
  /**
   * Runs `work` in a transaction; changes of shares are serialised across all servers. `work` must query only through
   * its executor, because waiting changes occupy pool connections.
   * @param groupIds groups for which `work` writes rows; it receives the ids of those that exist, and these cannot be
   *   deleted in the meantime
   */
  change<T>(
    work: (executor: Executor, existing: ReadonlySet<number>) => Promise<T>,
    groupIds?: readonly number[],
  ): Promise<T>
  /** Returns the shares of an insight, by user name. */
  shares(insightId: string, executor?: Executor): Promise<StoredShare[]>
  /** Adds shares; existing ones stay unchanged. */
  addShares(
    insightId: string,
    given: { userIds: readonly number[]; sharedBy: number; now: Date },
    executor: Executor,
  ): Promise<void>
  /** Deletes the shares with these users. */
  removeShares(insightId: string, userIds: readonly number[], executor: Executor): Promise<void>
}

// Each change that waits for the lock occupies a pool connection, so the number of waiting changes is limited.
const maxConnections = 4

/** Creates the store. */
export function createSharingStore(database: Database): SharingStore {
  const db = database.tables<Tables>()
  const on = (executor: Executor | undefined) => (executor === undefined ? db : tablesOn<Tables>(executor))
  const limit = createWorkLimit(maxConnections)

  return {
    change: (work, groupIds = []) =>
      limit(() =>
        db.transaction().execute(async (tx) => {
          // This comes before the advisory lock, so that waiting for a group does not block other changes.
          const existing = await tx
            .selectFrom('group_names')
            .select('id')
            .where('id', '=', sql<number>`any(${groupIds}::bigint[])`)
            .orderBy('id')
            .forKeyShare()
            .execute()
          await sql`select pg_advisory_xact_lock(hashtextextended('insight shares', 0))`.execute(tx)
          return work(executorOf(tx), new Set(existing.map(({ id }) => id)))
        }),
      ),
    async shares(insightId, executor) {
      const rows = await on(executor)
        .selectFrom('insight_shares')
        .innerJoin('user_names as users', 'users.id', 'insight_shares.user_id')
        .innerJoin('user_names as sharers', 'sharers.id', 'insight_shares.shared_by')
        .select(['user_id', 'users.user_name', 'sharers.user_name as shared_by', 'shared_at'])
        .where('insight_id', '=', insightId)
        .orderBy('users.user_name')
        .execute()
      return rows.map((row) => ({
        userId: row.user_id,
        userName: row.user_name,
        sharedBy: row.shared_by,
        sharedAt: row.shared_at,
      }))
    },
    async addShares(insightId, { userIds, sharedBy, now }, executor) {
      if (userIds.length === 0) return
      await tablesOn<Tables>(executor)
        .insertInto('insight_shares')
        .values(
          userIds.map((userId) => ({
            insight_id: insightId,
            user_id: userId,
            shared_by: sharedBy,
            shared_at: now,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async removeShares(insightId, userIds, executor) {
      await tablesOn<Tables>(executor)
        .deleteFrom('insight_shares')
        .where('insight_id', '=', insightId)
        .where('user_id', '=', sql<number>`any(${userIds}::bigint[])`)
        .execute()
    },
  }
}
