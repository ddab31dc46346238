import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { tablesOn } from '@headwater/server-kit'
import type { ItemKind, ItemStore, ItemTables } from './items.ts'
import { insertVersion } from './version-row.ts'

/** Creates the part of the store for items whose versions another feature stores. */
export function createItemRecords<Content, Summary, Extra>(
  itemKind: ItemKind<Content, Summary, Extra>,
): Pick<ItemStore<Content, Summary, Extra>, 'record' | 'unrecord' | 'relocate' | 'hold' | 'listIds'> {
  const { kind } = itemKind
  return {
    async record({ groupId, name }, { version, content, savedBy, savedAt }, executor) {
      const tx = tablesOn<ItemTables>(executor)
      const { id } = await tx
        .insertInto('items')
        .values({
          id: randomUUID(),
          kind,
          group_id: groupId,
          name,
          owner_id: savedBy,
          version,
          created_at: savedAt,
          updated_at: savedAt,
        })
        .onConflict((conflict) =>
          // A restored version can be older than the newest one.
          conflict.columns(['group_id', 'kind', 'name']).doUpdateSet({
            version: sql`greatest(items.version, excluded.version)`,
            updated_at: sql`case when excluded.version > items.version then excluded.updated_at else items.updated_at end`,
          }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      await insertVersion(executor, itemKind, { id, version, item: { content, savedBy, savedAt } })
    },
    async unrecord({ groupId, name }, version, executor) {
      const { rows } = await executor.query(
        `select id from items where group_id = $1 and kind = $2 and name = $3 for update`,
        [groupId, kind, name],
      )
      const [item] = rows as { id: string }[]
      if (item === undefined) return
      await executor.query('delete from item_versions where item_id = $1 and version = $2', [
        item.id,
        version,
      ])
      await executor.query(
        `update items set version = newest.version, updated_at = newest.saved_at
         from (select version, saved_at from item_versions where item_id = $1 order by version desc limit 1) newest
         where id = $1`,
        [item.id],
      )
      await executor.query(
        'delete from items where id = $1 and not exists (select from item_versions where item_id = $1)',
        [item.id],
      )
    },
    async relocate(from, to, executor) {
      await executor.query(
        'update items set group_id = $4, name = $5 where group_id = $1 and kind = $2 and name = $3',
        [from.groupId, kind, from.name, to.groupId, to.name],
      )
    },
    async hold(id, executor) {
      const { rows } = await executor.query('select from items where id = $1 and kind = $2 for key share', [
        id,
        kind,
      ])
      return rows.length > 0
    },
    async listIds(groupId, executor) {
      const { rows } = await executor.query('select id from items where group_id = $1 and kind = $2', [
        groupId,
        kind,
      ])
      return (rows as { id: string }[]).map(({ id }) => id)
    },
  }
}
