import { sql, type Kysely, type RawBuilder } from 'kysely'
import { containsPattern, type Database } from '@headwater/server-kit'
import type { SymbolBranch, SymbolGroup, SymbolKey, ValueColumn } from '../contract/index.ts'
import { spellings, toFilterSql, visibleSql } from './filter-sql.ts'
import type { LimitedSymbols } from './visible-symbols.ts'
import { foldSql } from './fold-case.ts'
import { runLookup } from './run-lookup.ts'
import type { SymbolFilter } from './symbol-filter.ts'
import { countMatches, findSymbolPage, type SymbolPageQuery } from './symbol-page.ts'

/** A stored symbol. */
export interface StoredSymbol {
  /** Id of the symbol. */
  id: number
  /** Id of its group. */
  groupId: number
  /** Name of its group. */
  groupName: string
  /** Keys and values. */
  keys: Record<string, string>
  /** Metadata as text. */
  metadata: Record<string, string>
  /** Value columns with values, by name. */
  columns: ValueColumn[]
  /** Timestamp of the first point. */
  firstAt: Date | null
  /** Timestamp of the last point. */
  lastAt: Date | null
  /** Whether its values are computed. */
  isFormula: boolean
}

/** Reads symbols. */
export interface SymbolsStore {
  /** Returns a page of matching symbols. */
  search(
    filter: SymbolFilter,
    page: SymbolPageQuery,
  ): Promise<{ symbols: StoredSymbol[]; total: number; isAtLeast: boolean }>
  /** Yields all matching symbols, by id, in pieces. */
  scan(filter: SymbolFilter, pieceSize: number): AsyncGenerator<StoredSymbol[]>
  /** Counts matching symbols. */
  count(filter: SymbolFilter): Promise<number>
  /** Returns symbols of a group by the digests of their keys; unknown ones are omitted. */
  byDigest(groupId: number, digests: readonly Buffer[]): Promise<StoredSymbol[]>
  /** Returns the distinct values of a key. */
  values(
    filter: SymbolFilter,
    page: { key: string; containing: string; sort: 'asc' | 'desc'; from: number; size: number },
  ): Promise<{ values: string[]; total: number }>
  /** Returns the names of keys of a group; with `of` only of matching symbols. */
  keys(
    groupId: number,
    options: {
      containing: string
      metadata: boolean
      sort: 'asc' | 'desc'
      of?: SymbolFilter | undefined
    },
  ): Promise<SymbolKey[]>
  /** Returns the values of a key, ascending, with the number of symbols; symbols without the key last. */
  branches(
    filter: SymbolFilter,
    page: { key: string; containing: string; from: number; size: number },
  ): Promise<{ branches: SymbolBranch[]; total: number }>
  /** Returns the value columns of matching symbols. */
  columns(filter: SymbolFilter): Promise<ValueColumn[]>
  /** Returns the groups that contain symbols. A group with a range is included only if a symbol is visible. */
  groups(
    readable: Pick<SymbolFilter, 'scope' | 'limited'>,
    page: { containing: string; from: number; size: number },
  ): Promise<{ groups: SymbolGroup[]; total: number }>
  /** Returns the ids of the groups with symbols that the caller can see. */
  groupIdsWithSymbols(limited: LimitedSymbols | undefined): Promise<number[]>
  /** Returns the number of symbols in a group. */
  countIn(groupId: number): Promise<number>
  /** Returns the keys of those symbols of a group with one of these digests that one of the files contains. */
  inFiles(
    fileIds: readonly string[],
    of: { groupId: number; digests: readonly Buffer[] },
  ): Promise<Record<string, string>[]>
  /** Returns the symbols in a file, by id. */
  ofFile(
    fileId: string,
    page: { from: number; size: number },
  ): Promise<{ symbols: StoredSymbol[]; total: number; groupId: number } | undefined>
}

