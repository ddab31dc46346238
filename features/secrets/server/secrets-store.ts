import { sql, type Generated } from 'kysely'
import type { Database } from '@headwater/server-kit'

interface SecretTables {
  secrets: {
    id: Generated<number>
    group_id: number | null
    user_id: number | null
    name: string
    value: string
    saved_by: number
    saved_at: Date
  }
  user_names: { id: number; user_name: string }
}

/** Owner of a secret. */
export type SecretOwner = { groupId: number } | { userId: number }

/** A secret without its value. */
export interface StoredSecret {
  /** Name of the secret. */
  name: string
  /** Name of the user who stored the value. */
  savedBy: string
  /** When the value was stored. */
  savedAt: Date
}

/** Store of secrets in PostgreSQL. Values are encrypted. */
export interface SecretsStore {
  /** Returns one page of the secrets of an owner, by name, and their total number. */
  list(
    owner: SecretOwner,
    page: { from: number; size: number },
  ): Promise<{ items: StoredSecret[]; total: number }>
  /**
   * Stores or replaces a secret. Returns `full` if the owner has `max` other secrets, and `taken` if the secret must be new but
   * exists.
   */
  put(
    owner: SecretOwner,
    secret: { name: string; value: string; savedBy: number; savedAt: Date },
    limits: { max: number; isNew: boolean },
  ): Promise<'stored' | 'full' | 'taken'>
  /** Returns the encrypted value of a secret. */
  find(owner: SecretOwner, name: string): Promise<string | undefined>
  /** Deletes a secret; returns false if it does not exist. */
  remove(owner: SecretOwner, name: string): Promise<boolean>
  /** Replaces each encrypted value with the result of `change`, in one transaction, and returns the number of changed values. */
  changeValues(
    change: (owner: SecretOwner, name: string, value: string) => Promise<string | undefined>,
  ): Promise<number>
}

/** Creates the store. */
export function createSecretsStore(database: Database): SecretsStore {
  const db = database.tables<SecretTables>()

  /** Returns the condition that a secret belongs to an owner. */
  function isOwnedBy(owner: SecretOwner) {
    return 'groupId' in owner
      ? sql<boolean>`secrets.group_id = ${owner.groupId}`
      : sql<boolean>`secrets.user_id = ${owner.userId}`
  }

  return {
    async list(owner, { from, size }) {
      const owned = db
        .selectFrom('secrets')
        .innerJoin('user_names as users', 'users.id', 'secrets.saved_by')
        .where(isOwnedBy(owner))
      const [items, count] = await Promise.all([
        owned
          .select(['secrets.name', 'users.user_name as savedBy', 'secrets.saved_at as savedAt'])
          .orderBy('secrets.name')
          .offset(from)
          .limit(size)
          .execute(),
        owned.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      ])
      return { items, total: Number(count.total) }
    },

    put: (owner, { name, value, savedBy, savedAt }, { max, isNew }) =>
      db.transaction().execute(async (transaction) => {
        const groupId = 'groupId' in owner ? owner.groupId : null
        const userId = 'userId' in owner ? owner.userId : null
        // Otherwise concurrent requests could exceed the limit.
        await sql`select pg_advisory_xact_lock(hashtext(${`secrets ${groupId} ${userId}`}))`.execute(
          transaction,
        )
        const existing = await transaction
          .selectFrom('secrets')
          .where(isOwnedBy(owner))
          .where('name', '=', name)
          .select('id')
          .executeTakeFirst()
        if (existing !== undefined) {
          if (isNew) return 'taken'
          await transaction
            .updateTable('secrets')
            .set({ value, saved_by: savedBy, saved_at: savedAt })
            .where('id', '=', existing.id)
            .execute()
          return 'stored'
        }
        const { total } = await transaction
          .selectFrom('secrets')
          .where(isOwnedBy(owner))
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        if (Number(total) >= max) return 'full'
        await transaction
          .insertInto('secrets')
          .values({ group_id: groupId, user_id: userId, name, value, saved_by: savedBy, saved_at: savedAt })
          .execute()
        return 'stored'
      }),

    async find(owner, name) {
      const row = await db
        .selectFrom('secrets')
        .where(isOwnedBy(owner))
        .where('name', '=', name)
        .select('value')
        .executeTakeFirst()
      return row?.value
    },

    async remove(owner, name) {
      const removed = await db
        .deleteFrom('secrets')
        .where(isOwnedBy(owner))
        .where('name', '=', name)
        .executeTakeFirst()
      return removed.numDeletedRows > 0n
    },

    changeValues: (change) =>
      db.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('secrets')
          .select(['id', 'group_id', 'user_id', 'name', 'value'])
          .orderBy('id')
          .forUpdate()
          .execute()
        let count = 0
        for (const { id, group_id: groupId, user_id: userId, name, value } of rows) {
          const changed = await change(groupId === null ? { userId: userId! } : { groupId }, name, value)
          if (changed === undefined) continue
          await transaction.updateTable('secrets').set({ value: changed }).where('id', '=', id).execute()
          count += 1
        }
        return count
      }),
  }
}
