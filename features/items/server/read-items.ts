import { sql, type RawBuilder } from 'kysely'
import {
  containsPattern,
  tablesOn,
  wildcardPattern,
  type Database,
  type Executor,
} from '@headwater/server-kit'
import type {
  ItemAddress,
  ItemFilter,
  ItemKind,
  ItemPage,
  ItemStore,
  ItemTables,
  ListFilter,
  StoredItem,
} from './items.ts'

/** Maximum number that the version column can store. */
const maxVersion = 2_147_483_647

/** The part of the store that reads. */
export type ItemReads<Content, Summary, Extra> = Pick<
  ItemStore<Content, Summary, Extra>,
  'search' | 'listTexts' | 'listVersions' | 'withContents' | 'find'
>

/** Creates the part of the store that reads. */
export function createItemReads<Content, Summary, Extra>(
  database: Pick<Database, 'tables' | 'prepared'>,
  { kind, contentOf = (stored) => stored, extra }: ItemKind<Content, Summary, Extra>,
): ItemReads<Content, Summary, Extra> {
  const db = database.tables<ItemTables>()
  type Listed = StoredItem<Summary> & Extra
  type Whole = Listed & { content: Content }

  const extraColumns = Object.entries(extra?.columns ?? {}).map(
    ([name, column]) => sql`, ${column as RawBuilder<unknown>} as ${sql.id(name)}`,
  )
  const extraJoin = extra?.join ?? sql``
  const columns = sql`item.id, item.group_id as "groupId", groups.name as "groupName", item.name,
    owner.user_name as owner, item.created_at as "createdAt", saved.version, item.version as "newestVersion",
    saved.summary, saver.user_name as "savedBy", saved.saved_by as "savedById", saved.saved_at as "savedAt"
    ${sql.join(extraColumns, sql``)}`
  const versions = (latest: boolean) =>
    sql`join item_versions saved on saved.item_id = item.id ${latest ? sql`and saved.version = item.version` : sql``}`
  const groups = sql`join group_names groups on groups.id = item.group_id`
  const tables = (latest: boolean) => sql`items item ${versions(latest)} ${groups}
    join user_names owner on owner.id = item.owner_id
    join user_names saver on saver.id = saved.saved_by
    ${extraJoin}`

  /** The tables that a filter needs. Counting reads only these. */
  function countedTables({ latest, where = [], groupPattern, groupName }: ListFilter) {
    if (where.length > 0) return sql`items item ${versions(latest)} ${groups} ${extraJoin}`
    const isGroupNamed = groupPattern !== undefined || groupName !== undefined
    return sql`items item ${latest ? sql`` : versions(latest)} ${isGroupNamed ? groups : sql``}`
  }

  async function list(
    filter: ListFilter,
    order: RawBuilder<unknown>,
    { from, size }: { from: number; size: number },
  ) {
    const conditions = [sql`item.kind = ${kind}`, ...conditionsOf(filter)]
    const where = sql.join(conditions, sql` and `)
    // The index of `saved_at` begins with the kind.
    const ofKind = filter.latest ? sql`` : sql`and saved.kind = ${kind}`
    const [{ rows: items }, { rows: counts }] = await Promise.all([
      sql<Listed>`select ${columns} from ${tables(filter.latest)} where ${where} ${ofKind}
        order by ${order} limit ${size} offset ${from}`.execute(db),
      sql<{ total: number }>`select count(*) as total from ${countedTables(filter)} where ${where}`.execute(
        db,
      ),
    ])
    return { items, total: counts[0]!.total }
  }

  async function find(
    by: ItemAddress,
    version?: number,
    { executor, lock = false }: { executor?: Executor; lock?: boolean } = {},
  ): Promise<Whole | undefined> {
    if (version !== undefined && version > maxVersion) return undefined
    const wanted =
      'id' in by ? sql`item.id = ${by.id}` : sql`item.group_id = ${by.groupId} and item.name = ${by.name}`
    const statement = sql<Whole>`select ${columns}, saved.content from ${tables(version === undefined)}
      where item.kind = ${kind} and ${wanted} ${version === undefined ? sql`` : sql`and saved.version = ${version}`}
      ${lock ? sql`for update of item` : sql``}`
    const [row] =
      executor === undefined
        ? await database.prepared<Whole>(statement.compile(db))
        : (await statement.execute(tablesOn<ItemTables>(executor))).rows
    return row && { ...row, content: contentOf(row.content) }
  }

  return {
    search: (filter, page) => list(filter, orderOf(filter, page), page),
    async listTexts(field, { scope, contains }, { sortOrder, from, size }) {
      const conditions = conditionsOf({ scope, latest: true })
      const texts = sql`select distinct entry from items item ${versions(true)}
        cross join lateral jsonb_array_elements_text(saved.summary -> ${field}) as entry
        where ${sql.join(
          [
            sql`item.kind = ${kind}`,
            sql`lower(entry) like ${containsPattern(contains.toLowerCase())}`,
            ...conditions,
          ],
          sql` and `,
        )}`
      const direction = sortOrder === 'asc' ? sql`asc` : sql`desc`
      const [{ rows }, { rows: counts }] = await Promise.all([
        sql<{ entry: string }>`select entry from (${texts}) as texts
          order by lower(entry) ${direction}, entry ${direction} limit ${size} offset ${from}`.execute(db),
        sql<{ total: number }>`select count(*) as total from (${texts}) as texts`.execute(db),
      ])
      return { items: rows.map(({ entry }) => entry), total: counts[0]!.total }
    },
    listVersions: (id, page) => list({ latest: false, id }, sql`saved.version desc`, page),
    async withContents(items) {
      const { rows } = await sql<{ id: string; version: number; content: Content }>`
        select item_id as id, version, content from item_versions
        join unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ version }) => version)}::int[])
          as wanted (id, number) on wanted.id = item_id and wanted.number = version`.execute(db)
      const contents = new Map(rows.map(({ id, version, content }) => [`${id} ${version}`, content]))
      // A version that was deleted meanwhile is omitted.
      return items.flatMap((item) => {
        const content = contents.get(`${item.id} ${item.version}`)
        return content === undefined ? [] : [{ ...item, content: contentOf(content) }]
      })
    },
    find,
  }
}

