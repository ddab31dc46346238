import { sql, type RawBuilder } from 'kysely'
import { containsPattern, type Database } from '@headwater/server-kit'
import type { SymbolGroup, SymbolKey, ValueColumn } from '../contract/index.ts'
import { toFilterSql, type FilterSql } from './filter-sql.ts'
import { runLookup } from './run-lookup.ts'
import { orderSql, type SymbolFilter, type SymbolOrder } from './symbol-filter.ts'

/** A symbol as it is stored. */
export interface StoredSymbol {
  id: number
  groupId: number
  groupName: string
  keys: Record<string, string>
  metadata: Record<string, string>
  columns: ValueColumn[]
  firstAt: Date | null
  lastAt: Date | null
}

export interface SymbolsStore {
  search(
    filter: SymbolFilter,
    page: { order: readonly SymbolOrder[]; from: number; size: number },
  ): Promise<{ symbols: StoredSymbol[]; total: number }>
  /** All symbols that a filter finds, by id, read in pieces. */
  scan(filter: SymbolFilter, pieceSize: number): AsyncGenerator<StoredSymbol[]>
  count(filter: SymbolFilter): Promise<number>
  /** Symbols of a group by the digests of their keys; unknown ones are left out. */
  byDigest(groupId: number, digests: readonly Buffer[]): Promise<StoredSymbol[]>
  values(
    filter: SymbolFilter,
    page: { key: string; containing: string; sort: 'asc' | 'desc'; from: number; size: number },
  ): Promise<{ values: string[]; total: number }>
  keys(groupId: number, options: { containing: string; metadata: boolean }): Promise<SymbolKey[]>
  columns(filter: SymbolFilter): Promise<ValueColumn[]>
  groups(
    readable: SymbolFilter['groups'],
    page: { containing: string; from: number; size: number },
  ): Promise<{ groups: SymbolGroup[]; total: number }>
  /** Ids of the groups that hold symbols. */
  groupIdsWithSymbols(): Promise<number[]>
  /** Symbols that a file names, by id. */
  ofFile(
    fileId: string,
    page: { from: number; size: number },
  ): Promise<{ symbols: StoredSymbol[]; total: number; groupId: number } | undefined>
}

/** The symbols in PostgreSQL. */
export function createSymbolsStore(database: Database): SymbolsStore {
  const db = database.tables<Record<string, never>>()

  function run<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return runLookup(db, query)
  }

  async function countOf(condition: FilterSql): Promise<number> {
    const rows = await run(sql<{ total: number }>`select count(*) as total from symbols where ${condition}`)
    return rows[0]!.total
  }

  return {
    async search(filter, { order, from, size }) {
      const condition = await toFilterSql(db, filter)
      const [symbols, total] = await Promise.all([
        run(
          sql<StoredSymbol>`select ${symbolFields} ${fromSymbols} where ${condition}
            order by ${orderSql(order)} limit ${size} offset ${from}`,
        ),
        countOf(condition),
      ])
      return { symbols, total }
    },
    async *scan(filter, pieceSize) {
      const condition = await toFilterSql(db, filter)
      let after = 0
      for (;;) {
        const symbols = await run(
          sql<StoredSymbol>`select ${symbolFields} ${fromSymbols} where ${condition} and symbols.id > ${after}
            order by symbols.id limit ${pieceSize}`,
        )
        if (symbols.length > 0) yield symbols
        if (symbols.length < pieceSize) return
        after = symbols.at(-1)!.id
      }
    },
    count: async (filter) => countOf(await toFilterSql(db, filter)),
    byDigest: (groupId, digests) =>
      run(
        sql<StoredSymbol>`select ${symbolFields} ${fromSymbols}
          where symbols.group_id = ${groupId} and symbols.digest = any(${digests}::bytea[])`,
      ),
    async values(filter, { key, containing, sort, from, size }) {
      const condition = await toFilterSql(db, filter)
      const found = sql`select distinct pair.value ${fromSymbols} cross join lateral jsonb_each_text(symbols.keys) as pair
        where ${condition} and lower(pair.key) = ${key.toLowerCase()} and pair.value ilike ${containsPattern(containing)}`
      const direction = sort === 'desc' ? sql`desc` : sql`asc`
      const [rows, counts] = await Promise.all([
        run(
          sql<{
            value: string
          }>`select value from (${found}) as found order by value ${direction} limit ${size} offset ${from}`,
        ),
        run(sql<{ total: number }>`select count(*) as total from (${found}) as found`),
      ])
      return { values: rows.map((row) => row.value), total: counts[0]!.total }
    },
    async keys(groupId, { containing, metadata }) {
      const pattern = containsPattern(containing)
      return run(
        sql<SymbolKey>`select * from (
          select name, 'symbol' as kind from symbol_keys where group_id = ${groupId}
          union all
          select name, 'metadata' as kind from metadata_columns where group_id = ${groupId} and ${metadata}
        ) as found where name ilike ${pattern} order by kind desc, name`,
      )
    },
    async columns(filter) {
      const condition = await toFilterSql(db, filter)
      return run(
        sql<ValueColumn>`select name, type from value_columns where id in (
          select unnest(symbols.column_ids) from symbols where ${condition}
        ) order by name`,
      )
    },
    async groups(readable, { containing, from, size }) {
      const found = sql`select groups.id, groups.name from groups
        where groups.name ilike ${containsPattern(containing)}
        and exists (select from symbols where symbols.group_id = groups.id)
        and ${readable === 'all' ? sql`true` : sql`groups.id = any(${readable}::bigint[])`}`
      const [groups, counts] = await Promise.all([
        run(
          sql<SymbolGroup>`select name as "groupName",
            (select count(*) from symbols where symbols.group_id = found.id)::int as "symbolCount"
            from (${found} order by lower(groups.name) limit ${size} offset ${from}) as found order by lower(name)`,
        ),
        run(sql<{ total: number }>`select count(*) as total from (${found}) as found`),
      ])
      return { groups, total: counts[0]!.total }
    },
    async groupIdsWithSymbols() {
      const rows = await run(
        sql<{
          id: number
        }>`select id from groups where exists (select from symbols where symbols.group_id = groups.id)`,
      )
      return rows.map((row) => row.id)
    },
    async ofFile(fileId, { from, size }) {
      const files = await run(
        sql<{ groupId: number; total: number }>`select group_id as "groupId", cardinality(symbol_ids) as total
          from ingests where file_id = ${fileId}::uuid`,
      )
      const file = files[0]
      if (file === undefined) return undefined
      const symbols = await run(
        sql<StoredSymbol>`select ${symbolFields} ${fromSymbols} where symbols.id in (
          select unnest(symbol_ids) from ingests where file_id = ${fileId}::uuid
        ) order by symbols.id limit ${size} offset ${from}`,
      )
      return { symbols, ...file }
    },
  }
}

const fromSymbols = sql`from symbols join groups on groups.id = symbols.group_id`

const symbolFields = sql`symbols.id, symbols.group_id as "groupId", groups.name as "groupName", symbols.keys, symbols.metadata,
  symbols.first_at as "firstAt", symbols.last_at as "lastAt",
  coalesce((
    select json_agg(json_build_object('name', c.name, 'type', c.type) order by c.name)
    from value_columns c where c.id = any(symbols.column_ids)
  ), '[]') as columns`
