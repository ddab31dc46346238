import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import {
  containsPattern,
  executorOf,
  refusedByConstraint,
  tablesOn,
  wildcardPattern,
  type Database,
  type Executor,
} from '@headwater/server-kit'

interface ItemTables {
  items: {
    id: string
    kind: string
    group_id: number
    name: string
    owner_id: number
    version: number
    created_at: Date
    updated_at: Date
  }
  item_versions: {
    item_id: string
    version: number
    kind: string
    content: unknown
    summary: unknown
    saved_by: number
    saved_at: Date
  }
}

/** A kind of items: what its versions hold, and what its lists show. */
export interface ItemKind<Content, Summary, Extra> {
  /** Such as `pipeline`; the schedules of the items have the same kind. */
  kind: string
  /** What lists show and conditions compare; stored with each version, so that lists do not read contents. */
  summaryOf: (content: Content) => Summary
  /** Upgrades a stored content to its present form; by default it is taken as it was stored. */
  contentOf?: (stored: Content) => Content
  /** What lists show of other tables. */
  extra?: ItemExtra<Extra>
}

/** Columns of another table; `item` and `saved` are the item and its version. */
export interface ItemExtra<Extra> {
  join: RawBuilder<unknown>
  columns: { [Name in keyof Extra]: RawBuilder<Extra[Name]> }
}

/** A version of an item as lists show it. */
export interface StoredItem<Summary> {
  id: string
  groupId: number
  groupName: string
  name: string
  /** User name of the creator. */
  owner: string
  createdAt: Date
  version: number
  newestVersion: number
  summary: Summary
  /** User name of the author of the version. */
  savedBy: string
  savedById: number
  savedAt: Date
}

/** Author and time of a save. */
export interface SavedBy {
  savedBy: number
  savedAt: Date
}

/** What a save writes. */
export interface ItemSave<Content> extends SavedBy {
  groupId: number
  name: string
  content: Content
}

/** Where an item is: names are unique among the items of one kind in a group. */
export interface ItemLocation {
  groupId: number
  name: string
}

/** An item by its id, or by group and name. */
export type ItemAddress = { id: string } | ItemLocation

/** How a write takes part in more than itself. */
export interface WriteOptions {
  /** Transaction to take part in; by default the write has one of its own. */
  executor?: Executor | undefined
  /** Takes part in the transaction of the write, after it. */
  note?: ((executor: Executor) => Promise<void>) | undefined
}

/** Which versions to find; conditions are joined by “and”. Texts match in any letter case; `*` stands for any text. */
export interface ItemFilter {
  /** The groups to search. */
  scope: AccessScope
  /** The newest version of each item, or every version. */
  latest: boolean
  id?: string | undefined
  /** Part of the name. */
  nameContains?: string | undefined
  /** The whole name. */
  namePattern?: string | undefined
  /** The whole name of the group. */
  groupPattern?: string | undefined
  /** The exact name of the group. */
  groupName?: string | undefined
  /** Conditions of the kind, on `item`, `saved`, `groups` and its joined tables. */
  where?: readonly RawBuilder<unknown>[]
}

/** A filter, or one of an item that the caller is known to have access to. */
type ListFilter = Omit<ItemFilter, 'scope'> & { scope?: AccessScope }

export interface ItemPage {
  sortBy: 'updated' | 'created' | 'name'
  sortOrder: 'asc' | 'desc'
  from: number
  size: number
}

export type CreateOutcome = 'created' | 'name-taken' | 'group-gone'
export type SaveOutcome = 'saved' | 'changed' | 'gone' | 'name-taken' | 'group-gone'

