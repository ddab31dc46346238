import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import { isIndexed, prepareFilter, toFilterSql, type PreparedFilter } from './filter-sql.ts'
import { fieldSql, orderSql } from './order-sql.ts'
import { runLookup, type PlannerHint } from './run-lookup.ts'
import type { SymbolFilter, SymbolOrder } from './symbol-filter.ts'

/** Page of matching symbols to return. */
export interface SymbolPageQuery {
  /** Sort order; empty for the order of creation. */
  order: readonly SymbolOrder[]
  /** Index of the first symbol, from 0. */
  from: number
  /** Maximum number of symbols. */
  size: number
  /** Returns only the first symbol for each value of this field. */
  collapse?: SymbolOrder['field'] | undefined
  /** Number at which counting stops; default no limit. */
  countUpTo?: number | undefined
}

/** A page of symbols. */
export interface SymbolPage {
  /** Ids of the symbols, in order. */
  ids: number[]
  /** Number of matching symbols. */
  total: number
  /** Whether there can be more than `total` matches; `total` is then greater than `from + size`. */
  isAtLeast: boolean
}

type Db = Kysely<Record<string, never>>

/** Number of symbols that are scanned before the index is used. */
const windowSize = 25_000

/** Expected number of matches up to which the index is used immediately. */
const fewSymbols = 2000

/** Number of symbols that a scan checks in the time that the index needs for one match. */
const rowsPerMatch = 20

/**
 * Finds a page of symbols. An index is fastest for few matches, a scan for many, if it is limited. Without this choice the planner
 * runs a full scan whenever its estimate is wrong.
 */
export async function findSymbolPage(
  db: Db,
  filter: SymbolFilter,
  query: SymbolPageQuery,
): Promise<SymbolPage> {
  if (query.collapse !== undefined) return collapsedPage(db, filter, query, query.collapse)
  if (query.order.length > 0 || isUnconditional(filter)) return orderedPage(db, filter, query)
  return matchingPage(db, filter, query)
}

function isUnconditional({ values, columns, terms, keyCount, limited }: SymbolFilter): boolean {
  return values.length + columns.length + terms.length === 0 && keyCount === undefined && !limited
}

async function orderedPage(
  db: Db,
  filter: SymbolFilter,
  { order, from, size, countUpTo }: SymbolPageQuery,
): Promise<SymbolPage> {
  const condition = await toFilterSql(db, filter)
  const limit = isUnconditional(filter) ? undefined : countUpTo
  const by = await orderSql(db, filter, order)
  const [rows, total] = await Promise.all([
    runLookup(
      db,
      sql<{
        id: number
      }>`select symbols.id from symbols join group_names as groups on groups.id = symbols.group_id
        where ${condition} order by ${by} limit ${size} offset ${from}`,
    ),
    countMatches(db, condition, limit === undefined ? undefined : Math.max(limit, from + size) + 1),
  ])
  const isAtLeast = limit !== undefined && total > Math.max(limit, from + size)
  return { ids: rows.map((row) => row.id), total, isAtLeast }
}

async function matchingPage(
  db: Db,
  filter: SymbolFilter,
  { from, size, countUpTo = Infinity }: SymbolPageQuery,
): Promise<SymbolPage> {
  const wanted = Math.max(from + size, countUpTo) + 1
  const pageOf = (ids: readonly number[]) => ids.slice(from, from + size)
  const prepared = await prepareFilter(db, filter)
  const expected = await expectedSizes(db, prepared)
  const byIndex = isIndexed(filter) && expected.matches * rowsPerMatch < expected.rows
  const condition = prepared.toSql(byIndex ? 'index' : 'rows')
  const planner = byIndex ? 'bitmap' : 'free'
  if (!byIndex || expected.matches > fewSymbols) {
    const [first, isAll] = await findInWindow(db, prepared, Math.min(from + size, windowSize))
    if (isAll) return { ids: pageOf(first), total: first.length, isAtLeast: false }
    if (first.length >= from + size) {
      // Counting needs no order and stops early, often before the index has found all matches.
      const lookedAt = (wanted * expected.rows) / expected.matches
      const counted =
        byIndex && expected.matches * rowsPerMatch > lookedAt
          ? await countAmong(db, prepared, { rows: Math.ceil(3 * lookedAt), limit: wanted })
          : undefined
      const total = counted === wanted ? wanted : await countMatches(db, condition, wanted, planner)
      return { ids: pageOf(first), total, isAtLeast: total === wanted }
    }
  }
  const [page] = await runLookup(
    db,
    sql<{ ids: number[]; total: number }>`with matches as materialized (
        select symbols.id from symbols where ${condition}
      ) select (select count(*) from matches)::int as total,
        array(select id from matches order by id limit ${size} offset ${from}) as ids`,
    undefined,
    planner,
  )
  return { ids: page!.ids.map(Number), total: page!.total, isAtLeast: false }
}

