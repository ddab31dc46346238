import type { SeriesLabel, SeriesQuery, ValueType } from './series-engine.ts'
import { formatCell } from './sql-text.ts'
import type { ValueSql } from './value-sql.ts'

/** A column of the answer. */
export interface AnswerColumn {
  name: string
  type: ValueType
}

/** How rows `label(n), sid, ts, age, v0, …` become the text of one format. */
export interface AnswerFormatter {
  contentType: string
  /** Texts that go with a series, made once per series. */
  labels(series: SeriesLabel, index: number): string[]
  /**
   * SQL of the answer's rows with its FORMAT; `rows` is a subquery with columns `label0…`, `ts`, `age`, `v0…`, in
   * order; `milliseconds` is SQL that is false if no `ts` has any.
   */
  wrap(rows: string, milliseconds: string): string
  /** Parameters `wrap` uses. */
  params: Record<string, readonly string[]>
  /** Order the rows must have before they are wrapped; undefined = as the query says. */
  rowOrder?: string
}

const suffixes: Record<ValueType, string> = { double: 'DB', integer: 'I', string: 'S', date: 'D' }

/** The first line of an NCSV answer. */
export function formatHeaderLine(query: SeriesQuery, columns: readonly AnswerColumn[]): string {
  const cells = [
    ...query.symbolKeys,
    `Date(${query.timeZone ?? 'UTC'})`,
    ...columns.map(({ name, type }) => (type === 'double' ? name : `${name}(${suffixes[type]})`)),
    ...(query.metadataColumns ?? []).map(({ name, type }) => `${name}(MD-${suffixes[type]})`),
    ...(query.corrections === 'history' ? ['InsertTime(D)'] : []),
  ]
  return `${cells.map(formatCell).join(',')}\n`
}

const rawLines =
  "format_custom_escaping_rule = 'Raw', format_custom_field_delimiter = ',', format_tsv_null_representation = '', formatdatetime_f_prints_scale_number_of_digits = 1"
/** In front of every row, the first one too: the engine knows of a row before only within a block. */
const listSeparator = ',\n'
const listItems = `FORMAT CustomSeparated SETTINGS ${rawLines}, format_custom_row_before_delimiter = ',\\n', format_custom_row_after_delimiter = ''`

/** The rows of a JSON format as the items of a list: without the separator in front of the first one. */
export async function* joinListItems(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let surplus = listSeparator.length
  for await (const chunk of rows) {
    const skipped = Math.min(surplus, chunk.length)
    surplus -= skipped
    yield skipped === 0 ? chunk : chunk.subarray(skipped)
  }
}

export function createNcsvFormatter(
  query: SeriesQuery,
  columns: readonly AnswerColumn[],
  values: ValueSql,
): AnswerFormatter {
  const metadataColumns = query.metadataColumns ?? []
  const cells = (milliseconds: string) => [
    ...(query.symbolKeys.length > 0 ? ['label0'] : []),
    values.timestampCell(values.timestamp('ts', milliseconds)),
    ...columns.map((column, index) => values.cell(`v${index}`, column.type)),
    ...(metadataColumns.length > 0 ? ['label1'] : []),
    ...(query.corrections === 'history' ? [values.timestampCell(values.timestamp(insertTime))] : []),
  ]
  return {
    contentType: 'text/csv; charset=utf-8',
    labels: (series) => [
      series.symbols.map(formatCell).join(','),
      ...(metadataColumns.length > 0
        ? [metadataColumns.map((_, index) => formatCell(series.metadata?.[index] ?? '')).join(',')]
        : []),
    ],
    wrap: (rows, milliseconds) =>
      `SELECT ${cells(milliseconds).join(', ')} FROM (${rows}) FORMAT CustomSeparated SETTINGS ${rawLines}, format_custom_row_after_delimiter = '\\n'`,
    params: {},
  }
}

export function createStandardFormatter(
  query: SeriesQuery,
  columns: readonly AnswerColumn[],
  values: ValueSql,
): AnswerFormatter {
  const members = (milliseconds: string) => [
    'label0',
    `'"Date":'`,
    ...values.timestampJson(values.timestamp('ts', milliseconds)),
    ...columns.flatMap((column, index) => [
      `{keys:Array(String)}[${index + 1}]`,
      values.json(`v${index}`, column.type, 'text'),
    ]),
    ...(query.corrections === 'history'
      ? [`',"InsertTime":'`, ...values.timestampJson(values.timestamp(insertTime))]
      : []),
    `'}'`,
  ]
  return {
    contentType: jsonType,
    labels: (series, index) => [
      `{"symbol":${index},${query.symbolKeys.map((key, at) => `${JSON.stringify(key)}:${JSON.stringify(series.symbols[at] ?? '')},`).join('')}`,
    ],
    wrap: (rows, milliseconds) =>
      `SELECT concat(${members(milliseconds).join(', ')}) FROM (${rows}) ${listItems}`,
    params: { keys: columns.map(({ name }) => `,${JSON.stringify(name)}:`) },
  }
}

export function createUiFormatter(
  query: SeriesQuery,
  columns: readonly AnswerColumn[],
  values: ValueSql,
): AnswerFormatter {
  const list = (expression: string) => `arrayStringConcat(groupArray(${expression}), ',')`
  const members = [
    'label0',
    `'"timestamps":['`,
    list('toString(toUnixTimestamp64Milli(ts))'),
    ...(query.corrections === 'history' ? [`'],"versions":['`, list('toString(intDiv(-age, 1000))')] : []),
    `'],"columns":{'`,
    ...columns.flatMap((column, index) => [
      `{keys:Array(String)}[${index + 1}]`,
      list(values.json(`v${index}`, column.type, 'milliseconds')),
      `']'`,
    ]),
    `'}}'`,
  ]
  return {
    contentType: jsonType,
    labels: (_, index) => [`{"symbol":${index},`],
    wrap: (rows) =>
      `SELECT concat(${members.join(', ')}) FROM (${rows}) GROUP BY label0 ORDER BY toUInt32OrZero(extract(label0, '[0-9]+')) ${listItems}, max_threads = 1`,
    params: { keys: columns.map(({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`) },
  }
}

export function createPandasFormatter(
  query: SeriesQuery,
  columns: readonly AnswerColumn[],
  values: ValueSql,
): AnswerFormatter {
  const cells = columns.map(
    (column, index) =>
      `if(isNull(v${index}), '', concat(label0, {keys:Array(String)}[${index + 1}], ${values.json(`v${index}`, column.type, 'text')}))`,
  )
  const row = `arrayStringConcat(arrayFilter(cell -> cell != '', [${cells.join(', ')}]), ',')`
  return {
    contentType: jsonType,
    labels: (series) => [
      JSON.stringify(`${series.symbols.filter((value) => value !== '').join('_')}_`).slice(0, -1),
    ],
    wrap: (rows) => {
      const direction = query.order === 'desc' ? ' DESC' : ''
      return `SELECT concat(${values.timestampJson('moment').join(', ')}, ':{', arrayStringConcat(groupArray(cells), ','), '}')
        FROM (SELECT ts, ${values.timestamp('ts')} AS moment, ${row} AS cells FROM (${rows}))
        GROUP BY moment ORDER BY min(ts)${direction} ${listItems}, max_threads = 1`
    },
    params: { keys: columns.map(({ name }) => `${JSON.stringify(name).slice(1)}:`) },
  }
}

const jsonType = 'application/json; charset=utf-8'
const insertTime = `fromUnixTimestamp64Milli(intDiv(-age, 1000), 'UTC')`
