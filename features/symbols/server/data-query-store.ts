import { sql, type RawBuilder } from 'kysely'
import type { DataRange } from '@headwater/groups/server'
import type { Database } from '@headwater/server-kit'
import type { ValueType } from '@headwater/timeseries'
import { spellings, toFilterSql } from './filter-sql.ts'
import { runLookup, type LookupTime } from './run-lookup.ts'
import { symbolConditionsSql } from './symbol-conditions.ts'
import type { SymbolFilter } from './symbol-filter.ts'
import type { SymbolCondition } from './value-filters.ts'

/** A symbol with the data that a query result needs. */
export interface StoredSeries {
  /** Id of the symbol. */
  id: number
  /** Id of its group. */
  groupId: number
  /** Keys and values. */
  keys: Record<string, string>
  /** Metadata as text. */
  metadata: Record<string, string>
  /** Ids of the value columns in which it has values, ascending. */
  columnIds: number[]
  /** Whether its values are computed; formulas have no points. */
  isFormula: boolean
}

/** A value column of a group. */
export interface GroupColumn {
  /** Id of the column. */
  id: number
  /** Id of its group. */
  groupId: number
  /** Name, unique in the group. */
  name: string
  /** Type of its values. */
  type: ValueType
}

/** Limits the symbols that a lookup returns. */
export interface LookupScope {
  /** Conditions that the symbols must meet. */
  conditions: readonly SymbolCondition[]
  /**
   * Range in which or around which symbols must have points; absent for all symbols. Formulas, which have no points, do
   * not match.
   */
  range?: DataRange | undefined
  /** Maximum symbol id to return, so that later symbols are ignored; undefined for all symbols. */
  lastSymbolId?: number | undefined
  /** Remaining time for the lookups of the query; if absent, each statement has the full time. */
  time?: LookupTime | undefined
}

/** State of the data of a group. Later changes have greater numbers; 0 means no data. */
export interface GroupState {
  /** Id of the group. */
  groupId: number
  /** Version of the newest file. */
  version: number
  /** Number of files up to that version, minus those that are being removed. */
  files: number
  /** Number of symbols that users removed. */
  removed: number
  /** Highest symbol id. */
  symbolId: number
  /** Highest id of a value column. */
  columnId: number
  /** Number of changes of its formulas. */
  formulas: number
}

/** Looks up the series of data queries. */
export interface DataQueryStore {
  /** Returns symbols of a group by the digests of their keys; unknown ones are omitted. */
  byDigest(groupId: number, digests: readonly Buffer[], scope: LookupScope): Promise<StoredSeries[]>
  /** Yields all symbols that match a filter, by id, in pieces. */
  scan(filter: SymbolFilter, scope: LookupScope): AsyncGenerator<StoredSeries[]>
  /** Returns the formulas that match a filter, by id. */
  computed(filter: SymbolFilter, scope: LookupScope): Promise<StoredSeries[]>
  /** Returns these groups and the groups that their formulas read, directly or through other formulas, by id. */
  groupsBehind(groupIds: readonly number[]): Promise<number[]>
  /** Returns the names of the keys of all matching symbols. */
  keyNames(filter: SymbolFilter, scope: LookupScope): Promise<string[]>
  /** Returns the names of the metadata of all matching symbols. */
  metadataNames(filter: SymbolFilter, scope: LookupScope): Promise<string[]>
  /** Returns the ids of the columns in which matching symbols have values. */
  columnIds(filter: SymbolFilter, scope: LookupScope): Promise<number[]>
  /** Returns the value columns of groups. */
  columns(groupIds: readonly number[]): Promise<GroupColumn[]>
  /** Returns the metadata columns of groups; string if groups have different types. */
  metadataColumns(groupIds: readonly number[]): Promise<{ name: string; type: ValueType }[]>
  /** Returns the state of groups, by id; files after `upToVersion` do not count. */
  groupStates(groupIds: readonly number[], upToVersion?: number): Promise<GroupState[]>
  /** Returns the files of groups with their version in the series store. */
  filesByVersion(
    groupIds: readonly number[],
    versions: { from: number | undefined; to: number | undefined },
  ): Promise<{ version: number; fileId: string }[]>
  /** Returns whether all points of symbols are within a range. False for symbols without points. */
  areWithin(symbolIds: readonly number[], range: DataRange): Promise<boolean>
  /**
   * Returns the first and last timestamp of all points of groups, UTC milliseconds; undefined if there are no points.
   */
  dataSpan(groupIds: readonly number[]): Promise<{ first: number; last: number } | undefined>
}

