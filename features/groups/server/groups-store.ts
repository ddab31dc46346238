import { sql, type ExpressionBuilder, type Kysely, type Transaction } from 'kysely'
import {
  containsPattern,
  executorOf,
  tablesOn,
  wildcardPattern,
  type Database,
  type Executor,
} from '@headwater/server-kit'
import type { GroupAccessMode, GroupField, GroupTag } from '../contract/index.ts'
import type { DataRange } from './access-scope.ts'
import { isInEffect, hasRange, type GroupTables, type LiveGroupRow } from './group-tables.ts'

/** A stored group with the access of one user, from ownership and all grants that have not ended. */
export interface StoredGroup {
  /** Id of the group. */
  id: number
  /** Unique name. */
  name: string
  /** Purpose; can be empty. */
  description: string
  /** Metadata fields of its files. */
  fields: GroupField[]
  /** Tags, by name. */
  tags: GroupTag[]
  /** Id of the owner. */
  ownerId: number
  /** User name of the owner. */
  owner: string
  /** Whether it is the home group of a user. */
  isHome: boolean
  /** Whether it has grants that have not ended. */
  isShared: boolean
  /** The access of the user; undefined for none. */
  access: GroupAccessMode | undefined
  /** Number of the version, from 1. */
  version: number
  /** User name of its author; undefined if unknown. */
  changedBy: string | undefined
  /** Time of creation. */
  createdAt: Date
}

/** Filters of groups, joined by “and”, with order and page. */
export interface GroupFilter {
  /** User whose groups are listed; `everything` for an administrator. */
  readableBy: number | 'everything'
  /** Only groups with write access. */
  writable: boolean
  /** Ids of groups to list in addition, because the user can read a range of their data. */
  limitedIds: readonly number[]
  /** Exact name. */
  exactName?: string | undefined
  /** Pattern of the name with `*`, regardless of case. */
  namePattern?: string | undefined
  /** Text in name, description or fields, regardless of case. */
  freeText?: string | undefined
  /** Names of tags. Only groups that have all of them. */
  tags: string[]
  /** Only groups with one of these names. */
  onlyNames?: string[] | undefined
  /** Only groups with one of these ids. */
  onlyIds?: number[] | undefined
  /** Sort key. */
  sortBy: 'createdOn' | 'name'
  /** Sort order. */
  sortOrder: 'asc' | 'desc'
  /** Number of groups to skip. */
  from: number
  /** Maximum number of groups. */
  size: number
}

/** Stores groups and tags. */
export interface GroupsStore {
  /** Returns a group by exact name or id, with the access of a user. */
  find(by: { name: string } | { id: number }, userId: number): Promise<StoredGroup | undefined>
  /** Returns the fields of a group that are the same for all users. */
  findOwned(
    name: string,
  ): Promise<{ id: number; name: string; fields: GroupField[]; ownerId: number } | undefined>
  /** Returns a page of matching groups. */
  list(filter: GroupFilter, userId: number): Promise<{ groups: StoredGroup[]; total: number }>
  /** Returns the ids of the groups that a user can read. With `accesses`, only groups with one of these accesses. */
  groupIds(userId: number, accesses?: readonly GroupAccessMode[]): Promise<number[]>
  /** Returns a group by exact name or id if the user can read its data only within the range of a share. */
  findLimited(
    by: { name: string } | { id: number },
    userId: number,
  ): Promise<{ id: number; name: string; range: DataRange } | undefined>
  /** Returns all groups whose data a user can read only within the range of a share. */
  listLimited(userId: number): Promise<{ id: number; name: string; range: DataRange }[]>
  /**
   * Creates a group and returns its id; undefined if the name is taken.
   * @param executor a transaction to join
   */
  create(
    group: {
      name: string
      description: string
      fields: GroupField[]
      tags: string[]
      ownerId: number
      homeOf?: number
    },
    executor?: Executor,
  ): Promise<number | undefined>
  /**
   * Changes the given fields and creates a new version. Returns `gone` if the group does not exist, and `changed` if
   * `basedOn` is not its newest version.
   */
  update(
    id: number,
    change: {
      description?: string | undefined
      fields?: GroupField[] | undefined
      tags?: string[] | undefined
    },
    by: { userId: number; basedOn: number | undefined },
  ): Promise<'saved' | 'gone' | 'changed'>
  /** Deletes a group permanently, with the rows of all features. `before` runs first, in the same transaction. */
  remove(id: number, before: (executor: Executor) => Promise<void>): Promise<void>
  /** Returns a page of the tags of readable groups, by name. */
  listTags(filter: {
    readableBy: number | 'everything'
    query: string
    from: number
    size: number
  }): Promise<{ tags: GroupTag[]; total: number }>
}

/** Tables of a query for live groups. */
type LiveTables = Omit<GroupTables, 'groups'> & { groups: LiveGroupRow }

