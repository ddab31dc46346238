import { tableFromIPC } from 'apache-arrow'
import { expect } from 'vitest'
import type {
  AnswerFormat,
  ColumnSpec,
  PointBatch,
  Selection,
  SeriesEngine,
  SeriesQuery,
  StageMode,
} from '../src/series-engine.ts'

/** A point as a spec writes it: its series, its moment as ISO text in UTC, and its values in the order of the columns. */
export type SpecPoint = readonly [sid: number, moment: string, ...values: (number | string | null)[]]

export type NamedColumn = ColumnSpec & { name: string }

/** One column of each type. */
export const price: NamedColumn = { id: 1, name: 'Price', type: 'double' }
export const volume: NamedColumn = { id: 2, name: 'Volume', type: 'integer' }
export const status: NamedColumn = { id: 3, name: 'Status', type: 'string' }
export const settled: NamedColumn = { id: 4, name: 'Settled', type: 'date' }

/** UTC milliseconds of an ISO text. */
export function ms(moment: string): number {
  return Date.parse(/[Z]$/.test(moment) ? moment : `${moment.length === 10 ? `${moment}T00:00` : moment}Z`)
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
    timestamps: Float64Array.from(points, ([, moment]) => ms(moment)),
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

/** The whole answer as bytes. */
export async function readBytes(engine: SeriesEngine, query: SeriesQuery): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await engine.query(query)).stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The lines of an NCSV answer, the header first. */
export async function readLines(
  engine: SeriesEngine,
  selections: readonly Selection[],
  rest: Partial<SeriesQuery> = {},
): Promise<string[]> {
  const text = (await readBytes(engine, { symbolKeys: ['Code'], selections, ...rest })).toString()
  return text.split('\n').slice(0, -1)
}

/** The lines of an NCSV answer, and how many rows it has before its limit. */
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

/** The members of JSON answers that specs look at. */
export interface JsonAnswer {
  symbols: unknown[]
  values: Record<string, unknown>[]
  statistics: Record<string, unknown>
  points?: { raw: number; drawn: number }
}

/** A JSON answer. */
export async function readJson(
  engine: SeriesEngine,
  selections: readonly Selection[],
  rest: Partial<SeriesQuery>,
): Promise<JsonAnswer> {
  const text = (await readBytes(engine, { symbolKeys: ['Code'], selections, ...rest })).toString()
  return JSON.parse(text) as JsonAnswer
}

const formats: readonly AnswerFormat[] = ['NCSV', 'STANDARD', 'UI', 'PANDAS', 'ARROW']

/**
 * How many values each format of an answer says to be empty as they are too large, in the order NCSV, STANDARD, UI, PANDAS, ARROW. Fails
 * where one of them has something else than numbers.
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
