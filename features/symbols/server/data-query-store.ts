import { sql, type RawBuilder } from 'kysely'
import type { Database } from '@headwater/server-kit'
import type { ValueType } from '@headwater/timeseries'
import { toFilterSql } from './filter-sql.ts'
import { runLookup } from './run-lookup.ts'
import type { SymbolFilter } from './symbol-filter.ts'

/** A symbol with what an answer needs of it. */
export interface StoredSeries {
  id: number
  groupId: number
  keys: Record<string, string>
  metadata: Record<string, string>
  columnIds: number[]
}

/** A value column of a group. */
export interface GroupColumn {
  id: number
  groupId: number
  name: string
  type: ValueType
}

/** Finds the series that a data query means. */
export interface DataQueryStore {
  /** Symbols of a group by the digests of their keys; unknown ones are left out. */
  byDigest(groupId: number, digests: readonly Buffer[]): Promise<StoredSeries[]>
  /** All symbols that a filter finds, by id, read in pieces. */
  scan(filter: SymbolFilter): AsyncGenerator<StoredSeries[]>
  /** Names of the keys of all symbols that a filter finds. */
  keyNames(filter: SymbolFilter): Promise<string[]>
  /** Names of the metadata of all symbols that a filter finds. */
  metadataNames(filter: SymbolFilter): Promise<string[]>
  /** Ids of the columns in which the symbols that a filter finds have values. */
  columnIds(filter: SymbolFilter): Promise<number[]>
  columns(groupIds: readonly number[]): Promise<GroupColumn[]>
  metadataColumns(groupIds: readonly number[]): Promise<{ name: string; type: ValueType }[]>
}

const pieceSize = 10_000

/** The lookup of series in PostgreSQL. */
export function createDataQueryStore(database: Database): DataQueryStore {
  const db = database.tables<Record<string, never>>()

  function run<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return runLookup(db, query)
  }

  async function names(filter: SymbolFilter, map: RawBuilder<unknown>): Promise<string[]> {
    const condition = await toFilterSql(db, filter)
    const rows = await run(
      sql<{
        name: string
      }>`select distinct found.key as name from symbols cross join lateral jsonb_object_keys(${map}) as found (key)
        where ${condition}`,
    )
    return rows.map((row) => row.name)
  }

  return {
    async byDigest(groupId, digests) {
      return run(
        sql<StoredSeries>`select ${seriesFields} from symbols
          where symbols.group_id = ${groupId} and symbols.digest = any(${digests}::bytea[])`,
      )
    },
    async *scan(filter) {
      const condition = await toFilterSql(db, filter)
      let after = 0
      for (;;) {
        const series = await run(
          sql<StoredSeries>`select ${seriesFields} from symbols where ${condition} and symbols.id > ${after}
            order by symbols.id limit ${pieceSize}`,
        )
        if (series.length > 0) yield series
        if (series.length < pieceSize) return
        after = series.at(-1)!.id
      }
    },
    keyNames: (filter) => names(filter, sql`symbols.keys`),
    metadataNames: (filter) => names(filter, sql`symbols.metadata`),
    async columnIds(filter) {
      const condition = await toFilterSql(db, filter)
      const rows = await run(
        sql<{
          id: number
        }>`select distinct unnest(symbols.column_ids) as id from symbols where ${condition}`,
      )
      return rows.map((row) => row.id)
    },
    async columns(groupIds) {
      return run(
        sql<GroupColumn>`select id, group_id as "groupId", name, type from value_columns where group_id = any(${groupIds}::bigint[])`,
      )
    },
    async metadataColumns(groupIds) {
      return run(
        sql<{
          name: string
          type: ValueType
        }>`select name, case when count(distinct type) = 1 then min(type) else 'string' end as type
          from metadata_columns where group_id = any(${groupIds}::bigint[]) group by name`,
      )
    },
  }
}

const seriesFields = sql`symbols.id, symbols.group_id as "groupId", symbols.keys, symbols.metadata, symbols.column_ids as "columnIds"`
