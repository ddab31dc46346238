import {
  unionOfColumns,
  type PlainColumn,
  type PlainQuery,
  type PlainRow,
  type PlainTable,
} from './plain-table.ts'
import { combine, combinedColumns } from './plain-spans.ts'

/** A series of the result. */
export interface PlainSeries {
  /** Number of the selection. */
  selection: number
  /** Number of the series. */
  sid: number
  /** Values of the symbol keys. */
  symbols: readonly string[]
  /** Values of the metadata columns. */
  metadata?: readonly string[]
  /** Columns of the query that are requested of it. */
  requested: readonly PlainColumn[]
}

/** Returns the series of the result by number: the given ones without duplicates, or the combined ones. */
export function seriesOf(query: PlainQuery): PlainSeries[] {
  const series = query.selections.flatMap(({ series, columns }, selection) =>
    series
      .filter(({ sid }, index) => series.findIndex((other) => other.sid === sid) === index)
      .map((label) => ({ ...label, selection, requested: columns })),
  )
  if (!query.aggregate) return series
  return [...Map.groupBy(series, ({ symbols }) => JSON.stringify(symbols)).values()].map(
    (members, number) => ({
      selection: 0,
      sid: number,
      symbols: members[0]!.symbols,
      requested: members.flatMap(({ requested }) => requested),
    }),
  )
}

/** Returns the indexes of the columns of a series in column layout. */
export function columnIndexesOf({ requested }: PlainSeries, table: PlainTable, query: PlainQuery): number[] {
  const isSame = (a: PlainColumn) => (b: PlainColumn) => a.name === b.name && a.type === b.type
  if (!query.aggregate) return requested.map((column) => table.columns.findIndex(isSame(column)))
  const columns = unionOfColumns(query)
  const names = columns.map(({ name }) => name)
  const sources = combinedColumns(columns, names, query.aggregate.functions).map(({ at }) => columns[at]!)
  return sources.flatMap((source, index) => (requested.some(isSame(source)) ? [index] : []))
}

/** Combines the rows of series with the same symbols, timestamp by timestamp. */
export function aggregateRows(
  rows: readonly PlainRow[],
  query: PlainQuery,
  columns: readonly PlainColumn[],
  names: readonly (string | undefined)[],
): PlainTable {
  const combined = combinedColumns(columns, names, query.aggregate!.functions)
  const groups = seriesOf(query)
  const groupOf = (row: PlainRow) => {
    const own = query.selections[row.selection]!.series.find(({ sid }) => sid === row.sid)!
    return groups.findIndex(({ symbols }) => JSON.stringify(symbols) === JSON.stringify(own.symbols))
  }
  const together = Map.groupBy(rows, (row) => `${groupOf(row)} ${row.ts}`)
  return {
    columns: combined.map(({ name, type }) => ({ name, type })),
    rows: [...together].flatMap(([key, members]) => {
      const [sid, ts] = key.split(' ').map(Number) as [number, number]
      const values = combined.map(({ at, what }) =>
        combine(
          members.flatMap((row) => row.values[at] ?? []),
          what,
          columns[at]!.type,
        ),
      )
      const hasValue = values.some(
        (value, index) => value !== null && !(combined[index]!.what === 'count' && value === 0),
      )
      return hasValue ? [{ selection: 0, sid, ts, values }] : []
    }),
  }
}
