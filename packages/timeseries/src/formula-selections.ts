import type { RowQuery } from './result-rows.ts'
import { hasClock } from './clock-sql.ts'
import { computeFormulas, type FormulaPoints, type WantedFormula } from './formula-points.ts'
import { guessStarts } from './formula-range.ts'
import type { SqlConnection } from './sql-connection.ts'

/** Computes the points of all formula selections together, once for the range of the query. */
export async function computeSelections(
  connection: SqlConnection,
  { selections, range, query }: RowQuery,
  signal: AbortSignal,
): Promise<void> {
  const open = selections.filter(({ formulas, computed }) => formulas && !computed)
  if (open.length === 0) return
  const { count, ...bounds } = range
  const wanted = open.flatMap(({ formulas, shift }) =>
    formulas!.map((formula): WantedFormula => ({ ...formula, range: shift?.unmove(bounds) ?? bounds })),
  )
  const isInParts = open.some(({ readsInParts }) => readsInParts)
  const isShifted = open.some(({ shift }) => shift)
  const isWhole = range.versionFrom === undefined && (query.filters ?? []).length === 0 && !hasClock(query)
  const isNewest = count?.end === 'newest' && !isShifted && isWhole
  const points = isNewest
    ? await computeNewest(connection, wanted, { range: bounds, amount: count.amount, signal })
    : await computeFormulas(connection, wanted, { signal, isInParts })
  for (const selection of open) {
    selection.computed = points
    selection.facts = points.facts
  }
}

/** Computes at least this many of the newest points of each formula, if it has that many. */
async function computeNewest(
  connection: SqlConnection,
  wanted: readonly WantedFormula[],
  { range, amount, signal }: { range: WantedFormula['range']; amount: number; signal: AbortSignal },
): Promise<FormulaPoints> {
  const near = wanted.filter(({ formula }) => !formula.looksBack)
  const starts = await guessStarts(connection, near, range, amount)
  const narrowed = wanted.map((each) => {
    const from = starts.get(each)
    return from === undefined ? each : { ...each, range: { ...each.range, from } }
  })
  const points = await computeFormulas(connection, narrowed, { signal })
  const isEnough = [...starts.keys()].every(({ sid }) => (points.counts.get(sid) ?? 0) >= amount)
  if (isEnough) return points
  await points.drop()
  return computeFormulas(connection, wanted, { signal })
}
