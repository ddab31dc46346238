import { isUuid } from '@headwater/contract'
import { sql, type RawBuilder } from 'kysely'
import { containsPattern, wildcardPattern, type Database } from '@headwater/server-kit'
import type { AccessScope } from '@headwater/groups/server'
import type { FieldMap } from '@headwater/files/contract'
import { decodeTags, type InsightType } from '../contract/index.ts'
import { insightKind } from './insight-items.ts'

interface Tables {
  ready_files: {
    id: string
    group_id: number
    name: string
    type: string
    owner_id: number
    saved_by: number | null
    fields: FieldMap
    version: number
    latest: boolean
    size_bytes: number
    arrived_at: Date
  }
  group_names: { id: number; name: string }
  user_names: { id: number; user_name: string }
  item_names: { id: string; kind: string; group_id: number; name: string }
}

/** The latest version of a file of any type. */
export interface StoredFile {
  /** Id of the item of an insight; undefined for a file of another type. */
  id: string | undefined
  /** Id of the version of the file. */
  fid: string
  /** Id of the group of the file. */
  groupId: number
  /** Name of that group. */
  groupName: string
  /** Name of the file, with `.json`. */
  fileName: string
  /** Type of the file, for example `INSIGHT`. */
  fileType: string
  /** Info fields of the version, by name. */
  fields: FieldMap
  /**
   * User id of the author of this version, who can differ from the owner of the insight; undefined if the account was
   * deleted.
   */
  savedById: number | undefined
  /** User name of the present owner. */
  owner: string
  /** Number of the version, from 1. */
  version: number
  /** Size of the content, in bytes. */
  sizeBytes: number
  /** Arrival time of the version. */
  modifiedAt: Date
}

/** Audience of an insight besides the members of its group. */
export interface Audience {
  /** End of its public view: null means never, undefined means it is not public. */
  publicUntil: Date | null | undefined
  /** Whether it is shared with individual e-mail addresses. */
  isShared: boolean
}

/** The latest version of an insight. */
export interface StoredInsight extends StoredFile, Audience {
  /** Id of the item of the insight, a UUID. */
  id: string
}

/** Returns whether a file is an insight. */
export function isInsight(file: StoredFile | StoredInsight): file is StoredInsight {
  return file.id !== undefined
}

/** Audiences of insights, provided by the feature that publishes them. */
export interface Audiences {
  /** Returns the audiences of insights by id. An insight without an entry is neither public nor shared. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, Audience>>
  /** Returns the ids of all insights with a public view, including expired ones. */
  publicIds(): Promise<readonly string[]>
}

const noAudience: Audience = { publicUntil: undefined, isShared: false }

/** Filter, sort order and page of a search; insights must match all filters. */
export interface InsightFilter {
  /** The groups to search. */
  scope: AccessScope
  /** Kinds of insights to find. */
  types: readonly InsightType[]
  /** Id of the only insight to find. */
  id?: string | undefined
  /** Case-insensitive text in name, group, description or tags; `*` matches any text. */
  freeText?: string | undefined
  /** Pattern of the whole name; `*` matches any text. */
  namePattern?: string | undefined
  /** Exact name of the group; absent for all groups of the scope. */
  groupName?: string | undefined
  /** The whole tag, regardless of case. */
  tag?: string | undefined
  /** Only insights with a public view. */
  publicOnly?: boolean
  /** Sort key: time of the latest version, or name. */
  sortBy: 'modified' | 'name'
  /** Sort direction. */
  sortOrder: 'asc' | 'desc'
  /** Number of matches to skip. */
  from: number
  /** Maximum number of insights to return. */
  size: number
}

/** Queries insights by their files. */
export interface InsightsReadModel {
  /** Returns the latest version of a file of any type by name; undefined if there is none. */
  findFile(groupId: number, fileName: string): Promise<StoredFile | StoredInsight | undefined>
  /** Returns which of the names are names of files in a group. */
  takenNames(groupId: number, fileNames: readonly string[]): Promise<string[]>
  /** Returns which of the names are names of groups. */
  existingGroups(names: readonly string[]): Promise<string[]>
  /** Returns one page of the matching insights and the total number of matches. */
  search(filter: InsightFilter): Promise<{ insights: StoredInsight[]; total: number }>
  /** Returns the distinct tags of insights, unordered. */
  listTags(filter: Pick<InsightFilter, 'scope' | 'types'>): Promise<string[]>
}

const plainName = sql<string>`left(files.name, -5)`
const isInsightFile = sql`files.type = 'INSIGHT' and files.name like '_%.json'`

