import { isNumeric } from './answer-format.ts'
import { askedColumns, combinedOf, rowsSql, unfilledRowsSql, type RowQuestion } from './answer-rows.ts'
import { mayBeEmpty } from './resample-sql.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'

/** Rows looked at first; mostly all columns have a value in them. */
const firstRows = 20_000

/**
 * Whether the columns of points have a value anywhere, before gaps are filled and spans are made. Where neither is asked for, the window of the
 * question counts.
 */
export async function findFilledColumns(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
): Promise<boolean[]> {
  if (question.selections.length === 0) return question.columns.map(() => false)
  const hasValues = question.columns.map((_, index) => hasValueSql(question, index))
  return findTrue(connection, unfilledRowsSql(question), hasValues, params)
}

/** Whether a column that has values in the points may lack them in the answer. */
export function mayLackValues({ query, filled, resampled, aggregated }: RowQuestion): boolean {
  if (query.window && (filled || resampled)) return true
  if (aggregated?.columns.some((column) => mayBeEmpty(column, undefined))) return true
  return resampled?.some((column) => mayBeEmpty(column, query.resample?.fill)) ?? false
}

/** Whether the columns of an answer have a value anywhere in it, as it is before its limit. A count of 0 is none, a value too large is one. */
export async function findShownColumns(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
): Promise<boolean[]> {
  const rows = rowsSql({ ...question, isUnordered: true, keepsOverflows: true })
  return findTrue(connection, rows, showsValuesSql(question), params)
}

/** SQL of whether a row `v0…` of the answer has a value in a column, by column. A count of 0 is none. */
export function showsValuesSql(question: RowQuestion): string[] {
  const combined = combinedOf(question)
  return question.columns.map((_, index) =>
    combined?.[index]!.function === 'count' ? `ifNull(v${index} > 0, 0)` : `isNotNull(v${index})`,
  )
}

/** Which of some conditions any of the rows meets. */
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

/** SQL of whether a row `place, v0…` has a value in a column, or is of a series that gets one everywhere. */
function hasValueSql(question: RowQuestion, index: number): string {
  const { type } = question.columns[index]!
  const zeroPlaces = question.selections.flatMap((selection, place) =>
    selection.fill?.kind === 'zero' && askedColumns(question, selection)[index] && isNumeric(type)
      ? [place]
      : [],
  )
  const hasValue = `isNotNull(v${index})`
  return zeroPlaces.length === 0 ? hasValue : `(${hasValue} OR place IN (${zeroPlaces.join(', ')}))`
}
