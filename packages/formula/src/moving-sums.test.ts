import { expect, test } from 'vitest'
import { movingSums, MovingSums } from './moving-sums.ts'

test('sums of a window contain no error from values outside of it', () => {
  const rows = Float64Array.from({ length: 100 }, (_, row) =>
    row === 50 ? Number.NaN : row === 10 ? 1e200 : row,
  )
  for (const count of [1, 2, 16, 17, 40, 100, 101]) {
    const expected = Array.from({ length: Math.max(0, 101 - count) }, (_, row) =>
      rows.slice(row, row + count).reduce((sum, value) => sum + value, 0),
    )
    expect([...movingSums(rows, count)]).toEqual(expected)
    for (const part of [7, 100]) {
      const moving = new MovingSums(count)
      const sums = new Float64Array(rows.length)
      for (let from = 0; from < rows.length; from += part)
        moving.next(rows.subarray(from, from + part), sums.subarray(from, from + part))
      expect([...sums.subarray(count - 1)]).toEqual(expected)
    }
  }
})
