import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import { isIndexed, prepareFilter, toFilterSql, type PreparedFilter } from './filter-sql.ts'
import { fieldSql, orderSql } from './order-sql.ts'
import { runLookup, type PlannerHint } from './run-lookup.ts'
import type { SymbolFilter, SymbolOrder } from './symbol-filter.ts'

/** Which part of the symbols that a filter finds is wanted. */
export interface SymbolPageQuestion {
  /** Empty: in the order of first arrival. */
  order: readonly SymbolOrder[]
  from: number
  size: number
  /** Only the first symbol of each different value of this field. */
  collapse?: SymbolOrder['field'] | undefined
  /** Counting may stop at this number; default it does not. */
  countUpTo?: number | undefined
}

/** Ids of the symbols of a page. */
export interface SymbolPage {
  ids: number[]
  /** Number of symbols found. */
  total: number
  /** Whether there may be more than `total`, which is then greater than `from + size`. */
  isAtLeast: boolean
}

type Db = Kysely<Record<string, never>>

/** How many of the first symbols are looked at one by one before an index is asked. */
const windowSize = 25_000

/** Expected to find no more, a filter goes to the index at once. */
const fewSymbols = 2000

/** So many symbols are looked at one by one in the time that the index takes for one that it finds. */
const rowsPerMatch = 20

/**
 * Finds a page of symbols. What few symbols have is found soonest by an index, what many have by looking at one symbol after the
 * other, for a short while only. Left alone, the planner takes the second way to its end whenever its guess is wrong.
 */
export async function findSymbolPage(
  db: Db,
  filter: SymbolFilter,
  question: SymbolPageQuestion,
): Promise<SymbolPage> {
  if (question.collapse !== undefined) return collapsedPage(db, filter, question, question.collapse)
  if (question.order.length > 0 || isUnconditional(filter)) return orderedPage(db, filter, question)
  return foundPage(db, filter, question)
}

function isUnconditional({ values, columns, words, keyCount }: SymbolFilter): boolean {
  return values.length + columns.length + words.length === 0 && keyCount === undefined
}

async function orderedPage(
  db: Db,
  filter: SymbolFilter,
  { order, from, size, countUpTo }: SymbolPageQuestion,
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
    countFound(db, condition, limit === undefined ? undefined : Math.max(limit, from + size) + 1),
  ])
  const isAtLeast = limit !== undefined && total > Math.max(limit, from + size)
  return { ids: rows.map((row) => row.id), total, isAtLeast }
}

async function foundPage(
  db: Db,
  filter: SymbolFilter,
  { from, size, countUpTo = Infinity }: SymbolPageQuestion,
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
      // Counting needs no order, and stops: often sooner than the index has told of all.
      const lookedAt = (wanted * expected.rows) / expected.matches
      const counted =
        byIndex && expected.matches * rowsPerMatch > lookedAt
          ? await countAmong(db, prepared, { rows: Math.ceil(3 * lookedAt), limit: wanted })
          : undefined
      const total = counted === wanted ? wanted : await countFound(db, condition, wanted, planner)
      return { ids: pageOf(first), total, isAtLeast: total === wanted }
    }
  }
  const [page] = await runLookup(
    db,
    sql<{ ids: number[]; total: number }>`with found as materialized (
        select symbols.id from symbols where ${condition}
      ) select (select count(*) from found)::int as total,
        array(select id from found order by id limit ${size} offset ${from}) as ids`,
    undefined,
    planner,
  )
  return { ids: page!.ids.map(Number), total: page!.total, isAtLeast: false }
}

/** How many symbols the planner expects to meet the conditions in all groups, and to lie in the groups asked for. */
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

/** Ids of the symbols of the window that a filter finds, at most `limit`, and whether the window holds all symbols. */
async function findInWindow(
  db: Db,
  { scope: { groupIds }, toSql }: PreparedFilter,
  limit: number,
): Promise<[number[], boolean]> {
  const window = (fields: RawBuilder<unknown>) => sql`select ${fields} from symbols
    where ${inGroupsSql(groupIds)}
    order by symbols.id limit ${windowSize}`
  const found = await runLookup(
    db,
    sql<{ id: number }>`select symbols.id from (
        ${window(sql`symbols.id, symbols.group_id, symbols.keys, symbols.metadata, symbols.column_ids, symbols.search_text`)}
      ) as symbols where ${toSql('rows')} order by symbols.id limit ${limit}`,
  )
  const ids = found.map((row) => row.id)
  if (ids.length === limit) return [ids, false]
  const [windowed] = await runLookup(
    db,
    sql<{ size: number }>`select count(*)::int as size from (${window(sql`symbols.id`)}) as windowed`,
  )
  return [ids, windowed!.size < windowSize]
}

/** How many of so many symbols, whichever come first, a filter finds; counting stops at `limit`. */
async function countAmong(
  db: Db,
  { scope: { groupIds }, toSql }: PreparedFilter,
  { rows, limit }: { rows: number; limit: number },
): Promise<number> {
  const [found] = await runLookup(
    db,
    sql<{ total: number }>`select count(*)::int as total from (
      select 1 from (
        select symbols.* from symbols
        where ${inGroupsSql(groupIds)} limit ${rows}
      ) as symbols where ${toSql('rows')} limit ${limit}
    ) as found`,
  )
  return found!.total
}

async function collapsedPage(
  db: Db,
  filter: SymbolFilter,
  { order, from, size }: SymbolPageQuestion,
  field: SymbolOrder['field'],
): Promise<SymbolPage> {
  const condition = await toFilterSql(db, filter)
  const by = await orderSql(db, filter, order)
  const found = sql`select distinct on (value) id from (
      select symbols.id, ${await fieldSql(db, filter, field)} as value
      from symbols join group_names as groups on groups.id = symbols.group_id where ${condition}
    ) as valued order by value, id`
  const [page] = await runLookup(
    db,
    sql<{ ids: number[]; total: number }>`with found as materialized (${found})
      select (select count(*) from found)::int as total, array(
        select symbols.id from found join symbols on symbols.id = found.id
        join group_names as groups on groups.id = symbols.group_id order by ${by} limit ${size} offset ${from}
      ) as ids`,
  )
  return { ids: page!.ids.map(Number), total: page!.total, isAtLeast: false }
}

function inGroupsSql(groupIds: AccessScope['groupIds']): RawBuilder<unknown> {
  return groupIds === 'all' ? sql`true` : sql`symbols.group_id = any(${groupIds}::bigint[])`
}

/** Number of symbols that meet a condition; with `limit` counting stops there. */
export async function countFound(
  db: Db,
  condition: RawBuilder<unknown>,
  limit?: number,
  planner: PlannerHint = 'free',
): Promise<number> {
  const found = sql`select 1 from symbols where ${condition} ${limit === undefined || limit === Infinity ? sql`` : sql`limit ${limit}`}`
  const rows = await runLookup(
    db,
    sql<{ total: number }>`select count(*)::int as total from (${found}) as found`,
    undefined,
    planner,
  )
  return rows[0]!.total
}
