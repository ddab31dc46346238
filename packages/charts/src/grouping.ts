/** Points of one series: positions and values of the same length; null, NaN and undefined are gaps. */
export interface XY {
  /** Positions. */
  x: ArrayLike<number>
  /** Values. */
  y: ArrayLike<number | null | undefined>
}

/** Operations that combine several values. */
export const OPERATIONS = ['SUM', 'Average'] as const
/** Operation that combines several values. */
export type Operation = (typeof OPERATIONS)[number]

/** Combines values at the same x. The result is sorted. An x that has only gaps remains a gap. */
export function groupBySameX({ x, y }: XY, operation: Operation): { x: Float64Array; y: Float64Array } {
  const groups = new Map<number, { sum: number; count: number }>()
  const length = Math.min(x.length, y.length)
  for (let i = 0; i < length; i++) {
    const at = x[i]!
    if (!Number.isFinite(at)) continue
    let group = groups.get(at)
    if (!group) groups.set(at, (group = { sum: 0, count: 0 }))
    const value = y[i]
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    group.sum += value
    group.count++
  }
  const keys = Float64Array.from(groups.keys()).sort()
  return {
    x: keys,
    y: keys.map((key) => {
      const { sum, count } = groups.get(key)!
      return count === 0 ? NaN : operation === 'SUM' ? sum : sum / count
    }),
  }
}
