import { carriesOverflows } from './aggregate-sql.ts'
import { rowsSql, type RowQuestion } from './answer-rows.ts'
import { canOverflow as canCombinationOverflow } from './column-functions.ts'
import { canOverflow as canFillOverflow } from './fill-sql.ts'
import type { OpenSelection } from './open-selections.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'

/** Whether an answer computes values of a selection that may be beyond what a double holds, were its points large enough. */
export function computesDoubles({ columns, resampled }: RowQuestion, selection: OpenSelection): boolean {
  const { fill, isAsked } = selection
  if (resampled) return resampled.some((column) => isAsked[column.source] && canCombinationOverflow(column))
  return (
    fill !== undefined && columns.some(({ type }, index) => isAsked[index] && canFillOverflow(type, fill))
  )
}

/** Whether a response may contain such values, judged by what is known about its points. */
export function mayOverflow(question: RowQuestion): boolean {
  const { selections, filled, aggregated } = question
  if (aggregated) {
    const { columns, mayHaveOverflows } = aggregated
    if (mayHaveOverflows && columns.some(carriesOverflows)) return true
    return columns.some(canCombinationOverflow) && selections.some(mayHaveExtremes)
  }
  if (filled) return filled.hasOverflows
  return selections.some((selection) => computesDoubles(question, selection) && mayHaveExtremes(selection))
}

function mayHaveExtremes({ facts }: OpenSelection): boolean {
  return facts?.mayHaveExtremes !== false
}

/** How many values of an answer, before its limit, are beyond what a double holds. */
export async function countOverflows(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
): Promise<number> {
  const counts = question.columns.flatMap(({ type }, index) =>
    type === 'double' ? [`ifNull(NOT isFinite(v${index}), 0)`] : [],
  )
  const sql = `SELECT toFloat64(sum(${counts.join(' + ')})) AS overflows FROM (${rowsSql({ ...question, keepsOverflows: true })})`
  const [row] = await connection.rows(sql, usedParams(sql, params))
  return Number(row?.overflows)
}
