import { expect, test } from 'vitest'
import type { ColumnSpec } from '../src/series-upload.ts'
import { encodeBatches, noRows } from '../src/upload-blocks.ts'

const columns: ColumnSpec[] = [{ id: 1, type: 'date' }]
const startOf1900 = Date.UTC(1900, 0, 1)

/** Encodes one row for an engine that cannot store dates before an earliest one. */
async function encode(timestamp: number, value: number, earliest?: number): Promise<number> {
  const batches = [
    { sids: Uint32Array.of(1), timestamps: Float64Array.of(timestamp), values: [Float64Array.of(value)] },
  ]
  const seen = noRows()
  const options = {
    seen,
    tails: undefined,
    signal: undefined,
    ...(earliest === undefined ? {} : { earliest }),
  }
  for await (const block of encodeBatches(columns, batches, options)) expect(block.length).toBeGreaterThan(0)
  return seen.rows
}

test('accepts the years 1677 to 2299', async () => {
  const [first, last] = [Date.UTC(1677, 0, 1), Date.UTC(2299, 11, 31, 23, 59, 59, 999)]
  for (const timestamp of [first, last]) expect(await encode(timestamp, first)).toBe(1)
  for (const timestamp of [first - 1, last + 1])
    await expect(encode(timestamp, 0)).rejects.toThrow('whole milliseconds of the years 1677 to 2299')
})

test('rejects dates that the engine would clamp, with its limit', async () => {
  const message =
    'The ClickHouse server of this installation cannot store dates before 1900-01-01; the upload has 1899-12-31. Remove earlier dates, or upgrade the server.'
  for (const [timestamp, value] of [
    [startOf1900 - 1, 0],
    [0, startOf1900 - 1],
  ] as const) {
    await expect(encode(timestamp, value, startOf1900)).rejects.toThrow(message)
    expect(await encode(timestamp, value)).toBe(1)
  }
  expect(await encode(startOf1900, Number.NaN, startOf1900)).toBe(1)
})
