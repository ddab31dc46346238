import { pointsOf, type RowQuestion } from './answer-rows.ts'
import { datasetTable } from './dataset-tables.ts'
import { storedInputs, type StoredInput } from './formula-sql.ts'
import type { OpenSelection } from './open-selections.ts'
import type { PointRange } from './point-sql.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** So many times the number of wanted values is looked at of each input, as not all timestamps have a value. */
const reserve = 4

/** Whether only the newest values of a formula are wanted, each of which needs nothing but the points at its timestamp. */
export function mayNarrow({ formula, shift }: OpenSelection): boolean {
  return formula !== undefined && !formula.looksBack && !shift
}

/**
 * Finds for formulas whose newest values are wanted from which moment on there are enough of them, so that inputs of millions of points are not
 * computed with as a whole. Where a guess by the newest points of the inputs does not hold, everything is computed.
 */
export async function narrowFormulas(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
): Promise<void> {
  const { count } = question.range
  if (count?.end !== 'newest') return
  for (const selection of question.selections) {
    if (!mayNarrow(selection)) continue
    const inputs = storedInputs(selection.formula!)
    if (inputs.length === 0) continue
    const guess = inputs
      .map((input) => newestSql(input, question.range, count.amount * reserve))
      .join(' UNION ALL ')
    const firsts = (await connection.rows(guess)).filter((row) => Number(row.count) > 0)
    if (firsts.length === 0) continue
    const from = Math.min(...firsts.map((row) => Number(row.first)))
    if (from <= (question.range.from ?? -Infinity)) continue
    const sql = `SELECT toFloat64(count()) AS count FROM (${pointsOf(question, { ...selection, from })})`
    const [found] = await connection.rows(sql, usedParams(sql, params))
    if (Number(found?.count) >= count.amount) selection.from = from
  }
}

/** How many of the newest points of an input there are, and when the first of them is. */
function newestSql({ dataset, sid }: StoredInput, { to }: PointRange, amount: number): string {
  const until = to === undefined ? '' : ` AND ts <= ${quoteTimestamp(to)}`
  const points = `SELECT ts FROM ${datasetTable(dataset)} WHERE sid = ${quoteInteger(sid)}${until} ORDER BY sid DESC, ts DESC LIMIT ${quoteInteger(amount)}`
  return `SELECT toFloat64(count()) AS count, toFloat64(min(toUnixTimestamp64Milli(ts))) AS first FROM (${points})`
}
