import { expect, test } from 'vitest'
import { PointPacker, PointUnpacker, unpackPoints } from '../src/packed-points.ts'

const dayMs = 86_400_000

function pack(timestamps: readonly number[], ...values: (readonly number[])[]) {
  const packer = new PointPacker(1000)
  return packer.pack(
    Float64Array.from(timestamps),
    values.map((column) => Float64Array.from(column)),
    timestamps.length,
  )
}

function expectSame(timestamps: readonly number[], ...values: (readonly number[])[]): number {
  const packed = pack(timestamps, ...values)
  const points = unpackPoints(packed, values.length)
  expect([...points.timestamps]).toEqual(timestamps)
  for (const [index, column] of values.entries()) expect([...points.values[index]!]).toEqual(column)
  return packed.bytes.length
}

const days = (count: number) => Array.from({ length: count }, (_, index) => index * dayMs)

test('packs prices of working days into two bytes per value, to the last bit', () => {
  const workingDays = days(700).filter((_, index) => index % 7 < 5)
  const prices = workingDays.map((_, index) => Math.round(2000 + 500 * Math.sin(index)) / 100)
  expect(expectSame(workingDays, prices)).toBeLessThan(workingDays.length * 3 + 40)
})

test('unpacks values of every kind: missing, negative, large and tiny ones, signed zeros, many decimals', () => {
  const { NaN: none, MAX_VALUE, MIN_VALUE, MAX_SAFE_INTEGER } = Number
  for (const column of [
    [none, none, none],
    [none, 1.5, none],
    [-0.01, 0, 0.01],
    [0, -0, 1],
    [MAX_VALUE, MIN_VALUE, -MAX_VALUE],
    [MAX_SAFE_INTEGER, 0, -MAX_SAFE_INTEGER],
    [0.1 + 0.2, 1 / 3, 1e-7],
    [127, 0, -128],
    [0, 32_767, -1],
    [0, 32_768, 0],
    [0, -32_768, 0],
    [0, 2_147_483_647, 0],
    [0, 2_147_483_648, 0],
    [1e15, 1e15 + 1, 1e15 + 2],
    [1.000001, 1.1, 100_000.000001],
  ])
    expectSame(days(3), column)
})

test('unpacks timestamps of every kind: evenly spaced, with gaps, with milliseconds, a single one, centuries apart', () => {
  const from = Date.UTC(1677, 0, 1)
  const to = Date.UTC(2299, 11, 31, 23, 59, 59, 999)
  for (const timestamps of [
    [0],
    [from, to],
    [from, from + 1, to],
    [from, 0, to],
    [0, 60_000, 120_000, 240_000],
    [1, 3, 8],
    [0, 1, 1 + 2_147_483_648],
    [-5000, -4000, -2999],
  ])
    expectSame(
      timestamps,
      timestamps.map((_, index) => index),
    )
})

test('unpacks random columns regardless of the previous content of the memory', () => {
  let state = 1
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const packer = new PointPacker(50)
  for (let round = 0; round < 500; round++) {
    const count = 1 + Math.floor(random() * 50)
    const decimals = Math.floor(random() * 9)
    const size = 10 ** Math.floor(random() * 12)
    const values = [0, 1].map(() =>
      Float64Array.from({ length: count }, () =>
        random() < 0.1 ? Number.NaN : Number(((random() - 0.5) * size).toFixed(decimals)),
      ),
    )
    let instant = 0
    const timestamps = Float64Array.from(
      { length: count },
      () => (instant += 1 + Math.floor(random() * size)),
    )
    const packed = packer.pack(timestamps, values, count)
    expect(unpackPoints(packed, 2)).toEqual({ timestamps, values })
  }
})

test('represents a value with few decimals as a whole number', () => {
  const unpacker = new PointUnpacker(pack(days(2), [1.25, -0.5]))
  unpacker.timestamps()
  expect(unpacker.column()).toEqual({ decimals: 2, numbers: Float64Array.of(125, -50) })
})
