import { sql, type ExpressionBuilder, type Kysely, type Transaction } from 'kysely'
import {
  containsPattern,
  executorOf,
  tablesOn,
  wildcardPattern,
  type Database,
  type Executor,
} from '@headwater/server-kit'
import type { GroupField, GroupTag } from '../contract/index.ts'

interface GroupTables {
  groups: {
    id: number
    name: string
    description: string
    fields: GroupField[]
    owner_id: number
    home_of: number | null
    created_at: Date
  }
  group_grants: { group_id: number; user_id: number; access: GrantAccess }
  group_tags: { id: number; name: string }
  group_tag_links: { group_id: number; tag_id: number }
  users: { id: number; user_name: string }
}

/** What a grant allows: reading, writing, sharing, in the combinations the product knows. */
export type GrantAccess = 'R' | 'RW' | 'RS' | 'RWS'

/** A group as it is stored, with the grant of the user it was read for. */
export interface StoredGroup {
  id: number
  name: string
  description: string
  fields: GroupField[]
  tags: GroupTag[]
  ownerId: number
  owner: string
  isHome: boolean
  isShared: boolean
  /** The grant of the user, if there is one; ownership is not a grant. */
  grant: GrantAccess | undefined
  createdAt: Date
}

/** What to list: filters are joined by “and”. */
export interface GroupFilter {
  /** User whose groups are listed; `everything` for an administrator. */
  readableBy: number | 'everything'
  writable: boolean
  exactName?: string | undefined
  /** Pattern of the name with `*`, any letter case. */
  namePattern?: string | undefined
  freeText?: string | undefined
  tags: string[]
  onlyNames?: string[] | undefined
  onlyIds?: number[] | undefined
  sortBy: 'createdOn' | 'name'
  sortOrder: 'asc' | 'desc'
  from: number
  size: number
}

export interface GroupsStore {
  /** One group by exact name, seen by a user; undefined when there is none. */
  find(by: { name: string } | { id: number }, userId: number): Promise<StoredGroup | undefined>
  /** What is the same of a group for everybody who may read it. */
  findOwned(
    name: string,
  ): Promise<{ id: number; name: string; fields: GroupField[]; ownerId: number } | undefined>
  list(filter: GroupFilter, userId: number): Promise<{ groups: StoredGroup[]; total: number }>
  /** Ids of the groups that a user owns or holds a grant on; with `accesses` one of these grants. */
  readableIds(userId: number, accesses?: GrantAccess[]): Promise<number[]>
  /**
   * Creates a group; undefined when the name is taken.
   * @param executor a transaction to take part in
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
  /** Changes what is given. False when the group is gone. */
  update(
    id: number,
    change: {
      description?: string | undefined
      fields?: GroupField[] | undefined
      tags?: string[] | undefined
    },
  ): Promise<boolean>
  /** Deletes a group with the rows of all rooms that belong to it. `before` takes part in the transaction. */
  remove(id: number, before: (executor: Executor) => Promise<void>): Promise<void>
  /** The grants that some users hold on a group. */
  grantsOf(groupId: number, userIds: readonly number[], executor: Executor): Promise<Map<number, GrantAccess>>
  /** Gives users a grant, in the place of the one they hold. Part of the caller's transaction. */
  setGrants(
    groupId: number,
    userIds: readonly number[],
    access: GrantAccess,
    executor: Executor,
  ): Promise<void>
  /** Takes a grant away that is still exactly this, or puts another in its place. Part of the caller's transaction. */
  replaceGrant(
    groupId: number,
    userId: number,
    change: { access: GrantAccess; instead: GrantAccess | undefined },
    executor: Executor,
  ): Promise<void>
  listTags(filter: {
    readableBy: number | 'everything'
    query: string
    from: number
    size: number
  }): Promise<{ tags: GroupTag[]; total: number }>
}

