import type { SeriesLabel, SeriesQuery, ValueType } from '../src/series-engine.ts'

export type PlainValue = number | string | null

/** A question whose series are a list, so that it can be asked of several engines and printed. */
export type PlainQuery = Omit<SeriesQuery, 'selections' | 'versionTexts'> & {
  selections: readonly (Omit<SeriesQuery['selections'][number], 'series'> & {
    series: readonly SeriesLabel[]
  })[]
  versionTexts?: { name: string; texts: readonly (readonly [number, string])[] }
}

/** A column of the answer. */
export interface PlainColumn {
  name: string
  type: ValueType
}

/** A row of the answer before it becomes text. */
export interface PlainRow {
  /** Number of the selection it belongs to. */
  selection: number
  sid: number
  ts: number
  /** The version it shows; undefined in a row that is filled in. */
  ver?: number
  /** By column of the answer. */
  values: PlainValue[]
}

/** All rows of an answer before `limit`, `layout` and `drawPoints`, in their order. */
export interface PlainTable {
  columns: PlainColumn[]
  rows: PlainRow[]
}

/** Suffix of a column name in NCSV. */
export const suffixes: Record<ValueType, string> = { double: '', integer: '(I)', string: '(S)', date: '(D)' }

/** Names of columns in JSON and Arrow: a name that was used gets its type behind it. */
export function uniqueNames(columns: readonly PlainColumn[]): string[] {
  return columns.map(({ name, type }, index) =>
    columns.slice(0, index).some((other) => other.name === name) ? name + (suffixes[type] || '(DB)') : name,
  )
}

/** Columns of all selections, each name and type once, in the order of first appearance. */
export function unionOfColumns(query: PlainQuery): PlainColumn[] {
  const columns: PlainColumn[] = []
  for (const { name, type } of query.selections.flatMap((selection) => selection.columns)) {
    if (!columns.some((column) => column.name === name && column.type === type)) columns.push({ name, type })
  }
  return columns
}