/** Creates the store. */
export function createGroupsStore(database: Database): GroupsStore {
  const db = database.tables<GroupTables>()
  return {
    async find(by, userId) {
      const [row] = await database.prepared<GroupRow>(
        selectGroups(db, userId)
          .where((eb) => ('name' in by ? eb('groups.name', '=', by.name) : eb('groups.id', '=', by.id)))
          .compile(),
      )
      return row && toGroup(row)
    },
    findOwned: (name) =>
      db
        .selectFrom('live_groups as groups')
        .select(['id', 'name', 'fields', 'owner_id as ownerId'])
        .where('name', '=', name)
        .executeTakeFirst(),
    async list(filter, userId) {
      const matches = (eb: ExpressionBuilder<LiveTables, 'groups'>) => groupMatches(eb, filter)
      const order = filter.sortBy === 'name' ? sql`lower(groups.name)` : sql`groups.created_at`
      const [rows, count] = await Promise.all([
        selectGroups(db, userId)
          .where((eb) => matches(eb as never))
          .orderBy(order, filter.sortOrder)
          .orderBy('groups.id', filter.sortOrder)
          .limit(filter.size)
          .offset(filter.from)
          .execute(),
        db
          .selectFrom('live_groups as groups')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where(matches)
          .executeTakeFirstOrThrow(),
      ])
      return { groups: rows.map(toGroup), total: Number(count.total) }
    },
    async groupIds(userId, accesses) {
      const rows = await db
        .selectFrom('effective_grants')
        .select('group_id')
        .where('user_id', '=', userId)
        .$if(accesses !== undefined, (query) => query.where('access', 'in', accesses!))
        .execute()
      return rows.map((row) => row.group_id)
    },
    async findLimited(by, userId) {
      const row = await selectLimited(db, userId)
        .where((eb) => ('name' in by ? eb('groups.name', '=', by.name) : eb('groups.id', '=', by.id)))
        .executeTakeFirst()
      return row && toLimited(row)
    },
    listLimited: async (userId) => (await selectLimited(db, userId).execute()).map(toLimited),
    create(group, executor) {
      const target = executor === undefined ? db : tablesOn<GroupTables>(executor)
      return target.transaction().execute(async (tx) => {
        const row = await tx
          .insertInto('groups')
          .values({
            name: group.name,
            description: group.description,
            fields: JSON.stringify(group.fields) as never,
            owner_id: group.ownerId,
            home_of: group.homeOf ?? null,
          } as never)
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (row !== undefined) await setTags(tx, row.id, group.tags)
        return row?.id
      })
    },
    update(id, { description, fields, tags }, { userId, basedOn }) {
      return db.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('live_groups as groups')
          .select('version')
          .where('id', '=', id)
          .forNoKeyUpdate()
          .executeTakeFirst()
        if (row === undefined) return 'gone'
        if (basedOn !== undefined && basedOn !== row.version) return 'changed'
        const values = {
          version: row.version + 1,
          changed_by: userId,
          ...(description === undefined ? {} : { description }),
          ...(fields === undefined ? {} : { fields: JSON.stringify(fields) as never }),
        }
        await tx.updateTable('groups').set(values).where('id', '=', id).execute()
        if (tags !== undefined) await setTags(tx, id, tags)
        return 'saved'
      })
    },
    async remove(id, before) {
      await db.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('live_groups as groups')
          .select('id')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return
        await before(executorOf(tx))
        await tx.deleteFrom('groups').where('id', '=', id).execute()
      })
    },
    async listTags(filter) {
      const base = db
        .selectFrom('group_tags')
        .where('group_tags.name', 'ilike', containsPattern(filter.query))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('group_tag_links')
              .innerJoin('live_groups as groups', 'groups.id', 'group_tag_links.group_id')
              .select('groups.id')
              .whereRef('group_tag_links.tag_id', '=', 'group_tags.id')
              .where((inner) => readableBy(inner as never, filter.readableBy)),
          ),
        )
      const [rows, count] = await Promise.all([
        base
          .select(['group_tags.id', 'group_tags.name'])
          .orderBy(sql`lower(group_tags.name)`)
          .limit(filter.size)
          .offset(filter.from)
          .execute(),
        base.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      ])
      return { tags: rows.map((row) => ({ tagId: row.id, tagName: row.name })), total: Number(count.total) }
    },
  }
}

/** Selects the groups with a range; access to the whole group from another source takes precedence. */
function selectLimited(db: Kysely<GroupTables>, userId: number) {
  return db
    .selectFrom('group_grants')
    .innerJoin('live_groups as groups', 'groups.id', 'group_grants.group_id')
    .select(['groups.id', 'groups.name', 'data_from', 'data_to'])
    .where('user_id', '=', userId)
    .where('source', '=', 'direct')
    .where(hasRange)
    .where(isInEffect)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('effective_grants')
            .select('effective_grants.group_id')
            .whereRef('effective_grants.group_id', '=', 'groups.id')
            .where('effective_grants.user_id', '=', userId),
        ),
      ),
    )
}

