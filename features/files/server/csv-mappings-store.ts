import { sql } from 'kysely'
import type { CsvMapping } from '@headwater/csv'
import type { Database } from '@headwater/server-kit'
import { holdGroups } from './file-locks.ts'
import type { FileTables } from './file-rows.ts'

/** A mapping as it is stored. */
export interface MappingRow {
  /** Name, unique in the group. */
  name: string
  /** How the columns become series. */
  mapping: CsvMapping
  /** Time of the last save. */
  savedAt: Date
}

/** Stores CSV mappings of groups. */
export type CsvMappingsStore = ReturnType<typeof createCsvMappingsStore>

/** Creates the store in PostgreSQL. */
export function createCsvMappingsStore(database: Database) {
  const db = database.tables<FileTables>()
  return {
    /** Returns the mappings of a group, by name. */
    async list(groupId: number): Promise<MappingRow[]> {
      const rows = await db
        .selectFrom('csv_mappings')
        .select(['name', 'mapping', 'saved_at'])
        .where('group_id', '=', groupId)
        .orderBy('name')
        .execute()
      return rows.map(({ name, mapping, saved_at: savedAt }) => ({ name, mapping, savedAt }))
    },

    /**
     * Stores a mapping. Replaces an existing mapping with its name.
     * @returns `full` if the group has the maximum number of other mappings, `gone` if the group was deleted
     */
    save(
      groupId: number,
      { name, mapping, savedAt }: MappingRow,
      maxMappings: number,
    ): Promise<'saved' | 'full' | 'gone'> {
      return db.transaction().execute(async (tx) => {
        if (!(await holdGroups(tx, [groupId]))) return 'gone'
        await sql`select pg_advisory_xact_lock(hashtextextended(${`mappings ${groupId}`}, 0))`.execute(tx)
        const { count } = await tx
          .selectFrom('csv_mappings')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('group_id', '=', groupId)
          .where('name', '<>', name)
          .executeTakeFirstOrThrow()
        if (Number(count) >= maxMappings) return 'full'
        const values = { mapping: JSON.stringify(mapping), saved_at: savedAt }
        await tx
          .insertInto('csv_mappings')
          .values({ group_id: groupId, name, ...values })
          .onConflict((conflict) => conflict.columns(['group_id', 'name']).doUpdateSet(values))
          .execute()
        return 'saved'
      })
    },

    /** Deletes a mapping; returns false for an unknown name. */
    async remove(groupId: number, name: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('csv_mappings')
        .where('group_id', '=', groupId)
        .where('name', '=', name)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
