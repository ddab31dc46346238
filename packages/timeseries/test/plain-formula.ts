import { plainValues, type CompiledExpression, type ExpressionNode } from '@headwater/formula/testing'
import type { FormulaInput, SeriesFormula } from '../src/series-formula.ts'

/** A value of a series at a timestamp, with its version. */
export interface PlainPoint {
  /** UTC milliseconds. */
  ts: number
  /** Version of the point. */
  ver: number
  /** Finite number. */
  value: number
}

/**
 * Computes the points of a formula by the contract, timestamp by timestamp.
 * @param readStored returns the current points of a stored input
 */
export function computeFormula(
  formula: SeriesFormula,
  readStored: (input: Exclude<FormulaInput, { formula: SeriesFormula }>) => readonly PlainPoint[],
): PlainPoint[] {
  const inputs = formula.inputs.map((input) =>
    'formula' in input ? computeFormula(input.formula, readStored) : readStored(input),
  )
  const times = [...new Set(inputs.flat().map(({ ts }) => ts))]
    .sort((a, b) => a - b)
    .filter((ts) => formula.join !== 'inner' || inputs.every((points) => pointAt(points, ts)))
  const given = inputs.map((points) =>
    times.map((ts) => {
      if (formula.join !== 'previous') return pointAt(points, ts)?.value ?? null
      const before = points.filter((point) => point.ts <= ts).sort((a, b) => b.ts - a.ts)
      return before[0]?.value ?? null
    }),
  )
  const values = plainValues(treeOf(formula), given, times.length)
  return times.flatMap((ts, index) => {
    const value = values[index] ?? null
    if (value === null) return []
    const versions = inputs.flatMap((points) => pointAt(points, ts)?.ver ?? [])
    return [{ ts, ver: Math.max(...versions), value: value === 0 ? 0 : value }]
  })
}

function pointAt(points: readonly PlainPoint[], ts: number): PlainPoint | undefined {
  return points.find((point) => point.ts === ts)
}

/** Returns the tree of an expression of packages/formula. */
export function treeOf({ expression }: SeriesFormula): ExpressionNode {
  return (expression as CompiledExpression).tree
}
