import {
  unionOfColumns,
  type PlainColumn,
  type PlainQuery,
  type PlainRow,
  type PlainTable,
} from './plain-table.ts'
import { combine, combinedColumns } from './plain-spans.ts'

/** A series of the response. */
export interface PlainSeries {
  /** As rows name it. */
  selection: number
  sid: number
  symbols: readonly string[]
  metadata?: readonly string[]
  /** The columns of the query that are asked of it. */
  asked: readonly PlainColumn[]
}

/** The series of the response by their number: as they are given, each once, or as they are combined. */
export function seriesOf(query: PlainQuery): PlainSeries[] {
  const series = query.selections.flatMap(({ series, columns }, selection) =>
    series
      .filter(({ sid }, index) => series.findIndex((other) => other.sid === sid) === index)
      .map((label) => ({ ...label, selection, asked: columns })),
  )
  if (!query.aggregate) return series
  return [...Map.groupBy(series, ({ symbols }) => JSON.stringify(symbols)).values()].map(
    (members, number) => ({
      selection: 0,
      sid: number,
      symbols: members[0]!.symbols,
      asked: members.flatMap(({ asked }) => asked),
    }),
  )
}

/** The columns of a series in the layout of columns, by their place in the table. */
export function placesOf({ asked }: PlainSeries, table: PlainTable, query: PlainQuery): number[] {
  const isSame = (a: PlainColumn) => (b: PlainColumn) => a.name === b.name && a.type === b.type
  if (!query.aggregate) return asked.map((column) => table.columns.findIndex(isSame(column)))
  const columns = unionOfColumns(query)
  const names = columns.map(({ name }) => name)
  const sources = combinedColumns(columns, names, query.aggregate.functions).map(({ at }) => columns[at]!)
  return sources.flatMap((source, place) => (asked.some(isSame(source)) ? [place] : []))
}

/** The rows of series with the same symbols combined, timestamp by timestamp. */
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
        (value, place) => value !== null && !(combined[place]!.what === 'count' && value === 0),
      )
      return hasValue ? [{ selection: 0, sid, ts, values }] : []
    }),
  }
}
