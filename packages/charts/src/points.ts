/** Number of points per block of extremes. Blocks avoid scanning a wide window point by point. */
const BLOCK = 64

/** The points of one series, sorted by x, with extremes per block. */
export interface Points {
  /** Positions, ascending. */
  x: Float64Array
  /** Values; NaN is a gap; never infinite. */
  y: Float64Array
  /** Minimum of each block; NaN if the block has no values. */
  low: Float64Array
  /** Maximum of each block; NaN if the block has no values. */
  high: Float64Array
  /** Number of finite values before each block. */
  before: Uint32Array
  /** Minimum of all values; NaN if there is none. */
  min: number
  /** Maximum of all values; NaN if there is none. */
  max: number
}

/** Sorts points if needed, replaces values that are not finite by NaN, and indexes the extremes. */
export function indexPoints(rawX: ArrayLike<number>, rawY: ArrayLike<number | null | undefined>): Points {
  const { x, y } = sorted(rawX, rawY)
  const blocks = Math.ceil(x.length / BLOCK)
  const low = new Float64Array(blocks)
  const high = new Float64Array(blocks)
  const before = new Uint32Array(blocks + 1)
  let min = Infinity
  let max = -Infinity
  let finite = 0
  for (let block = 0; block < blocks; block++) {
    let a = Infinity
    let b = -Infinity
    const end = Math.min(x.length, (block + 1) * BLOCK)
    for (let i = block * BLOCK; i < end; i++) {
      const value = y[i]!
      if (value !== value) continue
      finite++
      if (value < a) a = value
      if (value > b) b = value
    }
    low[block] = a > b ? NaN : a
    high[block] = a > b ? NaN : b
    before[block + 1] = finite
    if (a < min) min = a
    if (b > max) max = b
  }
  const none = min > max
  return { x, y, low, high, before, min: none ? NaN : min, max: none ? NaN : max }
}

/** Returns the index of the first point at or after x. */
export function firstAt(points: Points, x: number, from = 0): number {
  const list = points.x
  let low = from
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]! < x) low = middle + 1
    else high = middle
  }
  return low
}

/** Counts the finite values between two indexes, the second excluded. */
export function countFinite(points: Points, from: number, to: number): number {
  return finiteBefore(points, to) - finiteBefore(points, from)
}

/** Returns minimum and maximum between two indexes, the second excluded; [NaN, NaN] if there is no value. */
export function extremes(points: Points, from: number, to: number): [min: number, max: number] {
  const { y, low, high } = points
  let a = Infinity
  let b = -Infinity
  let i = from
  while (i < to) {
    let small: number
    let large: number
    if (i % BLOCK === 0 && i + BLOCK <= to) {
      small = low[i / BLOCK]!
      large = high[i / BLOCK]!
      i += BLOCK
    } else small = large = y[i++]!
    if (small < a) a = small
    if (large > b) b = large
  }
  return a > b ? [NaN, NaN] : [a, b]
}

/** Returns the minimum and maximum of the values above 0; [Infinity, -Infinity] if there is none. */
export function positiveExtremes({ y }: Points, from: number, to: number): [min: number, max: number] {
  let a = Infinity
  let b = -Infinity
  for (let i = from; i < to; i++) {
    const value = y[i]!
    if (!(value > 0)) continue
    if (value < a) a = value
    if (value > b) b = value
  }
  return [a, b]
}

/**
 * Returns the smallest positive distance between neighbouring x values; Infinity if there are fewer than two distinct
 * values.
 */
export function smallestGap({ x }: Points): number {
  let gap = Infinity
  for (let i = 1; i < x.length; i++) {
    const step = x[i]! - x[i - 1]!
    if (step > 0 && step < gap) gap = step
  }
  return gap
}

function finiteBefore(points: Points, index: number): number {
  const block = Math.floor(index / BLOCK)
  let count = points.before[block]!
  for (let i = block * BLOCK; i < index; i++) if (points.y[i] === points.y[i]) count++
  return count
}

function sorted(
  rawX: ArrayLike<number>,
  rawY: ArrayLike<number | null | undefined>,
): Pick<Points, 'x' | 'y'> {
  const length = Math.min(rawX.length, rawY.length)
  let x = rawX instanceof Float64Array && rawX.length === length ? rawX : toFloats(rawX, length)
  let y = rawY instanceof Float64Array && rawY.length === length ? rawY : toFloats(rawY, length)
  let clean = true
  let ordered = true
  let last = -Infinity
  for (let i = 0; i < length; i++) {
    const at = x[i]!
    const value = y[i]!
    // The difference of a number with itself is 0 only for finite numbers.
    if (at - at !== 0) ordered = false
    else if (at < last) ordered = false
    last = at
    if (value === Infinity || value === -Infinity) clean = false
  }
  if (!clean) y = y.map((value) => (Number.isFinite(value) ? value : NaN))
  if (!ordered) {
    const from = x
    const values = y
    const order = Array.from(from.keys()).filter((i) => Number.isFinite(from[i]))
    order.sort((a, b) => from[a]! - from[b]!)
    x = Float64Array.from(order, (i) => from[i]!)
    y = Float64Array.from(order, (i) => values[i]!)
  }
  return { x, y }
}

function toFloats(list: ArrayLike<unknown>, length: number): Float64Array<ArrayBuffer> {
  const floats = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    const value = list[i]
    floats[i] = typeof value === 'number' ? value : NaN
  }
  return floats
}
