import { tableFromIPC } from 'apache-arrow'
import { expect } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { ResultFormat, Selection, SeriesQuery } from '../src/series-query.ts'
import type { ColumnSpec, PointBatch, StageMode } from '../src/series-upload.ts'

/** A point in a spec: its series, its timestamp as ISO text in UTC, and its values in the order of the columns. */
export type SpecPoint = readonly [sid: number, instant: string, ...values: (number | string | null)[]]

/** A column with its name in the result. */
export type NamedColumn = ColumnSpec & { name: string }

/** One column of each type. */
export const price: NamedColumn = { id: 1, name: 'Price', type: 'double' }
export const volume: NamedColumn = { id: 2, name: 'Volume', type: 'integer' }
export const status: NamedColumn = { id: 3, name: 'Status', type: 'string' }
export const settled: NamedColumn = { id: 4, name: 'Settled', type: 'date' }

/** Parses an ISO text to UTC milliseconds. */
export function ms(instant: string): number {
  return Date.parse(
    /[Z]$/.test(instant) ? instant : `${instant.length === 10 ? `${instant}T00:00` : instant}Z`,
  )
}

/** Stores points as one version of a dataset. */
export async function storePoints(
  engine: SeriesEngine,
  dataset: number,
  version: number,
  columns: readonly ColumnSpec[],
  points: readonly SpecPoint[],
  mode?: StageMode,
): Promise<void> {
  const batch: PointBatch = {
    sids: Uint32Array.from(points, ([sid]) => sid),
    timestamps: Float64Array.from(points, ([, instant]) => ms(instant)),
    values: columns.map(({ type }, index) => {
      const values = points.map((point) => point[index + 2] ?? null)
      return type === 'string'
        ? (values as (string | null)[])
        : Float64Array.from(values, (value) => (value === null ? Number.NaN : (value as number)))
    }),
  }
  await engine.stage({ dataset, version, columns, batches: [batch], ...(mode ? { mode } : {}) })
  await engine.publish(dataset, version)
}

/** Series of a dataset, each with the symbol `S<sid>`. */
export function pick(
  dataset: number,
  sids: readonly number[],
  columns: readonly NamedColumn[],
  rest: Partial<Selection> = {},
): Selection {
  return { dataset, series: sids.map((sid) => ({ sid, symbols: [`S${sid}`] })), columns, ...rest }
}

/** Returns the whole result as bytes. */
export async function readBytes(engine: SeriesEngine, query: SeriesQuery): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await engine.query(query)).stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the lines of an NCSV result, the header first. */
export async function readLines(
  engine: SeriesEngine,
  selections: readonly Selection[],
  rest: Partial<SeriesQuery> = {},
): Promise<string[]> {
  const text = (await readBytes(engine, { symbolKeys: ['Code'], selections, ...rest })).toString()
  return text.split('\n').slice(0, -1)
}

/** Returns the lines of an NCSV result, and its number of rows before the limit. */
export async function readCounted(
  engine: SeriesEngine,
  selections: readonly Selection[],
  rest: Partial<SeriesQuery>,
): Promise<{ lines: string[]; totalRows: number | undefined }> {
  const { stream, totalRows } = await engine.query({ symbolKeys: ['Code'], selections, ...rest })
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(new Uint8Array(chunk))
  return { lines: Buffer.concat(chunks).toString().split('\n').slice(0, -1), totalRows }
}

/** Members of JSON results that specs check. */
export interface JsonResult {
  symbols: unknown[]
  values: Record<string, unknown>[]
  statistics: Record<string, unknown>
  points?: { raw: number; drawn: number }
}

/** Returns a JSON result. */
export async function readJson(
  engine: SeriesEngine,
  selections: readonly Selection[],
  rest: Partial<SeriesQuery>,
): Promise<JsonResult> {
  const text = (await readBytes(engine, { symbolKeys: ['Code'], selections, ...rest })).toString()
  return JSON.parse(text) as JsonResult
}

const formats: readonly ResultFormat[] = ['NCSV', 'STANDARD', 'UI', 'PANDAS', 'ARROW']

/**
 * Returns the number of out-of-range values per format of a result, in the order NCSV, STANDARD, UI,
 * PANDAS, ARROW. Fails if one of them contains anything but numbers.
 */
export async function overflowsOf(
  engine: SeriesEngine,
  selections: readonly Selection[],
  rest: Partial<SeriesQuery> = {},
): Promise<number[]> {
  return Promise.all(
    formats.map(async (format) => {
      const { stream, overflows = 0 } = await engine.query({
        symbolKeys: ['Code'],
        selections,
        format,
        ...rest,
      })
      const chunks: Uint8Array[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      if (format === 'NCSV') expect(bytes.toString()).not.toMatch(/inf|nan/i)
      else if (format !== 'ARROW') JSON.parse(bytes.toString())
      else
        for (const row of tableFromIPC(bytes))
          for (const value of Object.values(row.toJSON()))
            if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite)
      return overflows
    }),
  )
}