/** The items of one kind in PostgreSQL. */
export interface ItemStore<Content, Summary = object, Extra = unknown> {
  search(
    filter: ItemFilter,
    page: ItemPage,
  ): Promise<{ items: (StoredItem<Summary> & Extra)[]; total: number }>
  /** All versions of an item, newest first. */
  listVersions(
    id: string,
    page: { from: number; size: number },
  ): Promise<{ items: (StoredItem<Summary> & Extra)[]; total: number }>
  /** The given versions with their contents, in the same order. */
  withContents<Item extends { id: string; version: number }>(
    items: readonly Item[],
  ): Promise<(Item & { content: Content })[]>
  /**
   * A version with its content, by default the newest; undefined when there is none.
   * @param options.lock keeps others from saving the item until the transaction of `executor` ends
   */
  find(
    by: ItemAddress,
    version?: number,
    options?: { executor?: Executor; lock?: boolean },
  ): Promise<(StoredItem<Summary> & Extra & { content: Content }) | undefined>
  /** Saves a new item as version 1. */
  create(id: string, item: ItemSave<Content>, options?: WriteOptions): Promise<CreateOutcome>
  /**
   * Saves a new version; another name or group renames or moves the item.
   * @param item.basedOn version that was edited: a newer one refuses the save; undefined replaces any version
   */
  save(
    id: string,
    item: ItemSave<Content> & { basedOn: number | undefined },
    options?: WriteOptions,
  ): Promise<SaveOutcome>
  /** Renames or moves an item: saves its newest content under another name or in another group. */
  move(
    id: string,
    to: SavedBy & { groupId?: number; name?: string; basedOn: number | undefined },
    options?: WriteOptions,
  ): Promise<SaveOutcome>
  /** Saves the content of an earlier version as the newest one. */
  restore(
    id: string,
    version: number,
    by: SavedBy & { basedOn: number | undefined },
    options?: WriteOptions,
  ): Promise<SaveOutcome>
  /** Saves the content of a version as a new item; 'gone' when there is no such version. */
  copy(
    from: { id: string; version?: number },
    to: SavedBy & { id: string; groupId: number; name: string },
    options?: WriteOptions,
  ): Promise<CreateOutcome | 'gone'>
  remove(id: string, executor?: Executor): Promise<void>
  /**
   * Records a version whose bytes another feature stores, under the number that it has there; the first one creates the item.
   * Part of the transaction that stores the bytes, which also makes sure that no two of them write the same name.
   */
  record(
    at: ItemLocation,
    version: SavedBy & { version: number; content: Content },
    executor: Executor,
  ): Promise<void>
  /** Deletes a recorded version, and an item without versions. */
  unrecord(at: ItemLocation, version: number, executor: Executor): Promise<void>
  /** Renames or moves an item without a version, where the new name is free. */
  relocate(from: ItemLocation, to: ItemLocation, executor: Executor): Promise<void>
  /** Keeps an item from being deleted until the transaction ends; false when there is no such item. */
  hold(id: string, executor: Executor): Promise<boolean>
  /** Ids of the items in a group. */
  listIds(groupId: number, executor: Executor): Promise<string[]>
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
}

const refusals = { unique: 'name-taken', missing: 'group-gone' } as const

