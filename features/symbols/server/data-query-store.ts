import { sql, type RawBuilder } from 'kysely'
import type { Database } from '@headwater/server-kit'
import type { ValueType } from '@headwater/timeseries'
import { toFilterSql } from './filter-sql.ts'
import { runLookup, type LookupTime } from './run-lookup.ts'
import { symbolConditionsSql } from './symbol-conditions.ts'
import type { SymbolFilter } from './symbol-filter.ts'
import type { SymbolCondition } from './value-filters.ts'

/** A symbol with what an answer needs of it. */
export interface StoredSeries {
  id: number
  groupId: number
  keys: Record<string, string>
  metadata: Record<string, string>
  columnIds: number[]
  /** Whether its values are computed; there are no points of it. */
  isFormula: boolean
}

/** A value column of a group. */
export interface GroupColumn {
  id: number
  groupId: number
  name: string
  type: ValueType
}

/** Which symbols of a group may be found at all. */
export interface LookupScope {
  conditions: readonly SymbolCondition[]
  /** Symbols with a greater id came later and are passed over; undefined to find all. */
  lastSymbolId?: number | undefined
  /** What is left for the lookups of the query; absent to give each statement the whole time. */
  time?: LookupTime | undefined
}

/** How far the data of a group have come: what comes later has greater numbers. 0 stands for nothing. */
export interface GroupState {
  groupId: number
  /** Version of the newest file. */
  version: number
  /** Number of files up to that version, less those that are being removed. */
  files: number
  /** Number of symbols that were removed by hand. */
  removed: number
  symbolId: number
  columnId: number
  /** How often its formulas were changed. */
  formulas: number
}

/** Finds the series that a data query means. */
export interface DataQueryStore {
  /** Symbols of a group by the digests of their keys; unknown ones are left out. */
  byDigest(groupId: number, digests: readonly Buffer[], scope: LookupScope): Promise<StoredSeries[]>
  /** All symbols that a filter finds, by id, read in pieces. */
  scan(filter: SymbolFilter, scope: LookupScope): AsyncGenerator<StoredSeries[]>
  /** Those of the symbols that a filter finds whose values are computed, by id. */
  computed(filter: SymbolFilter, scope: LookupScope): Promise<StoredSeries[]>
  /** These groups and those that formulas of theirs compute with, directly or by way of other formulas, by id. */
  groupsBehind(groupIds: readonly number[]): Promise<number[]>
  /** Names of the keys of all symbols that a filter finds. */
  keyNames(filter: SymbolFilter, scope: LookupScope): Promise<string[]>
  /** Names of the metadata of all symbols that a filter finds. */
  metadataNames(filter: SymbolFilter, scope: LookupScope): Promise<string[]>
  /** Ids of the columns in which the symbols that a filter finds have values. */
  columnIds(filter: SymbolFilter, scope: LookupScope): Promise<number[]>
  columns(groupIds: readonly number[]): Promise<GroupColumn[]>
  metadataColumns(groupIds: readonly number[]): Promise<{ name: string; type: ValueType }[]>
  /** How far the data of groups have come, by id of the group; files after a version do not count. */
  groupStates(groupIds: readonly number[], upToVersion?: number): Promise<GroupState[]>
  /** Files of groups by their version in the store of series. */
  filesByVersion(
    groupIds: readonly number[],
    versions: { from: number | undefined; to: number | undefined },
  ): Promise<{ version: number; fileId: string }[]>
  /** First and last timestamp of all points of groups, UTC milliseconds; undefined without points. */
  dataSpan(groupIds: readonly number[]): Promise<{ first: number; last: number } | undefined>
}

const pieceSize = 10_000

/** The lookup of series in PostgreSQL. */
export function createDataQueryStore(database: Pick<Database, 'tables'>): DataQueryStore {
  const db = database.tables<Record<string, never>>()

  function run<Row>(query: RawBuilder<Row>, time?: LookupTime): Promise<Row[]> {
    return runLookup(db, query, time)
  }

  /** For statements that an index answers at once, whatever is asked: a limit of their time would take longer than they do. */
  async function runQuick<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await query.execute(db)).rows
  }

  async function whereSql(filter: SymbolFilter, scope: LookupScope): Promise<RawBuilder<unknown>> {
    return sql`${await toFilterSql(db, filter)} and ${scopeSql(scope)}`
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
      }>`select distinct found.key as name from symbols cross join lateral jsonb_object_keys(${map}) as found (key)
        where ${condition}`,
      scope.time,
    )
    return rows.map((row) => row.name)
  }

  return {
    async byDigest(groupId, digests, scope) {
      const find = (query: RawBuilder<StoredSeries>) =>
        scope.conditions.length === 0 ? runQuick(query) : run(query, scope.time)
      return find(
        sql<StoredSeries>`select ${seriesFields} from symbols
          where symbols.group_id = ${groupId} and symbols.digest = any(${digests}::bytea[])
          and ${scopeSql(scope)}`,
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
        sql<GroupState>`select asked.id as "groupId", files.version, files.count as files,
            (select count(*) from removed_symbols where removed_symbols.group_id = asked.id) as removed,
            coalesce((select max(id) from symbols where symbols.group_id = asked.id), 0) as "symbolId",
            coalesce((select max(id) from value_columns where value_columns.group_id = asked.id), 0) as "columnId",
            coalesce((select sum(revision) from formulas join symbols on symbols.id = formulas.symbol_id
              where symbols.group_id = asked.id and symbols.is_formula), 0)::int as formulas
          from unnest(${groupIds}::bigint[]) as asked (id) cross join lateral (
            select coalesce(max(version), 0) as version, count(*) as count from ingests
            where ingests.group_id = asked.id and ingests.state = 'published' and ${isOld}
          ) as files order by asked.id`,
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

function scopeSql({ conditions, lastSymbolId }: LookupScope): RawBuilder<unknown> {
  const isOld = lastSymbolId === undefined ? sql`true` : sql`symbols.id <= ${lastSymbolId}`
  return sql`${isOld} and ${symbolConditionsSql(conditions)}`
}

const seriesFields = sql`symbols.id, symbols.group_id as "groupId", symbols.keys, symbols.metadata, symbols.column_ids as "columnIds",
  symbols.is_formula as "isFormula"`
