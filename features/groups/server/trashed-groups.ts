import { sql, type Transaction } from 'kysely'
import { executorOf, refusedByConstraint, type Database, type Executor } from '@headwater/server-kit'
import type { GroupContentsCount } from '../contract/index.ts'
import { readDeletedPage, type DeletedColumns } from './deleted-pages.ts'
import type { GroupTables } from './group-tables.ts'
import type { DeletedQuery } from './trash-bin.ts'

/** A deleted group. */
export interface TrashedGroup {
  /** Id of the group. */
  id: number
  /** Name when it was deleted. */
  name: string
  /** Id of the owner. */
  ownerId: number
  /** User name of the owner. */
  owner: string
  /** User name of the user who deleted it; null if the user was deleted. */
  deletedBy: string | null
  /** Time of the deletion. */
  deletedAt: Date
  /** Numbers of its objects at the time of the deletion. */
  contents: GroupContentsCount | null
}

/** Work that runs in the transaction that changes a deleted group. */
type InTransaction = (groupId: number, executor: Executor) => Promise<void>

/** Stores deleted groups. No other code reads them. */
export interface TrashedGroupsStore {
  /** Returns a page of the deleted groups of an owner, or of all. */
  list(filter: {
    ownerId: number | 'everybody'
    query: DeletedQuery
  }): Promise<{ groups: TrashedGroup[]; total: number }>
  /** Returns a deleted group. */
  find(id: number): Promise<TrashedGroup | undefined>
  /** Marks a group as deleted. `work` runs first, in the same transaction. Does nothing if the group no longer exists. */
  trash(
    id: number,
    deletion: { userId: number; at: Date; contents: GroupContentsCount },
    work: InTransaction,
  ): Promise<void>
  /** Restores a group. `work` runs afterwards, in the same transaction. */
  restore(id: number, name: string, work: InTransaction): Promise<'restored' | 'notInTrash' | 'nameTaken'>
  /**
   * Permanently deletes a group that is in the trash, with the rows of all features. `work` runs first. Returns whether the
   * group existed.
   */
  remove(id: number, work: InTransaction): Promise<boolean>
  /**
   * Returns, as a list, the id of the group with the earliest deletion before a time that is not in `except`; empty if there
   * is none.
   */
  listDeletedBefore(before: Date, except: readonly number[]): Promise<number[]>
  /** Returns the ids of all live groups; undefined if there are no deleted groups. */
  liveIdsBesideDeleted(): Promise<number[] | undefined>
  /** Suspends the grants of insights in a group, until the group is restored. */
  suspendGrants(groupId: number, insightIds: readonly string[], executor: Executor): Promise<void>
}

const columns: DeletedColumns = {
  id: sql`groups.id`,
  texts: [sql`groups.name`],
  orders: {
    name: sql`lower(groups.name)`,
    groupName: sql`lower(groups.name)`,
    deletedAt: sql`groups.deleted_at`,
    sizeBytes: sql`groups.deleted_at`,
  },
}

/** Creates the store. */
export function createTrashedGroupsStore(database: Database): TrashedGroupsStore {
  const db = database.tables<GroupTables>()
  const selectTrashed = () =>
    db
      .selectFrom('groups')
      .innerJoin('user_names as owners', 'owners.id', 'groups.owner_id')
      .leftJoin('user_names as deleters', 'deleters.id', 'groups.deleted_by')
      .select(['groups.id', 'groups.name', 'groups.owner_id as ownerId', 'owners.user_name as owner'])
      .select(['deleters.user_name as deletedBy', 'groups.deleted_contents as contents'])
      .select(sql<Date>`groups.deleted_at`.as('deletedAt'))
      .where('groups.deleted_at', 'is not', null)
  return {
    async list({ ownerId, query }) {
      const deleted = selectTrashed().$if(ownerId !== 'everybody', (qb) =>
        qb.where('groups.owner_id', '=', ownerId as number),
      )
      const { rows: groups, total } = await readDeletedPage(deleted, columns, query)
      return { groups, total }
    },
    find: (id) => selectTrashed().where('groups.id', '=', id).executeTakeFirst(),
    trash: (id, { userId, at, contents }, work) =>
      db.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('live_groups')
          .select('id')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return
        await work(id, executorOf(tx))
        await tx
          .updateTable('groups')
          .set({ deleted_at: at, deleted_by: userId, deleted_contents: JSON.stringify(contents) as never })
          .where('id', '=', id)
          .execute()
      }),
    restore: (id, name, work) => {
      const restored = db.transaction().execute(async (tx) => {
        // Only one restoration with a name runs at a time; otherwise two could find the same name free.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`group ${name}`}, 0))`.execute(tx)
        if (!(await lockDeleted(tx, id))) return 'notInTrash'
        const { rows } =
          await sql`update groups set deleted_at = null, deleted_by = null, deleted_contents = null, name = ${name}
          where id = ${id} and not exists (select from live_groups where name = ${name}) returning id`.execute(
            tx,
          )
        if (rows.length === 0) return 'nameTaken'
        await tx
          .updateTable('group_grants')
          .set({ suspended_by: null })
          .where('suspended_by', '=', id)
          .execute()
        await work(id, executorOf(tx))
        return 'restored'
      })
      // A group with this name can be created between the check and the commit.
      return refusedByConstraint(restored, { unique: 'nameTaken', missing: 'notInTrash' })
    },
    remove: (id, work) =>
      db.transaction().execute(async (tx) => {
        if (!(await lockDeleted(tx, id))) return false
        await work(id, executorOf(tx))
        await tx.deleteFrom('groups').where('id', '=', id).execute()
        return true
      }),
    async listDeletedBefore(before, except) {
      const rows = await db
        .selectFrom('groups')
        .select('id')
        .where('deleted_at', '<', before)
        .where(sql<boolean>`id <> all(${except}::bigint[])`)
        .orderBy('deleted_at')
        .limit(1)
        .execute()
      return rows.map(({ id }) => id)
    },
    async liveIdsBesideDeleted() {
      const { rows } = await sql<{ ids: number[] | null }>`
        select case when exists (select from groups where deleted_at is not null)
          then (select coalesce(json_agg(id order by id), '[]') from live_groups) end as ids`.execute(db)
      return rows[0]?.ids ?? undefined
    },
    async suspendGrants(groupId, insightIds, executor) {
      await executor.query(
        `update group_grants set suspended_by = $1 where source = 'insight' and source_id = any($2::text[])`,
        [groupId, insightIds],
      )
    },
  }
}

/** Locks a deleted group; returns false if it is not in the trash. */
async function lockDeleted(tx: Transaction<GroupTables>, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('groups')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
