import { sql } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import type { Database, Executor } from '@headwater/server-kit'
import type { ItemTables } from './items.ts'

/** An object that the content of an item names. */
export interface ItemLink {
  /** Type of the object. */
  type: 'group' | 'file' | 'symbol' | 'task' | 'data-prep'
  /** Name of the group of a symbol; default empty. */
  group?: string
  /** Name of a group; id of a file, task or data prep; for symbols {@link symbolTarget}. */
  target: string
}

/** An item whose newest version names an object. */
export interface ItemReference {
  /** Id of the item. */
  id: string
  /** Kind of the item, for example `pipeline`. */
  kind: string
  /** Name of the item. */
  name: string
  /** Name of its group. */
  groupName: string
  /** Number of its newest version. */
  version: number
}

/** Returns keys and values of a symbol as one text, independent of the order of the keys. */
export function symbolTarget(symbols: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(symbols).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** Replaces the links of a version, in the transaction of its save. */
export async function writeLinks(
  executor: Executor,
  { id, version, links }: { id: string; version: number; links: readonly ItemLink[] },
): Promise<void> {
  await executor.query('delete from item_links where item_id = $1 and version = $2', [id, version])
  if (links.length === 0) return
  await executor.query(
    `insert into item_links (item_id, version, target_type, target_group, target)
     select $1, $2, * from unnest($3::text[], $4::text[], $5::text[]) on conflict do nothing`,
    [
      id,
      version,
      links.map(({ type }) => type),
      links.map(({ group = '' }) => group),
      links.map(({ target }) => target),
    ],
  )
}

/**
 * Returns the items whose newest versions name an object, by name, at most `size`; and the number of those outside the scope, about which
 * nothing else is returned.
 */
export async function findReferences(
  database: Database,
  { type, group = '', target }: ItemLink,
  { scope, size }: { scope: AccessScope; size: number },
): Promise<{ items: ItemReference[]; total: number; hidden: number }> {
  const db = database.tables<ItemTables>()
  const tables = sql`item_links link join items item on item.id = link.item_id and item.version = link.version`
  const isTarget = sql`link.target_type = ${type} and link.target_group = ${group}
    and md5(link.target) = md5(${target}) and link.target = ${target}`
  const readable =
    scope.groupIds === 'all' ? sql`true` : sql`item.group_id = any(${scope.groupIds}::bigint[])`
  const [{ rows: items }, { rows: counts }] = await Promise.all([
    sql<ItemReference>`select item.id, item.kind, item.name, groups.name as "groupName", item.version
      from ${tables} join group_names groups on groups.id = item.group_id
      where ${isTarget} and ${readable} order by lower(item.name), item.id limit ${size}`.execute(db),
    sql<{ total: number; hidden: number }>`select count(*) filter (where ${readable}) as total,
      count(*) filter (where not ${readable}) as hidden from ${tables} where ${isTarget}`.execute(db),
  ])
  return { items, ...counts[0]! }
}