/** Returns how many symbols the planner expects to match in all groups, and to be in the requested groups. */
async function expectedSizes(
  db: Db,
  { scope: { groupIds }, anywhereSql }: PreparedFilter,
): Promise<{ matches: number; rows: number }> {
  const [matches, rows] = await Promise.all([
    plannedRows(db, anywhereSql()),
    plannedRows(db, inGroupsSql(groupIds)),
  ])
  return { matches, rows }
}

async function plannedRows(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const plan = sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`explain (format json)
    select 1 from symbols where ${condition}`
  const { rows } = await plan.execute(db)
  return rows[0]!['QUERY PLAN'][0].Plan['Plan Rows']
}

/** Returns the ids of matching symbols in the window, at most `limit`, and whether the window has all symbols. */
async function findInWindow(
  db: Db,
  { scope: { groupIds }, toSql }: PreparedFilter,
  limit: number,
): Promise<[number[], boolean]> {
  const window = (fields: RawBuilder<unknown>) => sql`select ${fields} from symbols
    where ${inGroupsSql(groupIds)}
    order by symbols.id limit ${windowSize}`
  const matches = await runLookup(
    db,
    sql<{ id: number }>`select symbols.id from (
        ${window(sql`symbols.id, symbols.group_id, symbols.keys, symbols.metadata, symbols.column_ids, symbols.search_text`)}
      ) as symbols where ${toSql('rows')} order by symbols.id limit ${limit}`,
  )
  const ids = matches.map((row) => row.id)
  if (ids.length === limit) return [ids, false]
  const [windowed] = await runLookup(
    db,
    sql<{ size: number }>`select count(*)::int as size from (${window(sql`symbols.id`)}) as windowed`,
  )
  return [ids, windowed!.size < windowSize]
}

/** Counts the matches among any `rows` symbols; stops at `limit`. */
async function countAmong(
  db: Db,
  { scope: { groupIds }, toSql }: PreparedFilter,
  { rows, limit }: { rows: number; limit: number },
): Promise<number> {
  const [matches] = await runLookup(
    db,
    sql<{ total: number }>`select count(*)::int as total from (
      select 1 from (
        select symbols.* from symbols
        where ${inGroupsSql(groupIds)} limit ${rows}
      ) as symbols where ${toSql('rows')} limit ${limit}
    ) as matches`,
  )
  return matches!.total
}

async function collapsedPage(
  db: Db,
  filter: SymbolFilter,
  { order, from, size }: SymbolPageQuery,
  field: SymbolOrder['field'],
): Promise<SymbolPage> {
  const condition = await toFilterSql(db, filter)
  const by = await orderSql(db, filter, order)
  const matches = sql`select distinct on (value) id from (
      select symbols.id, ${await fieldSql(db, filter, field)} as value
      from symbols join group_names as groups on groups.id = symbols.group_id where ${condition}
    ) as valued order by value, id`
  const [page] = await runLookup(
    db,
    sql<{ ids: number[]; total: number }>`with matches as materialized (${matches})
      select (select count(*) from matches)::int as total, array(
        select symbols.id from matches join symbols on symbols.id = matches.id
        join group_names as groups on groups.id = symbols.group_id order by ${by} limit ${size} offset ${from}
      ) as ids`,
  )
  return { ids: page!.ids.map(Number), total: page!.total, isAtLeast: false }
}

function inGroupsSql(groupIds: AccessScope['groupIds']): RawBuilder<unknown> {
  return groupIds === 'all' ? sql`true` : sql`symbols.group_id = any(${groupIds}::bigint[])`
}

/** Counts the symbols that meet a condition; stops at `limit`. */
export async function countMatches(
  db: Db,
  condition: RawBuilder<unknown>,
  limit?: number,
  planner: PlannerHint = 'free',
): Promise<number> {
  const matches = sql`select 1 from symbols where ${condition} ${limit === undefined || limit === Infinity ? sql`` : sql`limit ${limit}`}`
  const rows = await runLookup(
    db,
    sql<{ total: number }>`select count(*)::int as total from (${matches}) as matches`,
    undefined,
    planner,
  )
  return rows[0]!.total
}
