import { roundDecimal } from '@headwater/formula/testing'
import type { ValueType } from '../src/series-upload.ts'
import { columnIndexesOf, seriesOf, type PlainSeries } from './plain-aggregate.ts'
import { formatLocal, PlainZone } from './plain-calendar.ts'
import { numberText } from './plain-decimal.ts'
import {
  suffixes,
  unionOfColumns,
  uniqueNames,
  type PlainColumn,
  type PlainQuery,
  type PlainRow,
  type PlainTable,
  type PlainValue,
} from './plain-table.ts'

/** A table of typed cells as in NCSV and ARROW. */
export interface PlainSheet {
  /** `isStamp`: whether the date pattern of the query applies to the column. */
  columns: { name: string; header: string; type: ValueType; isStamp?: boolean }[]
  /** Cells by row. */
  rows: PlainValue[][]
}

/** Returns the sheet of a query, after `limit`. */
export function sheetOf(table: PlainTable, query: PlainQuery): PlainSheet {
  return query.layout === 'columns' ? sheetOfColumns(table, query) : sheetOfRows(table, query)
}

function sheetOfRows(table: PlainTable, query: PlainQuery): PlainSheet {
  const labels = seriesOf(query)
  const visible = visibleColumns(table, query)
  const originOf = originsOf(query)
  const columns: PlainSheet['columns'] = [
    ...query.symbolKeys.map((name) => ({ name, header: name, type: 'string' as const })),
    dateColumn(query),
    ...visible.map(({ name, type }) => ({ name, header: name + suffixes[type], type })),
    ...(query.metadataColumns ?? []).map(({ name, type }) => ({
      name,
      header: `${name}(MD-${{ double: 'DB', integer: 'I', string: 'S', date: 'D' }[type]})`,
      type: 'string' as const,
    })),
  ]
  if (query.versionTexts)
    columns.push({ name: query.versionTexts.name, header: `${query.versionTexts.name}(S)`, type: 'string' })
  if (query.corrections === 'history')
    columns.push({ name: 'InsertTime', header: 'InsertTime(D)', type: 'date', isStamp: true })
  const rows = pageOf(table.rows, query).map((row) => {
    const label = labels.find((other) => other.selection === row.selection && other.sid === row.sid)!
    return [
      ...query.symbolKeys.map((_, index) => label.symbols[index] ?? ''),
      row.ts,
      ...visible.map((column) => rounded(row.values[table.columns.indexOf(column)]!, column.type, query)),
      ...(query.metadataColumns ?? []).map((_, index) => label.metadata?.[index] || null),
      ...(query.versionTexts ? [originOf(row)] : []),
      ...(query.corrections === 'history' ? [Math.floor(row.ver! / 1000)] : []),
    ]
  })
  return { columns, rows }
}

function sheetOfColumns(table: PlainTable, query: PlainQuery): PlainSheet {
  const times = [...new Set(table.rows.map(({ ts }) => ts))].sort((a, b) =>
    query.order === 'desc' ? b - a : a - b,
  )
  const cellColumns = seriesOf(query)
    .sort((a, b) => a.selection - b.selection || a.sid - b.sid)
    .flatMap((series) => {
      const rows = table.rows.filter((row) => row.selection === series.selection && row.sid === series.sid)
      return columnIndexesOf(series, table, query).map((at) => ({
        name: [...series.symbols.filter((text) => text !== ''), table.columns[at]!.name].join('_'),
        type: table.columns[at]!.type,
        isCount: isCount(table.columns[at]!, query),
        cells: new Map(rows.map((row) => [row.ts, row.values[at] ?? null])),
      }))
    })
  const visible = cellColumns.filter(
    ({ cells, isCount }) =>
      !query.skipEmptyColumns ||
      [...cells.values()].some((value) => value !== null && !(isCount && value === 0)),
  )
  const used = new Set<string>()
  const columns = visible.map(({ name, type }) => {
    let unique = name
    for (let number = 2; used.has(unique); number++) unique = `${name}_${number}`
    used.add(unique)
    return { name: unique, header: unique + suffixes[type], type }
  })
  return {
    columns: [dateColumn(query), ...columns],
    rows: pageOf(times, query).map((ts) => [
      ts,
      ...visible.map(({ type, cells }) => rounded(cells.get(ts) ?? null, type, query)),
    ]),
  }
}

function dateColumn(query: PlainQuery): PlainSheet['columns'][number] {
  return { name: 'Date', header: `Date(${query.timeZone ?? 'UTC'})`, type: 'date', isStamp: true }
}