/** The versions in their order; the index of the sort column gives the first of them. */
function orderOf({ latest }: Pick<ItemFilter, 'latest'>, { sortBy, sortOrder }: ItemPage) {
  const direction = sortOrder === 'asc' ? sql`asc` : sql`desc`
  if (sortBy === 'name') return sql`lower(item.name) ${direction}, item.id, saved.version desc`
  if (sortBy === 'created') return sql`item.created_at ${direction}, item.id, saved.version desc`
  return latest
    ? sql`item.updated_at ${direction}, item.id`
    : sql`saved.saved_at ${direction}, item.id, saved.version desc`
}

/** Returns the conditions of a filter on the names `item.name` and `groups.name`. */
export function nameConditions({
  nameContains,
  namePattern,
  groupPattern,
}: Pick<ItemFilter, 'nameContains' | 'namePattern' | 'groupPattern'>): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (nameContains !== undefined)
    conditions.push(sql`lower(item.name) like ${containsPattern(nameContains.toLowerCase())}`)
  if (namePattern !== undefined)
    conditions.push(sql`lower(item.name) like ${wildcardPattern(namePattern.toLowerCase())}`)
  if (groupPattern !== undefined)
    conditions.push(sql`lower(groups.name) like ${wildcardPattern(groupPattern.toLowerCase())}`)
  return conditions
}

function conditionsOf(filter: ListFilter): RawBuilder<unknown>[] {
  const { scope, id, groupName, where = [] } = filter
  const conditions = [...where]
  if (scope !== undefined && scope.groupIds !== 'all')
    conditions.push(sql`item.group_id = any(${scope.groupIds}::bigint[])`)
  if (id !== undefined) conditions.push(sql`item.id = ${id}::uuid`)
  conditions.push(...nameConditions(filter))
  if (groupName !== undefined) conditions.push(sql`groups.name = ${groupName}`)
  return conditions
}