/** Creates the store in PostgreSQL. */
export function createSymbolsStore(database: Database): SymbolsStore {
  const db = database.tables<Record<string, never>>()

  function run<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return runLookup(db, query)
  }

  /**
   * Runs statements that are always fast because they use an index. Setting a timeout would take as long as the
   * statements.
   */
  async function runQuick<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await query.execute(db)).rows
  }

  return {
    async search(filter, query) {
      const { ids, total, isAtLeast } = await findSymbolPage(db, filter, query)
      const rows =
        ids.length === 0
          ? []
          : await runQuick(
              sql<StoredSymbol>`select ${symbolFields} ${fromSymbols} where symbols.id = any(${ids}::bigint[])`,
            )
      const byId = new Map(rows.map((row) => [row.id, row]))
      return { symbols: ids.flatMap((id) => byId.get(id) ?? []), total, isAtLeast }
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
    count: async (filter) => countMatches(db, await toFilterSql(db, filter)),
    byDigest: (groupId, digests) =>
      run(
        sql<StoredSymbol>`select ${symbolFields} ${fromSymbols}
          where symbols.group_id = ${groupId} and symbols.digest = any(${digests}::bytea[])`,
      ),
    async values(filter, { key, containing, sort, from, size }) {
      const condition = await toFilterSql(db, filter)
      const matches = sql`select distinct pair.value ${fromSymbols} cross join lateral jsonb_each_text(symbols.keys) as pair
        where ${condition} and ${foldSql(sql`pair.key`)} = ${foldSql(key)} and ${foldSql(sql`pair.value`)} like ${foldSql(containsPattern(containing))}`
      const direction = sort === 'desc' ? sql`desc` : sql`asc`
      const [rows, counts] = await Promise.all([
        run(
          sql<{
            value: string
          }>`select value from (${matches}) as matches order by value ${direction} limit ${size} offset ${from}`,
        ),
        run(sql<{ total: number }>`select count(*) as total from (${matches}) as matches`),
      ])
      return { values: rows.map((row) => row.value), total: counts[0]!.total }
    },
    async keys(groupId, { containing, metadata, sort, of }) {
      const pattern = containsPattern(containing)
      const has = (map: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
        sql`exists (select from symbols where ${condition} and ${map} ? name)`
      const condition = of === undefined ? undefined : await toFilterSql(db, of)
      const direction = sort === 'desc' ? sql`desc` : sql`asc`
      const rows = await run(
        sql<Omit<SymbolKey, 'variety'> & { variety: number | null }>`with sampled as (
          select pair.key, count(distinct pair.value)::int as variety from (
            select keys from symbols where group_id = ${groupId}
              and ${visibleSql(of?.limited)} order by id limit ${sampledSymbols}
          ) as first cross join lateral jsonb_each_text(keys) as pair group by pair.key
        ) select matches.name, matches.kind,
          case when kind = 'symbol' then coalesce((select variety from sampled where key = name), 0) end as variety
        from (
          select name, 'symbol' as kind from symbol_keys where group_id = ${groupId}
            and ${condition === undefined ? sql`true` : has(sql`symbols.keys`, condition)}
          union all
          select name, 'metadata' as kind from metadata_columns where group_id = ${groupId} and ${metadata}
            and ${condition === undefined ? sql`true` : has(sql`symbols.metadata`, condition)}
        ) as matches where ${foldSql(sql`name`)} like ${foldSql(pattern)} order by kind desc, name ${direction}`,
      )
      return rows.map(({ variety, ...key }) => (variety === null ? key : { ...key, variety }))
    },
    async branches(filter, { key, containing, from, size }) {
      const names = await spellings(db, filter.scope.groupIds, { kind: 'symbol', name: key.toLowerCase() })
      const values = names.map((name) => sql`symbols.keys ->> ${name}::text`)
      const value = values.length === 0 ? sql`''` : sql`coalesce(${sql.join(values)}, '')`
      const [page] = await run(
        sql<{ branches: SymbolBranch[]; total: number }>`with matches as materialized (
            select value, count(*)::int as "symbolCount" from (
              select ${value} as value from symbols where ${await toFilterSql(db, filter)}
            ) as valued where ${foldSql(sql`value`)} like ${foldSql(containsPattern(containing))} group by value
          ) select (select count(*) from matches)::int as total, coalesce((
            select json_agg(row_to_json(page)) from (
              select * from matches order by value = '', value limit ${size} offset ${from}
            ) as page
          ), '[]') as branches`,
      )
      return page!
    },
    columns: (filter) => columnsOf(db, filter),
    async groups({ scope: { groupIds }, limited }, { containing, from, size }) {
      const isVisible = visibleSql(limited)
      const matches = sql`select groups.id, groups.name from group_names as groups
        where groups.name ilike ${containsPattern(containing)}
        and exists (select from symbols where symbols.group_id = groups.id and ${isVisible})
        and ${groupIds === 'all' ? sql`true` : sql`groups.id = any(${groupIds}::bigint[])`}`
      const [groups, counts] = await Promise.all([
        run(
          sql<SymbolGroup>`select name as "groupName",
            (select count(*) from symbols where symbols.group_id = matches.id and ${isVisible})::int as "symbolCount"
            from (${matches} order by lower(groups.name) limit ${size} offset ${from}) as matches order by lower(name)`,
        ),
        run(sql<{ total: number }>`select count(*) as total from (${matches}) as matches`),
      ])
      return { groups, total: counts[0]!.total }
    },
    async groupIdsWithSymbols(limited) {
      const rows = await run(
        sql<{
          id: number
        }>`select id from group_names as groups where exists (
            select from symbols where symbols.group_id = groups.id and ${visibleSql(limited)})`,
      )
      return rows.map((row) => row.id)
    },
    async countIn(groupId) {
      const [row] = await run(
        sql<{ total: number }>`select count(*) as total from symbols where group_id = ${groupId}`,
      )
      return Number(row!.total)
    },
    inFiles: (fileIds, of) => findInFiles(run, fileIds, of),
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

/** Returns the value columns of matching symbols; of groups with a range only those with a value in it. */
async function columnsOf(db: Kysely<Record<string, never>>, filter: SymbolFilter): Promise<ValueColumn[]> {
  const condition = await toFilterSql(db, filter)
  const { limited } = filter
  const columnIds = new Set<number>()
  if (limited !== undefined)
    for (const { id } of await runLookup(db, sql<{ id: number }>`select id from symbols where ${condition}`))
      for (const column of limited.symbols.get(id)?.columns ?? []) columnIds.add(column.id)
  return runLookup(
    db,
    sql<ValueColumn>`select name, type from value_columns where id = any(${[...columnIds]}::int[]) or id in (
      select unnest(symbols.column_ids) from symbols where ${condition} and ${visibleSql(limited, [])}
    ) order by name`,
  )
}

/** Number of symbols sampled to estimate how many distinct values a key has. */
const sampledSymbols = 2000

const fromSymbols = sql`from symbols join group_names as groups on groups.id = symbols.group_id`

const symbolFields = sql`symbols.id, symbols.group_id as "groupId", groups.name as "groupName", symbols.keys, symbols.metadata,
  symbols.first_at as "firstAt", symbols.last_at as "lastAt", symbols.is_formula as "isFormula",
  coalesce((
    select json_agg(json_build_object('name', c.name, 'type', c.type) order by c.name)
    from value_columns c where c.id = any(symbols.column_ids)
  ), '[]') as columns`

async function findInFiles(
  run: <Row>(query: RawBuilder<Row>) => Promise<Row[]>,
  ...[fileIds, { groupId, digests }]: Parameters<SymbolsStore['inFiles']>
): ReturnType<SymbolsStore['inFiles']> {
  const rows = await run(
    sql<{ keys: Record<string, string> }>`select keys from symbols
      where group_id = ${groupId} and digest = any(${digests}::bytea[])
      and id in (select unnest(symbol_ids) from ingests where file_id = any(${fileIds}::uuid[]))`,
  )
  return rows.map(({ keys }) => keys)
}