/** Creates the read model on PostgreSQL. */
export function createInsightsReadModel(database: Database, audiences: Audiences): InsightsReadModel {
  const db = database.tables<Tables>()
  const selectFiles = () =>
    db
      .selectFrom('ready_files as files')
      .innerJoin('group_names as groups', 'groups.id', 'files.group_id')
      .innerJoin('user_names as users', 'users.id', 'files.owner_id')
      .leftJoin('item_names as items', (join) =>
        join
          .onRef('items.group_id', '=', 'files.group_id')
          .on('items.kind', '=', insightKind)
          .on(sql<boolean>`items.name = ${plainName} and ${isInsightFile}`),
      )
      .selectAll('files')
      .select('items.id as item_id')
      .select(['groups.name as group_name', 'users.user_name'])
  type Row = Awaited<ReturnType<ReturnType<typeof selectFiles>['execute']>>[number]

  return {
    async findFile(groupId, fileName) {
      const row = await selectFiles()
        .where('files.latest', '=', true)
        .where('files.group_id', '=', groupId)
        .where('files.name', '=', fileName)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const [stored] = await withAudiences([toStored(row)])
      return stored
    },
    async takenNames(groupId, fileNames) {
      const rows = await db
        .selectFrom('ready_files as files')
        .select('name')
        .where('latest', '=', true)
        .where('group_id', '=', groupId)
        .where('name', '=', sql<string>`any(${fileNames}::text[])`)
        .execute()
      return rows.map(({ name }) => name)
    },
    async existingGroups(names) {
      const rows = await db
        .selectFrom('group_names')
        .select('name')
        .where('name', '=', sql<string>`any(${names}::text[])`)
        .execute()
      return rows.map(({ name }) => name)
    },
    async search(filter) {
      const publicIds = filter.publicOnly ? await audiences.publicIds() : undefined
      const where = sql<boolean>`${sql.join(conditionsOf(filter, publicIds), sql` and `)}`
      const order = filter.sortBy === 'name' ? sql`lower(files.name)` : sql`files.arrived_at`
      const [rows, count] = await Promise.all([
        selectFiles()
          .where(where)
          .orderBy(order, filter.sortOrder)
          .orderBy('files.id', filter.sortOrder)
          .limit(filter.size)
          .offset(filter.from)
          .execute(),
        db
          .selectFrom('ready_files as files')
          .innerJoin('group_names as groups', 'groups.id', 'files.group_id')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where(where)
          .executeTakeFirstOrThrow(),
      ])
      const stored = await withAudiences(rows.map(toStored))
      return { insights: stored.filter(isInsight), total: Number(count.total) }
    },
    async listTags(filter) {
      const rows = await db
        .selectFrom('ready_files as files')
        .select(sql<string | null>`files.fields ->> 'tags'`.as('tags'))
        .distinct()
        .where(sql<boolean>`${sql.join(visible(filter), sql` and `)} and files.fields ? 'tags'`)
        .execute()
      return [...new Set(rows.flatMap(({ tags }) => decodeTags(tags ?? '')))]
    },
  }

  async function withAudiences(files: readonly StoredFile[]): Promise<(StoredFile | StoredInsight)[]> {
    const ids = files.flatMap(({ id }) => id ?? [])
    const known = ids.length === 0 ? undefined : await audiences.find(ids)
    return files.map((file) =>
      file.id === undefined ? file : { ...file, id: file.id, ...(known?.get(file.id) ?? noAudience) },
    )
  }

  function toStored(row: Row): StoredFile {
    return {
      id: row.item_id ?? undefined,
      fid: row.id,
      groupId: row.group_id,
      groupName: row.group_name,
      fileName: row.name,
      fileType: row.type,
      fields: row.fields,
      savedById: row.saved_by ?? undefined,
      owner: row.user_name,
      version: row.version,
      sizeBytes: row.size_bytes,
      modifiedAt: row.arrived_at,
    }
  }
}

function visible({
  scope: { groupIds },
  types,
}: Pick<InsightFilter, 'scope' | 'types'>): RawBuilder<unknown>[] {
  const kind = sql`case when files.fields ->> 'insight_type' = 'WORKFLOW' then 'WORKFLOW' else 'VISUALISATION' end`
  return [
    sql`files.latest and ${isInsightFile}`,
    sql`${kind} = any(${types})`,
    ...(groupIds === 'all' ? [] : [sql`files.group_id = any(${groupIds})`]),
  ]
}

function conditionsOf(
  filter: InsightFilter,
  publicIds: readonly string[] | undefined,
): RawBuilder<unknown>[] {
  const conditions = visible(filter)
  const { id, freeText, namePattern, groupName, tag } = filter
  if (groupName !== undefined) conditions.push(sql`groups.name = ${groupName}`)
  if (namePattern !== undefined)
    conditions.push(sql`lower(${plainName}) like ${wildcardPattern(namePattern.toLowerCase())}`)
  const ids = [id === undefined ? undefined : isUuid(id) ? [id] : [], publicIds].filter(
    (each) => each !== undefined,
  )
  for (const each of ids)
    conditions.push(sql`exists (
      select from item_names items
      where items.id = any(${each}::uuid[]) and items.group_id = files.group_id and items.kind = ${insightKind}
        and items.name = ${plainName})`)
  if (tag !== undefined)
    conditions.push(
      sql`lower(${encodedTag(tag)}) = any(string_to_array(lower(coalesce(files.fields ->> 'tags', '')), ' '))`,
    )
  if (freeText !== undefined) {
    const pattern = containsPattern(freeText.toLowerCase())
    const encoded = containsPattern(encodedTag(freeText).replaceAll('%2A', '*').toLowerCase())
    conditions.push(
      sql`(lower(${plainName}) like ${pattern} or lower(groups.name) like ${pattern}
        or lower(coalesce(files.fields ->> 'description', '')) like ${pattern}
        or lower(coalesce(files.fields ->> 'tags', '')) like ${encoded})`,
    )
  }
  return conditions
}

function encodedTag(tag: string): string {
  return encodeURIComponent(tag.toWellFormed())
}
