import type { SeriesLabel } from '../src/query-result.ts'
import type { SeriesQuery } from '../src/series-query.ts'
import type { ValueType } from '../src/series-upload.ts'

/** A value; null is empty. */
export type PlainValue = number | string | null

/** A query whose series are lists, so that it can be sent to several engines and printed. */
export type PlainQuery = Omit<SeriesQuery, 'selections' | 'versionTexts'> & {
  selections: readonly (Omit<SeriesQuery['selections'][number], 'series'> & {
    series: readonly SeriesLabel[]
  })[]
  versionTexts?: { name: string; texts: readonly (readonly [number, string])[] }
}

/** A column of the result. */
export interface PlainColumn {
  /** Name of the column. */
  name: string
  /** Type of its values. */
  type: ValueType
}

/** A row of the result before it is formatted. */
export interface PlainRow {
  /** Number of its selection. */
  selection: number
  /** Number of its series. */
  sid: number
  /** UTC milliseconds. */
  ts: number
  /** Its version; undefined for a filled row. */
  ver?: number
  /** By column of the result. */
  values: PlainValue[]
}

/** All rows of a result before `limit`, `layout` and `drawPoints`, in order. */
export interface PlainTable {
  /** Columns of the result. */
  columns: PlainColumn[]
  /** Rows of the result. */
  rows: PlainRow[]
}

/** Suffix of a column name in NCSV. */
export const suffixes: Record<ValueType, string> = { double: '', integer: '(I)', string: '(S)', date: '(D)' }

/** Returns the names of columns in JSON and Arrow: a repeated name gets its type as a suffix. */
export function uniqueNames(columns: readonly PlainColumn[]): string[] {
  return columns.map(({ name, type }, index) =>
    columns.slice(0, index).some((other) => other.name === name) ? name + (suffixes[type] || '(DB)') : name,
  )
}

/** Returns the columns of all selections, each name and type once, in the order of first appearance. */
export function unionOfColumns(query: PlainQuery): PlainColumn[] {
  const columns: PlainColumn[] = []
  for (const { name, type } of query.selections.flatMap((selection) => selection.columns)) {
    if (!columns.some((column) => column.name === name && column.type === type)) columns.push({ name, type })
  }
  return columns
}
