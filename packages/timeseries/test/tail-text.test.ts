import { expect, test } from 'vitest'
import type { ValueType } from '../src/series-upload.ts'
import { makeTail, type SeriesTail } from '../src/series-tail.ts'
import { newestRows, TailText } from '../src/tail-text.ts'

const dayMs = 86_400_000

function tailOf(timestamps: readonly number[], values: readonly number[], type: ValueType): SeriesTail {
  const points = { timestamps: Float64Array.from(timestamps), values: [Float64Array.from(values)] }
  return makeTail([{ id: 1, type }], points, true)
}

function lines(tail: SeriesTail, type: ValueType): string[] | undefined {
  const text = new TailText()
  const rows = newestRows(tail, [{ id: 1, type }], { amount: 1000, order: 'asc' })!
  const isWritten = text.addRows(rows, 'A,', ',b')
  const written = text.toBuffer().toString()
  return isWritten ? written.split('\n').slice(0, -1) : undefined
}

function chunk<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / 1000) }, (_, index) =>
    items.slice(index * 1000, index * 1000 + 1000),
  )
}

test('writes every day of the years 1677 to 2299 as its date', () => {
  const days: number[] = []
  for (let day = Date.UTC(1677, 0, 1); day < Date.UTC(2300, 0, 1); day += dayMs) days.push(day)
  for (const some of chunk(days)) {
    const ones = some.map(() => 1)
    expect(lines(tailOf(some, ones, 'integer'), 'integer')).toEqual(
      some.map((day) => `A,${new Date(day).toISOString().slice(0, 19)},1,b`),
    )
  }
})

test('writes milliseconds only if there are any, even in a date column', () => {
  const instants = [
    Date.UTC(1677, 0, 1),
    Date.UTC(1900, 0, 1),
    -1,
    0,
    7,
    3_599_999,
    Date.UTC(2299, 11, 31, 23, 59, 59, 999),
  ]
  const cell = (instant: number) => new Date(instant).toISOString().replace('.000', '').replace('Z', '')
  expect(lines(tailOf(instants, instants, 'date'), 'date')).toEqual(
    instants.map((instant) => `A,${cell(instant)},${cell(instant)},b`),
  )
  expect(lines(tailOf([0], [Date.UTC(2300, 0, 1)], 'date'), 'date')).toBeUndefined()
})

test('a whole number has no signed zero, as in the engine', () => {
  expect(lines(tailOf([0], [-0], 'integer'), 'integer')).toEqual(['A,1970-01-01T00:00:00,0,b'])
})

test('writes numbers in their shortest form', () => {
  let state = 5
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const columns: number[][] = [
    [0, 1, -1, 9, 10, 99, 100, 101, -1000],
    [0, -0.5, 0.01, 100.25, -100, 0.1],
    [0.000001, 1.000001, -0.00001, 1234.5],
    [2_147_483_647, -2_147_483_648, 0.01],
    [-0, 1],
    [1e21, 1e-7, -1.7976931348623157e308, 5e-324, 123456789012345680000, 1 / 3],
    [1e15, 1e15 + 2, 9_007_199_254_740_991],
  ]
  for (let round = 0; round < 200; round++) {
    const decimals = Math.floor(random() * 8)
    const size = 10 ** Math.floor(random() * 11)
    columns.push(Array.from({ length: 20 }, () => Number(((random() - 0.5) * size).toFixed(decimals))))
  }
  const cell = (value: number) => (Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e'))
  for (const values of columns) {
    const seconds = values.map((_, index) => index * 1000)
    expect(lines(tailOf(seconds, values, 'double'), 'double')).toEqual(
      values.map((value, index) => `A,${new Date(index * 1000).toISOString().slice(0, 19)},${cell(value)},b`),
    )
  }
})
