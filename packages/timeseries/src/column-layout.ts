import { formatHeaderLine, listItems, rawLines, type ResultColumn } from './result-format.ts'
import { preserveOrder, limitOf, positionSql, rowsSql, type RowQuery } from './result-rows.ts'
import { arrowSql } from './arrow-format.ts'
import { nonEmptySql } from './skip-empty.ts'
import type { SeriesLabel } from './query-result.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { ValueType } from './series-upload.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { textArray, usedParams } from './sql-params.ts'
import { uniqueNames } from './unique-names.ts'
import { createValueSql } from './value-sql.ts'

const maxCells = 2000

/** A column of the result: one column of one series. */
export interface CellColumn {
  /** Number of the series in the result. */
  series: number
  /** Index among the columns of all selections. */
  column: number
  /** Name in the result. */
  name: string
  /** Type of its values. */
  type: ValueType
}

/** Collects the columns of a result in column layout. */
export class CellColumns {
  readonly #columns: readonly ResultColumn[]
  readonly #entries: {
    selectionIndex: number
    sid: number
    series: number
    label: string
    columns: number[]
  }[] = []
  #count = 0

  /** @param columns columns of all selections */
  constructor(columns: readonly ResultColumn[]) {
    this.#columns = columns
  }

  /**
   * Adds the requested columns of a series.
   * @throws SeriesEngineError `too-large` for more columns than a result can have
   */
  add(series: SeriesLabel, index: number, selectionIndex: number, requested: readonly ResultColumn[]): void {
    const columns = requested.map(({ name, type }) =>
      this.#columns.findIndex((column) => column.name === name && column.type === type),
    )
    this.#count += columns.length
    if (this.#count > maxCells) {
      throw new SeriesEngineError(
        'too-large',
        `In column layout, the result would have more than ${maxCells} value columns. Request fewer series, or rows.`,
      )
    }
    const label = series.symbols.filter((value) => value !== '').join('_')
    this.#entries.push({ selectionIndex, sid: series.sid, series: index, label, columns })
  }

  /** Returns the columns in the order of the result. */
  all(): CellColumn[] {
    const ordered = this.#entries.toSorted((a, b) => a.selectionIndex - b.selectionIndex || a.sid - b.sid)
    const cells = ordered.flatMap(({ series, label, columns }) =>
      columns.map((column) => {
        const { name, type } = this.#columns[column]!
        return { series, column, name: label === '' ? name : `${label}_${name}`, type }
      }),
    )
    const names = uniqueNames(cells.map(({ name }) => name))
    return cells.map((cell, index) => ({ ...cell, name: names[index]! }))
  }
}

/** Returns the columns that have a value anywhere in the result. */
export async function skipEmptyCells(
  connection: SqlConnection,
  rowQuery: RowQuery,
  cells: readonly CellColumn[],
  params: SqlParams,
): Promise<CellColumn[]> {
  if (cells.length === 0) return []
  const isFilled = nonEmptySql(rowQuery).map((hasValue, index) => `max(${hasValue}) AS has${index}`)
  const points = rowsSql({ ...rowQuery, isUnordered: true, keepsOverflows: true })
  const sql = `SELECT toFloat64(series) AS series, ${isFilled.join(', ')}
    FROM (SELECT ${positionSql(rowQuery)} AS series, * FROM (${points})) GROUP BY series`
  const rows = await connection.rows(sql, usedParams(sql, params))
  const bySeries = new Map(rows.map((row) => [Number(row.series), row]))
  return cells.filter(({ series, column }) => Boolean(bySeries.get(series)?.[`has${column}`]))
}

/** The statement of a result in column layout. */
export interface ColumnResult {
  /** Parts of the statement. */
  sql: [string]
  /** Parameters of the statement. */
  params: SqlParams
  /** Header line of NCSV. */
  header: string
  /** Column names of ARROW. */
  arrowNames: readonly string[]
}

