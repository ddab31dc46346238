import { sql } from 'kysely'
import { createWorkLimit, executorOf, tablesOn, type Database, type Executor } from '@headwater/server-kit'

interface Tables {
  insights: { id: number; group_id: number; name: string }
  insight_shares: { insight_id: number; user_id: number; shared_by: number; shared_at: Date }
  user_names: { id: number; user_name: string }
  group_names: { id: number }
  ready_files: { id: string; group_id: number; name: string; type: string }
}

/** What a share may grant on a group. */
export type ShareAccess = 'R' | 'RW' | 'RWS'

/** An insight, wherever its file lies now. */
export interface InsightPlace {
  groupId: number
  insightName: string
}

/** A user an insight is shared with. */
export interface StoredShare {
  userId: number
  userName: string
  sharedBy: string
  sharedAt: Date
}

export interface SharingStore {
  /**
   * Runs `work` in a transaction; changes of shares happen one after the other on all servers. `work` must ask nothing
   * but its executor: those who wait for it have connections of the pool.
   * @param groupIds groups that `work` writes rows for; it is told which of them are there, and these stay
   */
  change<T>(
    work: (executor: Executor, there: ReadonlySet<number>) => Promise<T>,
    groupIds?: readonly number[],
  ): Promise<T>
  /** Lets the transaction of somebody else take its turn among the changes of shares, until it ends. */
  lock(executor: Executor): Promise<void>
  /** Id of the row of an insight; undefined when nothing is known of it. */
  findId(place: InsightPlace): Promise<number | undefined>
  /** The same, made when there is none. */
  takeId(place: InsightPlace, executor: Executor): Promise<number>
  /** Follows the file to its new place. */
  rename(from: InsightPlace, to: InsightPlace, executor: Executor): Promise<void>
  /** Whether there is an insight in this place. */
  hasFile(place: InsightPlace, executor: Executor): Promise<boolean>
  /** Rows of the insights that lie in a group. */
  idsIn(groupId: number, executor: Executor): Promise<number[]>
  /** Rows without a file: their last version has gone. */
  idsWithoutFile(executor: Executor): Promise<number[]>
  remove(insightId: number, executor: Executor): Promise<void>
  shares(insightId: number, executor?: Executor): Promise<StoredShare[]>
  addShares(
    insightId: number,
    given: { userIds: readonly number[]; sharedBy: number; now: Date },
    executor: Executor,
  ): Promise<void>
  removeShares(insightId: number, userIds: readonly number[], executor: Executor): Promise<void>
}

// Those who wait for the lock have a connection of the pool each: some must stay free for everybody else.
const maxConnections = 4

/** What is known of the sharing of insights, in PostgreSQL. */
export function createSharingStore(database: Database): SharingStore {
  const db = database.tables<Tables>()
  const on = (executor: Executor | undefined) => (executor === undefined ? db : tablesOn<Tables>(executor))
  const limit = createWorkLimit(maxConnections)

  async function lock(executor: Executor): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended('insight shares', 0))`.execute(
      tablesOn<Tables>(executor),
    )
  }

  return {
    change: (work, groupIds = []) =>
      limit(() =>
        db.transaction().execute(async (tx) => {
          // Before the lock, as who deletes a group has the group first and then takes the lock.
          const there = await tx
            .selectFrom('group_names')
            .select('id')
            .where('id', '=', sql<number>`any(${groupIds}::bigint[])`)
            .orderBy('id')
            .forKeyShare()
            .execute()
          const executor = executorOf(tx)
          await lock(executor)
          return work(executor, new Set(there.map(({ id }) => id)))
        }),
      ),
    lock,
    async findId({ groupId, insightName }) {
      const row = await db
        .selectFrom('insights')
        .select('id')
        .where('group_id', '=', groupId)
        .where('name', '=', insightName)
        .executeTakeFirst()
      return row?.id
    },
    async takeId({ groupId, insightName }, executor) {
      const { id } = await tablesOn<Tables>(executor)
        .insertInto('insights')
        .values({ group_id: groupId, name: insightName } as never)
        .onConflict((conflict) => conflict.columns(['group_id', 'name']).doUpdateSet({ name: insightName }))
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async rename(from, to, executor) {
      await tablesOn<Tables>(executor)
        .updateTable('insights')
        .set({ group_id: to.groupId, name: to.insightName })
        .where('group_id', '=', from.groupId)
        .where('name', '=', from.insightName)
        .execute()
    },
    async hasFile({ groupId, insightName }, executor) {
      const row = await tablesOn<Tables>(executor)
        .selectFrom('ready_files as files')
        .select('id')
        .where('group_id', '=', groupId)
        .where('name', '=', `${insightName}.json`)
        .where('type', '=', 'INSIGHT')
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    async idsIn(groupId, executor) {
      const rows = await tablesOn<Tables>(executor)
        .selectFrom('insights')
        .select('id')
        .where('group_id', '=', groupId)
        .execute()
      return rows.map(({ id }) => id)
    },
    async idsWithoutFile(executor) {
      const rows = await tablesOn<Tables>(executor)
        .selectFrom('insights')
        .select('insights.id')
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('ready_files as files')
                .select('files.id')
                .whereRef('files.group_id', '=', 'insights.group_id')
                .where('files.name', '=', sql<string>`insights.name || '.json'`)
                .where('files.type', '=', 'INSIGHT'),
            ),
          ),
        )
        .execute()
      return rows.map(({ id }) => id)
    },
    async remove(insightId, executor) {
      await tablesOn<Tables>(executor).deleteFrom('insights').where('id', '=', insightId).execute()
    },
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