const pieceSize = 10_000

/** Creates the store in PostgreSQL. */
export function createDataQueryStore(database: Pick<Database, 'tables'>): DataQueryStore {
  const db = database.tables<Record<string, never>>()

  function run<Row>(query: RawBuilder<Row>, time?: LookupTime): Promise<Row[]> {
    return runLookup(db, query, time)
  }

  /**
   * Runs statements that are always fast because they use an index. Setting a timeout would take longer than the
   * statements.
   */
  async function runQuick<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await query.execute(db)).rows
  }

  async function whereSql(filter: SymbolFilter, scope: LookupScope): Promise<RawBuilder<unknown>> {
    return sql`${await toFilterSql(db, filter)} and ${await scopeSql(filter.scope.groupIds, scope)}`
  }

  async function scopeSql(
    groups: Parameters<typeof spellings>[1],
    { conditions, lastSymbolId, range }: LookupScope,
  ): Promise<RawBuilder<unknown>> {
    const isOld = lastSymbolId === undefined ? sql`true` : sql`symbols.id <= ${lastSymbolId}`
    const meets = await symbolConditionsSql(conditions, (condition) => spellings(db, groups, condition))
    return sql`${isOld} and ${rangeSql(range)} and ${meets}`
  }

  async function names(
    filter: SymbolFilter,
    scope: LookupScope,
    map: RawBuilder<unknown>,
  ): Promise<string[]> {
    const condition = await whereSql(filter, scope)
    const rows = await run(
      sql<{
        name: string
      }>`select distinct pair.key as name from symbols cross join lateral jsonb_object_keys(${map}) as pair (key)
        where ${condition}`,
      scope.time,
    )
    return rows.map((row) => row.name)
  }

  return {
    async byDigest(groupId, digests, scope) {
      const isInScope = await scopeSql([groupId], scope)
      const find = (query: RawBuilder<StoredSeries>) =>
        scope.conditions.length === 0 ? runQuick(query) : run(query, scope.time)
      return find(
        sql<StoredSeries>`select ${seriesFields} from symbols
          where symbols.group_id = ${groupId} and symbols.digest = any(${digests}::bytea[])
          and ${isInScope}`,
      )
    },
    async *scan(filter, scope) {
      const condition = await whereSql(filter, scope)
      let after = 0
      for (;;) {
        const series = await run(
          sql<StoredSeries>`select ${seriesFields} from symbols where ${condition} and symbols.id > ${after}
            order by symbols.id limit ${pieceSize}`,
          scope.time,
        )
        if (series.length > 0) yield series
        if (series.length < pieceSize) return
        after = series.at(-1)!.id
      }
    },
    async computed(filter, scope) {
      const condition = await whereSql(filter, scope)
      return run(
        sql<StoredSeries>`select ${seriesFields} from symbols where symbols.is_formula and ${condition} order by symbols.id`,
        scope.time,
      )
    },
    async groupsBehind(groupIds) {
      const rows = await run(
        sql<{ id: number }>`with recursive reached (id) as (
            select unnest(${groupIds}::bigint[]) union
            select (input ->> 'groupId')::bigint from reached
              join symbols on symbols.group_id = reached.id and symbols.is_formula
              join formulas on formulas.symbol_id = symbols.id
              cross join lateral jsonb_array_elements(formulas.inputs) as input
          ) select id from reached order by id`,
      )
      return rows.map((row) => row.id)
    },
    keyNames: (filter, scope) => names(filter, scope, sql`symbols.keys`),
    metadataNames: (filter, scope) => names(filter, scope, sql`symbols.metadata`),
    async columnIds(filter, scope) {
      const condition = await whereSql(filter, scope)
      const rows = await run(
        sql<{
          id: number
        }>`select distinct unnest(symbols.column_ids) as id from symbols where ${condition}`,
        scope.time,
      )
      return rows.map((row) => row.id)
    },
    async columns(groupIds) {
      return runQuick(
        sql<GroupColumn>`select id, group_id as "groupId", name, type from value_columns where group_id = any(${groupIds}::bigint[])`,
      )
    },
    async metadataColumns(groupIds) {
      return runQuick(
        sql<{
          name: string
          type: ValueType
        }>`select name, case when count(distinct type) = 1 then min(type) else 'string' end as type
          from metadata_columns where group_id = any(${groupIds}::bigint[]) group by name`,
      )
    },
    async groupStates(groupIds, upToVersion) {
      const isOld = upToVersion === undefined ? sql`true` : sql`version <= ${upToVersion}`
      return run(
        sql<GroupState>`select requested.id as "groupId", files.version, files.count as files,
            (select coalesce(sum(changes), 0) from removed_symbols where removed_symbols.group_id = requested.id)::int as removed,
            coalesce((select max(id) from symbols where symbols.group_id = requested.id), 0) as "symbolId",
            coalesce((select max(id) from value_columns where value_columns.group_id = requested.id), 0) as "columnId",
            coalesce((select sum(revision) from formulas join symbols on symbols.id = formulas.symbol_id
              where symbols.group_id = requested.id and symbols.is_formula), 0)::int as formulas
          from unnest(${groupIds}::bigint[]) as requested (id) cross join lateral (
            select coalesce(max(version), 0) as version, count(*) as count from ingests
            where ingests.group_id = requested.id and ingests.state = 'published' and ${isOld}
          ) as files order by requested.id`,
      )
    },
    async filesByVersion(groupIds, { from, to }) {
      return run(
        sql<{ version: number; fileId: string }>`select version, file_id as "fileId" from ingests
          where group_id = any(${groupIds}::bigint[]) and row_count > 0
          and ${from === undefined ? sql`true` : sql`version >= ${from}`}
          and ${to === undefined ? sql`true` : sql`version <= ${to}`}`,
      )
    },
    async areWithin(symbolIds, { from, to }) {
      const [row] = await run(
        sql<{ isWithin: boolean }>`select count(*) = ${symbolIds.length} as "isWithin" from symbols
          where id = any(${symbolIds}::bigint[]) and (${from}::timestamptz is null or first_at >= ${from})
            and (${to}::timestamptz is null or last_at < ${to})`,
      )
      return row!.isWithin
    },
    async dataSpan(groupIds) {
      const [span] = await run(
        sql<{ first: Date | null; last: Date | null }>`select min(first_at) as first, max(last_at) as last
          from symbols where group_id = any(${groupIds}::bigint[])`,
      )
      if (span === undefined || span.first === null || span.last === null) return undefined
      return { first: span.first.getTime(), last: span.last.getTime() }
    },
  }
}

function rangeSql(range: DataRange | undefined): RawBuilder<unknown> {
  if (range === undefined) return sql`true`
  const { from, to } = range
  return sql`not symbols.is_formula and symbols.first_at is not null
    and (${from}::timestamptz is null or symbols.last_at >= ${from}) and (${to}::timestamptz is null or symbols.first_at < ${to})`
}

const seriesFields = sql`symbols.id, symbols.group_id as "groupId", symbols.keys, symbols.metadata, symbols.column_ids as "columnIds",
  symbols.is_formula as "isFormula"`