/** Returns the text of an NCSV result. */
export function ncsvOf(table: PlainTable, query: PlainQuery): string {
  const sheet = sheetOf(table, query)
  const timeText = timeTextOf(query)
  const valueText = timeTextOf({ ...query, dateFormat: undefined })
  const lines = sheet.rows.map((row) =>
    row
      .map((value, index) => {
        const { type, isStamp } = sheet.columns[index]!
        return cellOf(cellText(value, type, isStamp ? timeText : valueText))
      })
      .join(','),
  )
  return [sheet.columns.map(({ header }) => cellOf(header)).join(','), ...lines, ''].join('\n')
}

function cellText(value: PlainValue, type: ValueType, timeText: (ms: number) => string): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  return type === 'date' ? timeText(value) : numberText(value)
}

/** Formats text as a cell: quoted only if a reader would misread it. */
function cellOf(text: string): string {
  return /[",\r\n]|^[\s#]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns what `JSON.parse` must return for a result in a JSON format. */
export function jsonOf(table: PlainTable, query: PlainQuery): unknown {
  const labels = seriesOf(query)
  const visible = visibleColumns(table, query)
  const timeText = timeTextOf(query)
  const valueText = timeTextOf({ ...query, dateFormat: undefined })
  const page = pageOf(table.rows, query)
  const originOf = originsOf(query)
  const indexOf = (row: PlainRow) =>
    labels.findIndex(({ selection, sid }) => selection === row.selection && sid === row.sid)
  const valueOf = (row: PlainRow, column: PlainColumn) =>
    rounded(row.values[table.columns.indexOf(column)]!, column.type, query)
  const textOf = (row: PlainRow, column: PlainColumn) => {
    const value = valueOf(row, column)
    return value !== null && column.type === 'date' ? valueText(value as number) : value
  }
  const names = uniqueNames(visible)

  if (query.format === 'PANDAS') {
    const nameOf = pandasNames(labels, query)
    const rows = page.map((row) => ({
      text: timeText(row.ts),
      ts: row.ts,
      ver: (query.corrections ?? 'false') === 'false' ? 0 : row.ver!,
      cells: [
        ...visible.map((column, index): [string, PlainValue] => [names[index]!, textOf(row, column)]),
        ...(query.versionTexts ? [[query.versionTexts.name, originOf(row)] as [string, PlainValue]] : []),
      ].flatMap(([name, value]): [string, PlainValue][] =>
        value === null ? [] : [[nameOf(indexOf(row), name), value]],
      ),
    }))
    const data: Record<string, Record<string, PlainValue>> = {}
    for (const [text, same] of Map.groupBy(rows, (row) => row.text)) {
      const cells = same.flatMap((row) => row.cells)
      const isClear = new Set(cells.map(([name]) => name)).size === cells.length
      const instants = Map.groupBy(
        same.sort((a, b) => (a.ts - b.ts) * (query.order === 'desc' ? -1 : 1) || a.ver - b.ver),
        (row) => (isClear ? '' : `${row.ts} ${row.ver}`),
      )
      for (const [number, instant] of [...instants.values()].entries())
        data[number === 0 ? text : `${text}_${number + 1}`] = Object.fromEntries(
          instant.flatMap((row) => row.cells),
        )
    }
    return { data }
  }

  const result: Record<string, unknown> = {
    symbols: labels.map(({ symbols }) => namedTexts(query.symbolKeys, symbols)),
    metadataMap: Object.fromEntries(
      labels.flatMap(({ metadata = [] }, index) => {
        const named = namedTexts(
          (query.metadataColumns ?? []).map(({ name }) => name),
          metadata,
        )
        return Object.keys(named).length === 0 ? [] : [[index, named]]
      }),
    ),
    statistics: query.statistics ? statisticsOf(table, visible, names, indexOf) : {},
  }
  if (query.format === 'STANDARD') {
    result.values = page.map((row) => ({
      symbol: indexOf(row),
      ...Object.fromEntries(
        query.symbolKeys.map((key, index) => [key, labels[indexOf(row)]!.symbols[index] ?? '']),
      ),
      Date: timeText(row.ts),
      ...Object.fromEntries(visible.map((column, index) => [names[index]!, textOf(row, column)])),
      ...(query.versionTexts ? { [query.versionTexts.name]: originOf(row) } : {}),
      ...(query.corrections === 'history' ? { InsertTime: timeText(Math.floor(row.ver! / 1000)) } : {}),
    }))
  } else {
    const groups = Map.groupBy(page, indexOf)
    result.values = [...groups]
      .sort(([a], [b]) => a - b)
      .map(([symbol, rows]) => ({
        symbol,
        timestamps: rows.map(({ ts }) => ts),
        ...(query.corrections === 'history'
          ? { versions: rows.map(({ ver }) => Math.floor(ver! / 1000)) }
          : {}),
        columns: {
          ...Object.fromEntries(
            visible.map((column, index) => [names[index]!, rows.map((row) => valueOf(row, column))]),
          ),
          ...(query.versionTexts ? { [query.versionTexts.name]: rows.map(originOf) } : {}),
        },
      }))
  }
  if (query.repeatAsData ?? query.format === 'STANDARD') result.data = result.values
  return result
}

/** Returns the version text of a row; computed points have none. */
function originsOf(query: PlainQuery): (row: PlainRow) => string | null {
  const texts = new Map(query.versionTexts?.texts)
  return ({ ver, selection }) =>
    ver === undefined || query.selections[selection]!.formula ? null : texts.get(ver) || null
}

/** Names a column of a series: names of a later series that are taken get a suffix. */
function pandasNames(
  labels: readonly PlainSeries[],
  query: PlainQuery,
): (series: number, column: string) => string {
  const union = unionOfColumns(query)
  const signed = uniqueNames(union)
  const taken = new Set<string>()
  const endings: string[] = []
  const plainName = (series: number, column: string) =>
    [...labels[series]!.symbols.filter((text) => text !== ''), column].join('_')
  for (const [series, { requested }] of labels.entries()) {
    const own = union.flatMap((column, index) => {
      if (!requested.some(({ name, type }) => name === column.name && type === column.type)) return []
      return query.skipEmptyColumns ? [signed[index]!, column.name] : [signed[index]!]
    })
    const origin = query.versionTexts ? [query.versionTexts.name] : []
    const names = [...own, ...origin].map((column) => plainName(series, column))
    let ending = ''
    for (let number = 2; names.some((name) => taken.has(name + ending)); number++) ending = `_${number}`
    for (const name of names) taken.add(name + ending)
    endings.push(ending)
  }
  return (series, column) => plainName(series, column) + endings[series]
}

function statisticsOf(
  table: PlainTable,
  visible: readonly PlainColumn[],
  names: readonly string[],
  indexOf: (row: PlainRow) => number,
): unknown {
  const groups = Map.groupBy(table.rows, indexOf)
  return Object.fromEntries(
    [...groups].map(([symbol, rows]) => {
      const inTime = [...rows].sort((a, b) => a.ts - b.ts || (a.ver ?? 0) - (b.ver ?? 0))
      const times = inTime.map(({ ts }) => ts)
      const columns = visible.flatMap((column, index) => {
        if (column.type !== 'double' && column.type !== 'integer') return []
        const at = table.columns.indexOf(column)
        const values = inTime.flatMap(({ values: all }) => (all[at] === null ? [] : [Number(all[at])]))
        return [[names[index]!, numbersOf(values)]]
      })
      return [
        symbol,
        { first: times[0], last: times.at(-1), count: rows.length, columns: Object.fromEntries(columns) },
      ]
    }),
  )
}

function numbersOf(values: readonly number[]): unknown {
  const count = values.length
  if (count === 0)
    return { count, min: null, max: null, mean: null, sum: null, stddev: null, first: null, last: null }
  // Relative to the first value, so that equal values have no deviation, even if they are large.
  const offsets = values.map((value) => value - values[0]!)
  const meanOffset = offsets.reduce((total, offset) => total + offset, 0) / count
  const squares = offsets.reduce((total, offset) => total + (offset - meanOffset) ** 2, 0)
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    count,
    min: Math.min(...values),
    max: Math.max(...values),
    mean: values[0]! + meanOffset,
    sum,
    stddev: count < 2 ? null : Math.sqrt(squares / (count - 1)),
    first: values[0],
    last: values.at(-1),
  }
}

function namedTexts(names: readonly string[], texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name, index) => (texts[index] ? [[name, texts[index]]] : [])))
}

function visibleColumns(table: PlainTable, query: PlainQuery): PlainColumn[] {
  if (!query.skipEmptyColumns) return table.columns
  return table.columns.filter((column, index) =>
    table.rows.some(
      ({ values }) => values[index] !== null && !(isCount(column, query) && values[index] === 0),
    ),
  )
}

function isCount({ name }: PlainColumn, { resample, aggregate }: PlainQuery): boolean {
  return (resample ?? aggregate) !== undefined && name.endsWith('_count')
}

function pageOf<T>(rows: readonly T[], { offset = 0, limit }: PlainQuery): readonly T[] {
  return rows.slice(offset, limit === undefined ? undefined : offset + limit)
}

function rounded(value: PlainValue, type: ValueType, query: PlainQuery): PlainValue {
  if (typeof value !== 'number' || type !== 'double' || query.decimalPrecision === undefined) return value
  return roundDecimal(value, query.decimalPrecision, query.roundingMode ?? 'HALF_UP')
}

function timeTextOf(query: PlainQuery): (ms: number) => string {
  const zone = new PlainZone(query.timeZone ?? 'UTC')
  return (ms) => formatLocal(zone.toLocal(ms), query.dateFormat)
}
