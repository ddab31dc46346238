import { sql, type RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import type { Trigger } from '@headwater/schedules/server'
import {
  containsPattern,
  executorOf,
  refusedByConstraint,
  wildcardPattern,
  type Database,
  type Executor,
} from '@headwater/server-kit'
import type { DataPrepQuestion } from '../contract/index.ts'

interface PrepTables {
  data_preps: {
    id: string
    group_id: number
    name: string
    owner_id: number
    version: number
    created_at: Date
    updated_at: Date
  }
  data_prep_versions: {
    data_prep_id: string
    version: number
    definition: DataPrepQuestion
    symbol_count: number
    saved_by: number
    saved_at: Date
  }
  schedule_moments: {
    kind: string
    target_id: string
    triggers: Trigger[]
    active: boolean
    next_at: Date | null
  }
  groups: { id: number; name: string }
  users: { id: number; user_name: string }
}

/** The part of a definition that lists show; what it was saved without is null. */
export type StoredRange = {
  [Field in 'range' | 'lastType' | 'lastTypeAmount' | 'dateFrom' | 'dateTo']: DataPrepQuestion[Field] | null
}

/** A version of a data prep without its definition. */
export interface StoredPrep {
  id: string
  groupId: number
  groupName: string
  name: string
  owner: string
  createdAt: Date
  version: number
  newestVersion: number
  symbolCount: number
  range: StoredRange
  savedBy: string
  savedAt: Date
  /** When its schedule runs it next. */
  nextRunAt: Date | null
  scheduleTimeZone: string | null
  schedulePaused: boolean
}

/** What a save writes. */
export interface SavedPrep {
  groupId: number
  name: string
  definition: DataPrepQuestion
  savedBy: number
  savedAt: Date
}

/** Which data preps are wanted; conditions are joined by “and”. */
export interface PrepFilter {
  scope: AccessScope
  /** Every version, or the newest of each only. */
  latest: boolean
  id?: string | undefined
  /** Anywhere in the name, any letter case; `*` stands for any text. */
  nameContains?: string | undefined
  /** The whole name, any letter case; `*` stands for any text. */
  namePattern?: string | undefined
  /** The whole name of the group; `*` stands for any text. */
  groupPattern?: string | undefined
  groupName?: string | undefined
}

/** The data preps in PostgreSQL. */
export interface PrepsStore {
  search(
    filter: PrepFilter,
    page: { sortBy: 'updated' | 'name'; sortOrder: 'asc' | 'desc'; from: number; size: number },
  ): Promise<{ preps: StoredPrep[]; total: number }>
  /** A version, by default the newest; undefined when there is none. */
  find(
    by: { id: string } | { groupId: number; name: string },
    version?: number,
  ): Promise<StoredPrep | undefined>
  definition(id: string, version: number): Promise<DataPrepQuestion | undefined>
  /** Saves a new one as version 1. */
  create(id: string, prep: SavedPrep): Promise<'created' | 'name-taken' | 'group-gone'>
  /** Saves a new version, unless there is one after `editedVersion`. */
  save(
    id: string,
    prep: SavedPrep & { editedVersion: number },
  ): Promise<'saved' | 'changed' | 'gone' | 'name-taken' | 'group-gone'>
  remove(id: string): Promise<void>
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** Keeps a data prep from being deleted; false when there is none any more. Part of a transaction. */
  hold(id: string, executor: Executor): Promise<boolean>
}

/** Kind of the schedules of data preps. */
export const scheduleKind = 'data-prep'

const rangeOf = sql<StoredRange>`jsonb_build_object(
  'range', saved.definition -> 'range', 'lastType', saved.definition -> 'lastType',
  'lastTypeAmount', saved.definition -> 'lastTypeAmount',
  'dateFrom', saved.definition -> 'dateFrom', 'dateTo', saved.definition -> 'dateTo')`

const saveRefusals = { unique: 'name-taken', missing: 'group-gone' } as const

/** Makes the store. */
export function createPrepsStore(database: Database): PrepsStore {
  const db = database.tables<PrepTables>()

  const selectVersions = () =>
    db
      .selectFrom('data_preps as prep')
      .innerJoin('data_prep_versions as saved', 'saved.data_prep_id', 'prep.id')
      .innerJoin('groups', 'groups.id', 'prep.group_id')
      .innerJoin('users as owner', 'owner.id', 'prep.owner_id')
      .innerJoin('users as saver', 'saver.id', 'saved.saved_by')
      .leftJoin('schedule_moments as schedule', (join) =>
        join.onRef('schedule.target_id', '=', 'prep.id').on('schedule.kind', '=', scheduleKind),
      )
      .select([
        'prep.id',
        'prep.group_id as groupId',
        'groups.name as groupName',
        'prep.name',
        'owner.user_name as owner',
        'prep.created_at as createdAt',
        'saved.version',
        'prep.version as newestVersion',
        'saved.symbol_count as symbolCount',
        rangeOf.as('range'),
        'saver.user_name as savedBy',
        'saved.saved_at as savedAt',
        'schedule.next_at as nextRunAt',
        sql<string | null>`schedule.triggers -> 0 ->> 'timeZone'`.as('scheduleTimeZone'),
        sql<boolean>`schedule.active is false`.as('schedulePaused'),
      ])

  return {
    async search(filter, { sortBy, sortOrder, from, size }) {
      const where = sql<boolean>`${sql.join(conditionsOf(filter), sql` and `)}`
      const order = sortBy === 'name' ? sql`lower(prep.name)` : sql`saved.saved_at`
      const [preps, count] = await Promise.all([
        selectVersions()
          .where(where)
          .orderBy(order, sortOrder)
          .orderBy('prep.id')
          .orderBy('saved.version', 'desc')
          .limit(size)
          .offset(from)
          .execute(),
        db
          .selectFrom('data_preps as prep')
          .innerJoin('data_prep_versions as saved', 'saved.data_prep_id', 'prep.id')
          .innerJoin('groups', 'groups.id', 'prep.group_id')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where(where)
          .executeTakeFirstOrThrow(),
      ])
      return { preps, total: Number(count.total) }
    },
    find(by, version) {
      return selectVersions()
        .$if('id' in by, (qb) => qb.where('prep.id', '=', (by as { id: string }).id))
        .$if('name' in by, (qb) => {
          const { groupId, name } = by as { groupId: number; name: string }
          return qb.where('prep.group_id', '=', groupId).where('prep.name', '=', name)
        })
        .where('saved.version', '=', version === undefined ? sql<number>`prep.version` : version)
        .executeTakeFirst()
    },
    async definition(id, version) {
      const row = await db
        .selectFrom('data_prep_versions')
        .select('definition')
        .where('data_prep_id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst()
      return row?.definition
    },
    create(id, prep) {
      return refusedByConstraint(
        db.transaction().execute(async (tx) => {
          await tx
            .insertInto('data_preps')
            .values({
              id,
              group_id: prep.groupId,
              name: prep.name,
              owner_id: prep.savedBy,
              version: 1,
              created_at: prep.savedAt,
              updated_at: prep.savedAt,
            })
            .execute()
          await tx
            .insertInto('data_prep_versions')
            .values(versionRow(id, 1, prep))
            .execute()
          return 'created' as const
        }),
        saveRefusals,
      )
    },
    save(id, prep) {
      return refusedByConstraint(
        db.transaction().execute(async (tx) => {
          const row = await tx
            .selectFrom('data_preps')
            .select('version')
            .where('id', '=', id)
            .forUpdate()
            .executeTakeFirst()
          if (row === undefined) return 'gone' as const
          if (row.version !== prep.editedVersion) return 'changed' as const
          const version = row.version + 1
          await tx
            .updateTable('data_preps')
            .set({ group_id: prep.groupId, name: prep.name, version, updated_at: prep.savedAt })
            .where('id', '=', id)
            .execute()
          await tx
            .insertInto('data_prep_versions')
            .values(versionRow(id, version, prep))
            .execute()
          return 'saved' as const
        }),
        saveRefusals,
      )
    },
    async remove(id) {
      await db.deleteFrom('data_preps').where('id', '=', id).execute()
    },
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    async hold(id, executor) {
      const { rows } = await executor.query('select from data_preps where id = $1 for key share', [id])
      return rows.length > 0
    },
  }
}

function versionRow(id: string, version: number, { definition, savedBy, savedAt }: SavedPrep) {
  return {
    data_prep_id: id,
    version,
    definition: JSON.stringify(definition) as never,
    symbol_count: definition.symbols.length,
    saved_by: savedBy,
    saved_at: savedAt,
  }
}

function conditionsOf(filter: PrepFilter): RawBuilder<unknown>[] {
  const conditions = [
    filter.scope.groupIds === 'all'
      ? sql`true`
      : sql`prep.group_id = any(${filter.scope.groupIds}::bigint[])`,
  ]
  if (filter.latest) conditions.push(sql`saved.version = prep.version`)
  if (filter.id !== undefined) conditions.push(sql`prep.id = ${filter.id}::uuid`)
  if (filter.nameContains !== undefined)
    conditions.push(sql`lower(prep.name) like ${containsPattern(filter.nameContains.toLowerCase())}`)
  if (filter.namePattern !== undefined)
    conditions.push(sql`lower(prep.name) like ${wildcardPattern(filter.namePattern.toLowerCase())}`)
  if (filter.groupPattern !== undefined)
    conditions.push(sql`lower(groups.name) like ${wildcardPattern(filter.groupPattern.toLowerCase())}`)
  if (filter.groupName !== undefined) conditions.push(sql`groups.name = ${filter.groupName}`)
  return conditions
}