/** The groups in PostgreSQL. */
export function createGroupsStore(database: Database): GroupsStore {
  const db = database.tables<GroupTables>()
  return {
    async find(by, userId) {
      const row = await selectGroups(db, userId)
        .where((eb) => ('name' in by ? eb('groups.name', '=', by.name) : eb('groups.id', '=', by.id)))
        .executeTakeFirst()
      return row && toGroup(row)
    },
    findOwned: (name) =>
      db
        .selectFrom('groups')
        .select(['id', 'name', 'fields', 'owner_id as ownerId'])
        .where('name', '=', name)
        .executeTakeFirst(),
    async list(filter, userId) {
      const matches = (eb: ExpressionBuilder<GroupTables, 'groups'>) => groupMatches(eb, filter)
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
          .selectFrom('groups')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where(matches)
          .executeTakeFirstOrThrow(),
      ])
      return { groups: rows.map(toGroup), total: Number(count.total) }
    },
    async readableIds(userId, accesses) {
      const rows = await db
        .selectFrom('groups')
        .select('id')
        .where((eb) => readableBy(eb, userId, accesses))
        .execute()
      return rows.map((row) => row.id)
    },
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
    update(id, { description, fields, tags }) {
      return db.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('groups')
          .select('id')
          .where('id', '=', id)
          .forNoKeyUpdate()
          .executeTakeFirst()
        if (row === undefined) return false
        const values = {
          ...(description === undefined ? {} : { description }),
          ...(fields === undefined ? {} : { fields: JSON.stringify(fields) as never }),
        }
        if (Object.keys(values).length > 0)
          await tx.updateTable('groups').set(values).where('id', '=', id).execute()
        if (tags !== undefined) await setTags(tx, id, tags)
        return true
      })
    },
    async remove(id, before) {
      await db.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('groups')
          .select('id')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return
        await before(executorOf(tx))
        await tx.deleteFrom('groups').where('id', '=', id).execute()
      })
    },
    async grantsOf(groupId, userIds, executor) {
      const rows = await tablesOn<GroupTables>(executor)
        .selectFrom('group_grants')
        .select(['user_id', 'access'])
        .where('group_id', '=', groupId)
        .where('user_id', '=', sql<number>`any(${userIds}::bigint[])`)
        .execute()
      return new Map(rows.map((row) => [row.user_id, row.access]))
    },
    async setGrants(groupId, userIds, access, executor) {
      if (userIds.length === 0) return
      await tablesOn<GroupTables>(executor)
        .insertInto('group_grants')
        .values(userIds.map((userId) => ({ group_id: groupId, user_id: userId, access })))
        .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet({ access }))
        .execute()
    },
    async replaceGrant(groupId, userId, { access, instead }, executor) {
      const tx = tablesOn<GroupTables>(executor)
      const held = { group_id: groupId, user_id: userId, access }
      if (instead === undefined)
        await tx
          .deleteFrom('group_grants')
          .where((eb) => eb.and(held))
          .execute()
      else
        await tx
          .updateTable('group_grants')
          .set({ access: instead })
          .where((eb) => eb.and(held))
          .execute()
    },
    async listTags(filter) {
      const base = db
        .selectFrom('group_tags')
        .where('group_tags.name', 'ilike', containsPattern(filter.query))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('group_tag_links')
              .innerJoin('groups', 'groups.id', 'group_tag_links.group_id')
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

function selectGroups(db: Kysely<GroupTables>, userId: number) {
  return db
    .selectFrom('groups')
    .innerJoin('users', 'users.id', 'groups.owner_id')
    .leftJoin('group_grants as own_grant', (join) =>
      join.onRef('own_grant.group_id', '=', 'groups.id').on('own_grant.user_id', '=', userId),
    )
    .selectAll('groups')
    .select(['users.user_name as owner', 'own_grant.access as grant'])
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('group_grants')
            .select('group_id')
            .whereRef('group_grants.group_id', '=', 'groups.id'),
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
    grant: row.grant ?? undefined,
    createdAt: row.created_at,
  }
}

function readableBy(
  eb: ExpressionBuilder<GroupTables, 'groups'>,
  user: number | 'everything',
  accesses?: GrantAccess[],
) {
  if (user === 'everything') return eb.lit(true)
  const grants = eb
    .selectFrom('group_grants')
    .select('group_grants.group_id')
    .whereRef('group_grants.group_id', '=', 'groups.id')
    .where('group_grants.user_id', '=', user)
  return eb.or([
    eb('groups.owner_id', '=', user),
    eb.exists(accesses === undefined ? grants : grants.where('group_grants.access', 'in', accesses)),
  ])
}

function groupMatches(eb: ExpressionBuilder<GroupTables, 'groups'>, filter: GroupFilter) {
  const conditions = [readableBy(eb, filter.readableBy, filter.writable ? ['RW', 'RWS'] : undefined)]
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
