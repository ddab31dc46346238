/**
 * Computes the trailing moving average: each value becomes the mean of the last `size` values, including
 * itself. The first `size - 1` values, which have no full window, are gaps; gaps in the input are preserved
 * and not counted, so a window always has `size` real values.
 *
 * @param size number of values in a window; if it is less than 2 or not a number, the values are copied
 * unchanged
 */
export function movingAverage(values: ArrayLike<number | null | undefined>, size: number): Float64Array {
  const width = Math.floor(size)
  const averaged = new Float64Array(values.length).fill(NaN)
  const held: number[] = []
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    if (!(width >= 2)) {
      averaged[i] = value
      continue
    }
    held.push(value)
    if (held.length > width) held.shift()
    if (held.length === width) averaged[i] = mean(held)
  }
  return averaged
}

/** Sums each window separately, because a running sum would accumulate rounding errors. */
function mean(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}