/** Creates the store of one kind. */
export function createItemStore<Content, Summary = object, Extra = unknown>(
  database: Database,
  { kind, summaryOf, contentOf = (stored) => stored, extra }: ItemKind<Content, Summary, Extra>,
): ItemStore<Content, Summary, Extra> {
  type Listed = StoredItem<Summary> & Extra
  type Whole = Listed & { content: Content }

  const db = database.tables<ItemTables>()
  const tablesOf = (executor: Executor | undefined) =>
    executor === undefined ? db : tablesOn<ItemTables>(executor)

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

  /** The tables that a filter needs; counting reads no others. */
  function countedTables({ latest, where = [], groupPattern, groupName }: ListFilter) {
    if (where.length > 0) return sql`items item ${versions(latest)} ${groups} ${extraJoin}`
    const isGroupNamed = groupPattern !== undefined || groupName !== undefined
    return sql`items item ${latest ? sql`` : versions(latest)} ${isGroupNamed ? groups : sql``}`
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
    const wanted =
      'id' in by ? sql`item.id = ${by.id}` : sql`item.group_id = ${by.groupId} and item.name = ${by.name}`
    const { rows } = await sql<Whole>`select ${columns}, saved.content from ${tables(version === undefined)}
      where item.kind = ${kind} and ${wanted} ${version === undefined ? sql`` : sql`and saved.version = ${version}`}
      ${lock ? sql`for update of item` : sql``}`.execute(tablesOf(executor))
    const [row] = rows
    return row && { ...row, content: contentOf(row.content) }
  }

  function versionRow(id: string, version: number, { content, savedBy, savedAt }: ItemSave<Content>) {
    return {
      item_id: id,
      version,
      kind,
      content: jsonText(content),
      summary: jsonText(summaryOf(content)),
      saved_by: savedBy,
      saved_at: savedAt,
    }
  }

  /** Runs a write with its note in one transaction. */
  function write<Outcome extends string>(
    { executor, note }: WriteOptions,
    work: (tx: Kysely<ItemTables>) => Promise<Outcome>,
  ): Promise<Outcome | 'name-taken' | 'group-gone'> {
    const run = async (own: Executor) => {
      const outcome = await work(tablesOn<ItemTables>(own))
      if (outcome === 'created' || outcome === 'saved') await note?.(own)
      return outcome
    }
    return refusedByConstraint(
      executor === undefined ? transaction(run) : inSavepoint(executor, run),
      refusals,
    )
  }

  const transaction = <T>(work: (executor: Executor) => Promise<T>) =>
    db.transaction().execute((tx) => work(executorOf(tx)))

  function create(id: string, item: ItemSave<Content>, options: WriteOptions = {}): Promise<CreateOutcome> {
    return write(options, async (tx) => {
      const { groupId, name, savedBy, savedAt } = item
      await tx
        .insertInto('items')
        .values({
          id,
          kind,
          group_id: groupId,
          name,
          owner_id: savedBy,
          version: 1,
          created_at: savedAt,
          updated_at: savedAt,
        })
        .execute()
      await tx
        .insertInto('item_versions')
        .values(versionRow(id, 1, item))
        .execute()
      return 'created'
    })
  }

  /** Saves what `change` makes of the newest version. */
  function save(
    id: string,
    {
      basedOn,
      savedBy,
      savedAt,
      ...change
    }: SavedBy & Partial<ItemSave<Content>> & { basedOn: number | undefined },
    options: WriteOptions = {},
  ): Promise<SaveOutcome> {
    return write(options, async (tx) => {
      const row = await tx
        .selectFrom('items')
        .select(['version', 'group_id as groupId', 'name'])
        .where('id', '=', id)
        .where('kind', '=', kind)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined) return 'gone'
      if (basedOn !== undefined && row.version !== basedOn) return 'changed'
      const { groupId = row.groupId, name = row.name } = change
      const content = change.content ?? (await contentIn(tx, id, row.version))
      const version = row.version + 1
      await tx
        .updateTable('items')
        .set({ group_id: groupId, name, version, updated_at: savedAt })
        .where('id', '=', id)
        .execute()
      await tx
        .insertInto('item_versions')
        .values(versionRow(id, version, { groupId, name, content, savedBy, savedAt }))
        .execute()
      return 'saved'
    })
  }

  async function contentIn(tx: Kysely<ItemTables>, id: string, version: number): Promise<Content> {
    const { content } = await tx
      .selectFrom('item_versions')
      .select('content')
      .where('item_id', '=', id)
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
    return contentOf(content as Content)
  }

  return {
    search: (filter, page) => list(filter, orderOf(filter, page), page),
    listVersions: (id, page) => list({ latest: false, id }, sql`saved.version desc`, page),
    async withContents(items) {
      const { rows } = await sql<{ id: string; version: number; content: Content }>`
        select item_id as id, version, content from item_versions
        join unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ version }) => version)}::int[])
          as wanted (id, number) on wanted.id = item_id and wanted.number = version`.execute(db)
      const contents = new Map(rows.map(({ id, version, content }) => [`${id} ${version}`, content]))
      // A version that was deleted meanwhile is left out.
      return items.flatMap((item) => {
        const content = contents.get(`${item.id} ${item.version}`)
        return content === undefined ? [] : [{ ...item, content: contentOf(content) }]
      })
    },
    find,
    create,
    save,
    move: save,
    async restore(id, version, by, options) {
      const source = await find({ id }, version)
      return source === undefined ? 'gone' : save(id, { ...by, content: source.content }, options)
    },
    async copy(from, { id, ...to }, options) {
      const source = await find({ id: from.id }, from.version)
      return source === undefined ? 'gone' : create(id, { ...to, content: source.content }, options)
    },
    async remove(id, executor = database.pool) {
      await executor.query('delete from items where id = $1 and kind = $2', [id, kind])
    },
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
          conflict.columns(['group_id', 'kind', 'name']).doUpdateSet({ version, updated_at: savedAt }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('item_versions')
        .values(versionRow(id, version, { groupId, name, content, savedBy, savedAt }))
        .execute()
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
    transaction,
  }
}

function conditionsOf(filter: ListFilter): RawBuilder<unknown>[] {
  const { scope, id, nameContains, namePattern, groupPattern, groupName, where = [] } = filter
  const conditions = [...where]
  if (scope !== undefined && scope.groupIds !== 'all')
    conditions.push(sql`item.group_id = any(${scope.groupIds}::bigint[])`)
  if (id !== undefined) conditions.push(sql`item.id = ${id}::uuid`)
  if (nameContains !== undefined)
    conditions.push(sql`lower(item.name) like ${containsPattern(nameContains.toLowerCase())}`)
  if (namePattern !== undefined)
    conditions.push(sql`lower(item.name) like ${wildcardPattern(namePattern.toLowerCase())}`)
  if (groupPattern !== undefined)
    conditions.push(sql`lower(groups.name) like ${wildcardPattern(groupPattern.toLowerCase())}`)
  if (groupName !== undefined) conditions.push(sql`groups.name = ${groupName}`)
  return conditions
}

/** Runs a part of a transaction; when a constraint refuses it, only that part is rolled back. */
async function inSavepoint<T>(executor: Executor, work: (executor: Executor) => Promise<T>): Promise<T> {
  await executor.query('savepoint item_write', [])
  try {
    const result = await work(executor)
    await executor.query('release savepoint item_write', [])
    return result
  } catch (error) {
    await executor.query('rollback to savepoint item_write', [])
    throw error
  }
}

/** JSON as PostgreSQL stores it: half of a surrogate pair becomes U+FFFD, as in columns of text. */
function jsonText(value: unknown): string {
  // JSON.stringify escapes nothing else this way; an escaped backslash before `ud800` is text.
  return JSON.stringify(value).replace(/((?<!\\)(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd')
}