/** Builds a result with a row per timestamp and the given columns. */
export function buildColumnResult(
  rowQuery: RowQuery,
  cells: readonly CellColumn[],
  milliseconds: string,
): ColumnResult {
  const { query } = rowQuery
  const values = createValueSql(query)
  const header = formatHeaderLine(
    { ...query, symbolKeys: [], metadataColumns: [], versionTexts: undefined },
    cells,
  )
  const memberNames = uniqueNames(['Date', ...cells.map(({ name }) => name)])
  if (query.format === 'ARROW') {
    return { sql: [arrowStatement(rowQuery, cells)], params: {}, header, arrowNames: memberNames }
  }
  const isJson = query.format === 'STANDARD'
  const texts = rowQuery.columns.map(({ type }, index) =>
    isJson
      ? values.json(`v${index}`, type, 'text')
      : `ifNull(toString(${values.cell(`v${index}`, type)}), '')`,
  )
  const entries = texts.map((text, index) => `(${index}, if(isNull(v${index}), '', ${text}))`)
  const grouped = groupedSql(rowQuery, cells, `[${entries.join(', ')}]`, [
    `groupArrayInsertAt('', ${cells.length})(cell.2, position) AS texts`,
  ])
  const timestamp = values.timestamp('ts', milliseconds)
  if (!isJson) {
    const sql = `SELECT ${values.timestampCell(timestamp)}${cells.length === 0 ? '' : `, arrayStringConcat(texts, ',')`} FROM (${grouped}) FORMAT CustomSeparated SETTINGS ${rawLines}, format_custom_row_after_delimiter = '\\n', ${preserveOrder}`
    return { sql: [sql], params: {}, header, arrowNames: memberNames }
  }
  const keys = textArray(
    'cellKeys',
    memberNames.slice(1).map((name) => `,${JSON.stringify(name)}:`),
  )
  const row = [
    `'{"Date":'`,
    ...values.timestampJson(timestamp),
    `arrayStringConcat(arrayMap((key, text) -> concat(key, if(text = '', 'null', text)), ${keys.sql}, texts))`,
    `'}'`,
  ]
  const sql = `SELECT concat(${row.join(', ')}) FROM (${grouped}) ${listItems}, ${preserveOrder}`
  return { sql: [sql], params: keys.params, header, arrowNames: memberNames }
}

/**
 * Builds SQL with a row for each `ts`. It aggregates over `cell`, which begins with the column, and `position`, the index of
 * the cell in the result.
 */
function groupedSql(
  rowQuery: RowQuery,
  cells: readonly CellColumn[],
  entries: string,
  aggregates: readonly string[],
): string {
  if (cells.length === 0) return `SELECT now64(3) AS ts, CAST([] AS Array(String)) AS texts WHERE 0`
  const width = rowQuery.columns.length
  const numbers = cells.map(({ series, column }) => series * width + column).join(', ')
  const positions = cells.map((_, index) => index).join(', ')
  const position = `transform(series * ${width} + cell.1, CAST([${numbers}] AS Array(UInt64)), CAST([${positions}] AS Array(UInt16)), toUInt16(65535))`
  const spread = `SELECT ts, toUInt64(${positionSql(rowQuery)}) AS series, arrayJoin(${entries}) AS cell FROM (${rowsSql(rowQuery)})`
  const positioned = `SELECT ts, cell, ${position} AS position FROM (${spread})`
  const direction = rowQuery.query.order === 'desc' ? ' DESC' : ''
  return `SELECT ts, ${aggregates.join(', ')} FROM (${positioned}) WHERE position < 65535 GROUP BY ts ORDER BY ts${direction}${limitOf(rowQuery.query)}`
}

/** Aggregates that collect the values of each type. A value that cannot be stored represents an empty value. */
const gathered: Record<
  ValueType,
  { part: number; sql: string; none: string; value: (item: string) => string }
> = {
  double: { part: 2, sql: 'nan', none: 'isNaN', value: (item) => item },
  integer: {
    part: 3,
    sql: 'toInt64(-9223372036854775808)',
    none: '-9223372036854775808 =',
    value: (item) => item,
  },
  string: { part: 4, sql: `''`, none: `'' =`, value: (item) => item },
  date: {
    part: 5,
    sql: 'toInt64(-9223372036854775808)',
    none: '-9223372036854775808 =',
    value: (item) => `fromUnixTimestamp64Milli(${item}, {zone:String})`,
  },
}

function arrowStatement(rowQuery: RowQuery, cells: readonly CellColumn[]): string {
  const values = createValueSql(rowQuery.query)
  const types = (Object.keys(gathered) as ValueType[]).filter((type) =>
    cells.some((cell) => cell.type === type),
  )
  const entries = rowQuery.columns.map(({ type }, index) => {
    const value = `v${index}`
    const parts = [
      type === 'double' ? values.number(value, type) : 'NULL',
      type === 'integer' ? value : 'NULL',
      type === 'string' ? value : 'NULL',
      type === 'date' ? `toUnixTimestamp64Milli(${value})` : 'NULL',
    ]
    const names = ['Float64', 'Int64', 'String', 'Int64']
    return `tuple(${[index, ...parts.map((part, at) => `CAST(${part} AS Nullable(${names[at]}))`)].join(', ')})`
  })
  const aggregates = types.map((type) => {
    const { part, sql } = gathered[type]
    return `groupArrayInsertAtIf(${sql}, ${cells.length})(assumeNotNull(cell.${part}), position, isNotNull(cell.${part})) AS ${type}s`
  })
  const grouped = groupedSql(rowQuery, cells, `[${entries.join(', ')}]`, aggregates)
  const columns = cells.map(({ type, name }, index) => {
    const item = `${type}s[${index + 1}]`
    const { none, value } = gathered[type]
    const isNone = none.endsWith('=') ? `${none} ${item}` : `${none}(${item})`
    return { name, sql: `if(${isNone}, NULL, ${value(item)})` }
  })
  const date = { name: 'Date', sql: 'toTimeZone(ts, {zone:String})' }
  return `${arrowSql([date, ...columns], grouped)}, ${preserveOrder}`
}
