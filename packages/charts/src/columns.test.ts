import { expect, test } from 'vitest'
import { toColumns } from './columns.ts'
import { countFinite, extremes, indexPoints } from './points.ts'

/** Creates random numbers from 0 to 1 that depend only on the seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** Creates points at irregular distances, with gaps and empty stretches. */
function randomPoints(seed: number): { x: number[]; y: (number | null)[] } {
  const random = randomFrom(seed)
  const count = Math.floor(random() * 5000) + 1
  const x: number[] = []
  const y: (number | null)[] = []
  let at = random() * 1000
  for (let i = 0; i < count; i++) {
    at += random() < 0.002 ? random() * 500 : random()
    x.push(at)
    y.push(random() < 0.1 ? null : (random() - 0.5) * 10 ** Math.floor(random() * 6))
  }
  return { x, y }
}

test.each(Array.from({ length: 40 }, (_, i) => i + 1))(
  'preserves minimum and maximum of every pixel column (seed %i)',
  (seed) => {
    const { x, y } = randomPoints(seed)
    const random = randomFrom(seed * 7)
    const points = indexPoints(x, y)
    const span = x.at(-1)! - x[0]!
    const from = x[0]! + span * random() * 0.4
    const to = x.at(-1)! - span * random() * 0.4
    const count = Math.floor(random() * 900) + 1
    const width = (to - from) / count

    const expected = new Map<number, { min: number; max: number; first: number; last: number }>()
    x.forEach((at, i) => {
      const value = y[i]!
      if (at < from || at > to || value === null) return
      let column = Math.min(count - 1, Math.floor((at - from) / width))
      // Computes the edges as the engine does, to avoid rounding differences.
      if (column < count - 1 && at >= from + width * (column + 1)) column++
      if (column > 0 && at < from + width * column) column--
      const seen = expected.get(column)
      if (seen) {
        seen.min = Math.min(seen.min, value)
        seen.max = Math.max(seen.max, value)
        seen.last = i
      } else expected.set(column, { min: value, max: value, first: i, last: i })
    })

    const columns = toColumns(points, from, to, count)
    const actual = Array.from({ length: columns.size }, (_, i) => [
      columns.column[i]!,
      { min: columns.min[i]!, max: columns.max[i]!, first: columns.first[i]!, last: columns.last[i]! },
    ])
    expect(actual).toEqual([...expected].toSorted(([a], [b]) => a - b))
  },
)

test('finds the column of a single spike among a million points', () => {
  const y = new Float64Array(1_000_000).fill(5)
  y[777_777] = 1e6
  const points = indexPoints(Float64Array.from(y.keys()), y)
  const columns = toColumns(points, 0, 999_999, 1000)
  expect(columns.size).toBe(1000)
  expect(columns.max.indexOf(1e6)).toBe(777)
  expect(columns.max.filter((value) => value === 5)).toHaveLength(999)
})

test('extremes and counts of any range match those of a simple loop', () => {
  const random = randomFrom(3)
  const y = Array.from({ length: 1000 }, () => (random() < 0.2 ? NaN : random()))
  const points = indexPoints([...y.keys()], y)
  for (let i = 0; i < 300; i++) {
    const a = Math.floor(random() * 1000)
    const b = Math.floor(random() * 1000)
    const [from, to] = [Math.min(a, b), Math.max(a, b)]
    const values = y.slice(from, to).filter((value) => !Number.isNaN(value))
    const plain = values.length ? [Math.min(...values), Math.max(...values)] : [NaN, NaN]
    expect(extremes(points, from, to)).toEqual(plain)
    expect(countFinite(points, from, to)).toBe(values.length)
  }
})

test('sorts points, drops points without a position, and treats other values as gaps', () => {
  const points = indexPoints(
    [3, 1, NaN, 2, Infinity, 4, 5],
    [30, 10, 99, Infinity, 99, null, 'text' as unknown as number],
  )
  expect([...points.x]).toEqual([1, 2, 3, 4, 5])
  expect([...points.y]).toEqual([10, NaN, 30, NaN, NaN])
  expect([points.min, points.max]).toEqual([10, 30])
})

test('uses sorted lists of floats directly', () => {
  const x = Float64Array.of(1, 2, 3)
  const y = Float64Array.of(4, NaN, 6)
  const points = indexPoints(x, y)
  expect(points.x).toBe(x)
  expect(points.y).toBe(y)
})

test('lists of different lengths end with the shorter one; empty lists have no points', () => {
  expect([...indexPoints([1, 2, 3], [1]).x]).toEqual([1])
  expect(indexPoints([], []).min).toBeNaN()
})
