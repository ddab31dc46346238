import { isNumeric } from './result-format.ts'
import { requestedColumns, combinedOf, rowsSql, unfilledRowsSql, type RowQuery } from './result-rows.ts'
import { canBeEmpty } from './resample-sql.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'

/** Number of rows to check first. Usually they contain a value for all columns. */
const firstRows = 20_000

/**
 * Returns, for each column, whether the points have a value before fill and resampling. If the query has neither, only
 * points in its window count.
 */
export async function findFilledColumns(
  connection: SqlConnection,
  rowQuery: RowQuery,
  params: SqlParams,
): Promise<boolean[]> {
  if (rowQuery.selections.length === 0) return rowQuery.columns.map(() => false)
  const hasValues = rowQuery.columns.map((_, index) => hasValueSql(rowQuery, index))
  return findTrue(connection, unfilledRowsSql(rowQuery), hasValues, params)
}

/** Returns whether a column can be empty in the result although the points have values. */
export function canLackValues({ query, filled, resampled, aggregated }: RowQuery): boolean {
  if (query.window && (filled || resampled)) return true
  if (aggregated?.columns.some((column) => canBeEmpty(column, undefined))) return true
  return resampled?.some((column) => canBeEmpty(column, query.resample?.fill)) ?? false
}

/**
 * Returns for each column whether the result has a value before its limit. A count of 0 does not count as a value, but
 * an overflow does.
 */
export async function findNonEmptyColumns(
  connection: SqlConnection,
  rowQuery: RowQuery,
  params: SqlParams,
): Promise<boolean[]> {
  const rows = rowsSql({ ...rowQuery, isUnordered: true, keepsOverflows: true })
  return findTrue(connection, rows, nonEmptySql(rowQuery), params)
}

/** Builds, for each column, SQL that is true if a row `v0…` of the result has a value. A count of 0 is not a value. */
export function nonEmptySql(rowQuery: RowQuery): string[] {
  const combined = combinedOf(rowQuery)
  return rowQuery.columns.map((_, index) =>
    combined?.[index]!.function === 'count' ? `ifNull(v${index} > 0, 0)` : `isNotNull(v${index})`,
  )
}

/** Returns, for each condition, whether any row meets it. */
async function findTrue(
  connection: SqlConnection,
  rows: string,
  conditions: readonly string[],
  params: SqlParams,
): Promise<boolean[]> {
  const isTrue = conditions.map(() => false)
  for (const limit of [` LIMIT ${firstRows}`, '']) {
    const open = [...isTrue.keys()].filter((index) => !isTrue[index])
    if (open.length === 0) break
    const facts = open.map((index) => `max(${conditions[index]}) AS has${index}`)
    const sql = `SELECT ${facts.join(', ')} FROM (SELECT * FROM (${rows})${limit}) SETTINGS query_plan_push_down_limit = 0`
    const [row] = await connection.rows(sql, usedParams(sql, params))
    for (const index of open) isTrue[index] = Boolean(row?.[`has${index}`])
  }
  return isTrue
}

/** Returns SQL that is true if a row `selection, v0…` has a value in a column, or belongs to a series filled with zeros. */
function hasValueSql(rowQuery: RowQuery, index: number): string {
  const { type } = rowQuery.columns[index]!
  const zeroSelections = rowQuery.selections.flatMap((selection, selectionIndex) =>
    selection.fill?.kind === 'zero' && requestedColumns(rowQuery, selection)[index] && isNumeric(type)
      ? [selectionIndex]
      : [],
  )
  const hasValue = `isNotNull(v${index})`
  return zeroSelections.length === 0
    ? hasValue
    : `(${hasValue} OR selection IN (${zeroSelections.join(', ')}))`
}
