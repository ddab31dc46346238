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
  const { range } = question
  if (range.count?.end !== 'newest') return
  const { amount } = range.count
  const formulas = question.selections.filter(mayNarrow)
  const guesses = formulas.flatMap(({ formula }, at) =>
    storedInputs(formula!).map((input) => newestSql(input, range, { at, amount: amount * reserve })),
  )
  if (guesses.length === 0) return
  const begins = new Map<OpenSelection, number>()
  for (const row of await connection.rows(guesses.join(' UNION ALL '))) {
    const selection = formulas[Number(row.at)]!
    const first = Number(row.first)
    if (Number(row.count) > 0) begins.set(selection, Math.min(first, begins.get(selection) ?? first))
  }
  const guessed = [...begins].filter(([, from]) => from > (range.from ?? -Infinity))
  if (guessed.length === 0) return
  const sql = guessed
    .map(([selection, from], at) => {
      const points = pointsOf(question, { ...selection, from })
      return `SELECT toUInt32(${at}) AS at, toFloat64(count()) AS count FROM (${points})`
    })
    .join(' UNION ALL ')
  for (const row of await connection.rows(sql, usedParams(sql, params))) {
    const [selection, from] = guessed[Number(row.at)]!
    if (Number(row.count) >= amount) selection.from = from
  }
}

/** How many of the newest points of an input there are, and when the first of them is. */
function newestSql(
  { dataset, sid }: StoredInput,
  { to }: PointRange,
  { at, amount }: { at: number; amount: number },
): string {
  const until = to === undefined ? '' : ` AND ts <= ${quoteTimestamp(to)}`
  const points = `SELECT ts FROM ${datasetTable(dataset)} WHERE sid = ${quoteInteger(sid)}${until} ORDER BY sid DESC, ts DESC LIMIT ${quoteInteger(amount)}`
  return `SELECT toUInt32(${quoteInteger(at)}) AS at, toFloat64(count()) AS count, toFloat64(min(toUnixTimestamp64Milli(ts))) AS first FROM (${points})`
}
