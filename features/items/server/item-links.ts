import { sql, type RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import type { Database, Executor } from '@headwater/server-kit'
import type { ItemTables } from './items.ts'

/** An object that the content of an item references. */
export interface ItemLink {
  /** Type of the object. */
  type: 'group' | 'file' | 'symbol' | 'task' | 'data-prep'
  /** Name of the group of a symbol, or of a file or data prep that is referenced without its id; default empty. */
  group?: string
  /** Name of a group; id of a file, task or data prep, or its name with `group`; for symbols {@link symbolTarget}. */
  target: string
  /** Name of the pipeline step that references the object; default the item itself. */
  part?: string
  /** Version of a task that a step runs; default the newest. */
  targetVersion?: number | undefined
}

/** A pipeline step that references an object directly or through its task. */
export interface NamingPart {
  /** Name of the step. */
  name: string
  /** Version of its task; null for a value that the pipeline sets. */
  version: number | null
}

/** An item whose newest version references an object, directly or through a task that it runs. */
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
  /** The steps that reference the object, by name; empty for kinds other than pipelines. */
  parts: NamingPart[]
}

/** Selects references. */
export interface ReferenceFilter {
  /** Groups of the items. Others are only counted. */
  scope: AccessScope
  /** Kinds of the items; others are only counted. Default: all. */
  kinds?: readonly string[] | undefined
  /** Id of a group whose items are neither returned nor counted; default none. */
  exceptGroupId?: number | undefined
  /** Number of items to skip, default 0. */
  from?: number
  /** Maximum number of items. */
  size: number
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
    `insert into item_links (item_id, version, target_type, target_group, target, part, target_version)
     select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::int[]) on conflict do nothing`,
    [
      id,
      version,
      links.map(({ type }) => type),
      links.map(({ group = '' }) => group),
      links.map(({ target }) => target),
      links.map(({ part = '' }) => part),
      links.map(({ targetVersion = null }) => targetVersion),
    ],
  )
}

/**
 * Returns a page of the items whose newest versions reference one of these objects, pipelines first, then by name. Also
 * returns the number of items outside the filter, but no other information about them. A pipeline also references the
 * objects of its tasks, in the versions that it runs.
 */
export async function findReferences(
  database: Database,
  objects: readonly ItemLink[],
  { scope, kinds, exceptGroupId, from = 0, size }: ReferenceFilter,
): Promise<{ items: ItemReference[]; total: number; hidden: number }> {
  if (objects.length === 0) return { items: [], total: 0, hidden: 0 }
  const db = database.tables<ItemTables>()
  const named = sql`unnest(${objects.map(({ type }) => type)}::text[], ${objects.map(({ group = '' }) => group)}::text[],
    ${objects.map(({ target }) => target)}::text[]) as named (type, named_group, target)`
  const isNamed = sql`link.target_type = named.type and link.target_group = named.named_group
    and md5(link.target) = md5(named.target) and link.target = named.target`
  const references = sql`with direct as (
      select link.item_id, link.version, link.part, link.target_type, link.target, link.target_version
      from ${named} join item_links link on ${isNamed}
    ), naming as (
      select direct.item_id, direct.part,
        case when direct.target_type = 'task' then coalesce(direct.target_version, task.version) end as task_version
      from direct join items item on item.id = direct.item_id and item.version = direct.version
      left join items task on direct.target_type = 'task' and task.id::text = direct.target
      union
      select step.item_id, step.part, direct.version
      from direct join items task on task.id = direct.item_id and task.kind = 'task'
      join item_links step on step.target_type = 'task' and step.target_group = ''
        and md5(step.target) = md5(task.id::text) and step.target = task.id::text
      join items item on item.id = step.item_id and item.version = step.version
      where direct.version = coalesce(step.target_version, task.version)
    ), referring as (
      select item.id, item.kind, item.name, item.group_id, item.version,
        coalesce(jsonb_agg(jsonb_build_object('name', naming.part, 'version', naming.task_version)
          order by lower(naming.part), naming.part, naming.task_version) filter (where naming.part <> ''), '[]') as parts
      from naming join items item on item.id = naming.item_id
      where item.group_id is distinct from ${exceptGroupId ?? null}::bigint group by item.id
    )`
  const isReadable = readable(scope, kinds)
  const [{ rows: items }, { rows: counts }] = await Promise.all([
    sql<ItemReference>`${references} select item.id, item.kind, item.name, groups.name as "groupName", item.version, item.parts
      from referring item join group_names groups on groups.id = item.group_id
      where ${isReadable} order by item.kind <> 'pipeline', lower(item.name), item.id limit ${size} offset ${from}`.execute(
      db,
    ),
    sql<{
      total: number
      hidden: number
    }>`${references} select count(*) filter (where ${isReadable}) as total,
      count(*) filter (where not (${isReadable})) as hidden from referring item`.execute(db),
  ])
  return { items, ...counts[0]! }
}

/** Returns the keys and values of the symbols of a group that the newest versions of items reference. */
export async function findSymbolTargets(
  database: Database,
  groupName: string,
): Promise<Record<string, string>[]> {
  const { rows } = await database.pool.query<{ target: string }>(
    `select distinct link.target from item_links link join items item on item.id = link.item_id and item.version = link.version
     where link.target_type = 'symbol' and link.target_group = $1`,
    [groupName],
  )
  return rows.map(({ target }) => Object.fromEntries(JSON.parse(target) as [string, string][]))
}

function readable({ groupIds }: AccessScope, kinds: readonly string[] | undefined): RawBuilder<unknown> {
  const inScope = groupIds === 'all' ? sql`true` : sql`item.group_id = any(${groupIds}::bigint[])`
  return kinds === undefined ? inScope : sql`${inScope} and item.kind = any(${kinds}::text[])`
}
