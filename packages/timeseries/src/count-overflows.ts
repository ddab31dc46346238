import { carriesOverflows } from './aggregate-sql.ts'
import { rowsSql, type RowQuery } from './result-rows.ts'
import { canOverflow as canCombinationOverflow } from './column-functions.ts'
import { canOverflow as canFillOverflow } from './fill-sql.ts'
import type { OpenSelection } from './open-selections.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'

/** Returns whether a result computes values of a selection that could exceed the range of a double. */
export function computesDoubles({ columns, resampled }: RowQuery, selection: OpenSelection): boolean {
  const { fill, isRequested } = selection
  if (resampled)
    return resampled.some((column) => isRequested[column.source] && canCombinationOverflow(column))
  return (
    fill !== undefined && columns.some(({ type }, index) => isRequested[index] && canFillOverflow(type, fill))
  )
}

/**
 * Returns whether a result may contain values that exceed the range of a double, according to the known facts about its
 * points.
 */
export function canAnyOverflow(rowQuery: RowQuery): boolean {
  const { selections, filled, aggregated } = rowQuery
  if (aggregated) {
    const { columns, canHaveOverflows } = aggregated
    if (canHaveOverflows && columns.some(carriesOverflows)) return true
    return columns.some(canCombinationOverflow) && selections.some(mayHaveExtremes)
  }
  if (filled) return filled.hasOverflows
  return selections.some((selection) => computesDoubles(rowQuery, selection) && mayHaveExtremes(selection))
}

function mayHaveExtremes({ facts }: OpenSelection): boolean {
  return facts?.mayHaveExtremes !== false
}

/** Counts the values of a result, before its limit, that exceed the range of a double. */
export async function countOverflows(
  connection: SqlConnection,
  rowQuery: RowQuery,
  params: SqlParams,
): Promise<number> {
  const counts = rowQuery.columns.flatMap(({ type }, index) =>
    type === 'double' ? [`ifNull(NOT isFinite(v${index}), 0)`] : [],
  )
  const sql = `SELECT toFloat64(sum(${counts.join(' + ')})) AS overflows FROM (${rowsSql({ ...rowQuery, keepsOverflows: true })})`
  const [row] = await connection.rows(sql, usedParams(sql, params))
  return Number(row?.overflows)
}