type LimitedRow = Awaited<ReturnType<ReturnType<typeof selectLimited>['execute']>>[number]

function toLimited({ id, name, data_from: from, data_to: to }: LimitedRow) {
  return { id, name, range: { from, to } }
}

// Uses a subquery for each row, because a join would compute the view for all groups of the user.
function selectGroups(db: Kysely<GroupTables>, userId: number) {
  return db
    .selectFrom('live_groups as groups')
    .innerJoin('user_names', 'user_names.id', 'groups.owner_id')
    .selectAll('groups')
    .select('user_names.user_name as owner')
    .select((eb) => [
      eb
        .selectFrom('user_names as author')
        .select('author.user_name')
        .whereRef('author.id', '=', 'groups.changed_by')
        .as('changed_by_name'),
      eb
        .selectFrom('effective_grants as own')
        .select('own.access')
        .whereRef('own.group_id', '=', 'groups.id')
        .where('own.user_id', '=', userId)
        .as('access'),
      eb
        .exists(
          eb
            .selectFrom('group_grants')
            .select('group_id')
            .whereRef('group_grants.group_id', '=', 'groups.id')
            .where(isInEffect),
        )
        .as('is_shared'),
      sql<GroupTag[]>`coalesce((
        select json_agg(json_build_object('tagId', t.id, 'tagName', t.name) order by lower(t.name))
        from group_tag_links l join group_tags t on t.id = l.tag_id where l.group_id = groups.id
      ), '[]')`.as('tags'),
    ])
}

type GroupRow = Awaited<ReturnType<ReturnType<typeof selectGroups>['execute']>>[number]

function toGroup(row: GroupRow): StoredGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    fields: row.fields,
    tags: row.tags,
    ownerId: row.owner_id,
    owner: row.owner,
    isHome: row.home_of !== null,
    isShared: Boolean(row.is_shared),
    access: row.access ?? undefined,
    version: row.version,
    changedBy: row.changed_by_name ?? undefined,
    createdAt: row.created_at,
  }
}

function readableBy(
  eb: ExpressionBuilder<LiveTables, 'groups'>,
  user: number | 'everything',
  accesses?: readonly GroupAccessMode[],
) {
  if (user === 'everything') return eb.lit(true)
  return eb(
    'groups.id',
    'in',
    eb
      .selectFrom('effective_grants')
      .select('effective_grants.group_id')
      .where('effective_grants.user_id', '=', user)
      .$if(accesses !== undefined, (query) => query.where('effective_grants.access', 'in', accesses!)),
  )
}

function groupMatches(eb: ExpressionBuilder<LiveTables, 'groups'>, filter: GroupFilter) {
  const { limitedIds } = filter
  const whole = readableBy(eb, filter.readableBy, filter.writable ? ['RW', 'RWS'] : undefined)
  const conditions = [
    limitedIds.length === 0
      ? whole
      : eb.or([whole, eb('groups.id', '=', sql<number>`any(${limitedIds}::bigint[])`)]),
  ]
  if (filter.exactName !== undefined) conditions.push(eb('groups.name', '=', filter.exactName))
  if (filter.namePattern !== undefined)
    conditions.push(eb('groups.name', 'ilike', wildcardPattern(filter.namePattern)))
  if (filter.freeText !== undefined) {
    const text = sql<string>`(lower(groups.name) || ' ' || lower(groups.description) || ' ' || lower(groups.fields::text))`
    conditions.push(eb(text, 'like', containsPattern(filter.freeText.toLowerCase())))
  }
  if (filter.onlyNames !== undefined)
    conditions.push(eb('groups.name', '=', sql<string>`any(${filter.onlyNames})`))
  if (filter.onlyIds !== undefined) conditions.push(eb('groups.id', '=', sql<number>`any(${filter.onlyIds})`))
  for (const tag of filter.tags)
    conditions.push(
      eb.exists(
        eb
          .selectFrom('group_tag_links')
          .innerJoin('group_tags', 'group_tags.id', 'group_tag_links.tag_id')
          .select('group_tags.id')
          .whereRef('group_tag_links.group_id', '=', 'groups.id')
          .where(sql<string>`lower(group_tags.name)`, '=', tag.toLowerCase()),
      ),
    )
  return eb.and(conditions)
}

async function setTags(tx: Transaction<GroupTables>, groupId: number, names: string[]): Promise<void> {
  await tx.deleteFrom('group_tag_links').where('group_id', '=', groupId).execute()
  if (names.length === 0) return
  const distinct = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  await sql`insert into group_tags (name) select unnest(${distinct}::text[]) on conflict do nothing`.execute(
    tx,
  )
  await sql`insert into group_tag_links (group_id, tag_id)
    select ${groupId}, id from group_tags where lower(name) = any(${distinct.map((name) => name.toLowerCase())}::text[])`.execute(
    tx,
  )
}
