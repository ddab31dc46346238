import type { SeriesLabel, SeriesQuery, ValueType } from './series-engine.ts'
import { createArrowFormatter } from './arrow-format.ts'
import { formatCell } from './sql-text.ts'
import { createValueSql, type ValueSql } from './value-sql.ts'

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
  /** The text of a version as it stands in a row. */
  versionText(this: void, text: string): string
  /**
   * SQL of the answer's rows with its FORMAT.
   * @param rows a subquery with columns `label0…`, `ts`, `age`, `v0…`, in order
   * @param facts.milliseconds SQL that is false if no `ts` has any
   * @param facts.versionText SQL of the text of the version of a row, empty where it has none; only where it is asked for
   */
  wrap(this: void, rows: string, facts: { milliseconds: string; versionText?: string | undefined }): string
  /** ARROW: names of the columns. */
  arrowNames?: readonly string[]
  /** Parameters `wrap` uses. */
  params: Record<string, readonly string[]>
}

/** Sign of a type in the header of NCSV. */
export const suffixes: Record<ValueType, string> = { double: 'DB', integer: 'I', string: 'S', date: 'D' }

/** The first line of an NCSV answer. */
export function formatHeaderLine(query: SeriesQuery, columns: readonly AnswerColumn[]): string {
  const cells = [
    ...query.symbolKeys,
    `Date(${query.timeZone ?? 'UTC'})`,
    ...columns.map(({ name, type }) => (type === 'double' ? name : `${name}(${suffixes[type]})`)),
    ...(query.metadataColumns ?? []).map(({ name, type }) => `${name}(MD-${suffixes[type]})`),
    ...(query.versionTexts ? [`${query.versionTexts.name}(S)`] : []),
    ...(query.corrections === 'history' ? ['InsertTime(D)'] : []),
  ]
  return `${cells.map(formatCell).join(',')}\n`
}

/** How an answer is written in the format of its question. */
export function createFormatter(query: SeriesQuery, columns: readonly AnswerColumn[]): AnswerFormatter {
  const values = createValueSql(query)
  switch (query.format ?? 'NCSV') {
    case 'NCSV':
      return createNcsvFormatter(query, columns, values)
    case 'STANDARD':
      return createStandardFormatter(query, columns, values)
    case 'UI':
      return createUiFormatter(query, columns, values)
    case 'PANDAS':
      return createPandasFormatter(query, columns, values)
    case 'ARROW':
      return createArrowFormatter(query, columns, values)
  }
}

/** Settings of rows whose cells are text already. */
export const rawLines =
  "format_custom_escaping_rule = 'Raw', format_custom_field_delimiter = ',', format_tsv_null_representation = '', formatdatetime_f_prints_scale_number_of_digits = 1"
/** In front of every row, the first one too: the engine knows of a row before only within a block. */
const listSeparator = ',\n'
/** The end of a statement whose rows are the items of a list in JSON. */
export const listItems = `FORMAT CustomSeparated SETTINGS ${rawLines}, format_custom_row_before_delimiter = ',\\n', format_custom_row_after_delimiter = ''`

/** Digits in front of the row of a series in UI that say how many points it has, where points are chosen for drawing. */
const countDigits = 12
const lineFeed = 0x0a

/** Takes the numbers of points out of the rows of UI. The only line feed is the one in front of a number. */
export async function* takeCounts(
  rows: AsyncIterable<Uint8Array>,
  add: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  let digits: string | undefined
  for await (const chunk of rows) {
    let from = 0
    while (from < chunk.length) {
      if (digits !== undefined) {
        const taken = Math.min(countDigits - digits.length, chunk.length - from)
        digits += Buffer.from(chunk.subarray(from, from + taken)).toString('latin1')
        from += taken
        if (digits.length < countDigits) continue
        add(Number(digits))
        digits = undefined
        continue
      }
      const feed = chunk.indexOf(lineFeed, from)
      const to = feed === -1 ? chunk.length : feed + 1
      yield chunk.subarray(from, to)
      from = to
      if (feed !== -1) digits = ''
    }
  }
}

/** The rows of a JSON format as the items of a list: without the separator in front of the first one. */
export async function* joinListItems(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let surplus = listSeparator.length
  for await (const chunk of rows) {
    const skipped = Math.min(surplus, chunk.length)
    surplus -= skipped
    yield skipped === 0 ? chunk : chunk.subarray(skipped)
  }
}

function createNcsvFormatter(
  query: SeriesQuery,
  columns: readonly AnswerColumn[],
  values: ValueSql,
): AnswerFormatter {
  const metadataColumns = query.metadataColumns ?? []
  const cells = (milliseconds: string, versionText?: string) => [
    ...(query.symbolKeys.length > 0 ? ['label0'] : []),
    values.timestampCell(values.timestamp('ts', milliseconds)),
    ...columns.map((column, index) => values.cell(`v${index}`, column.type)),
    ...(metadataColumns.length > 0 ? ['label1'] : []),
    ...(versionText === undefined ? [] : [versionText]),
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
    versionText: formatCell,
    wrap: (rows, { milliseconds, versionText }) =>
      `SELECT ${cells(milliseconds, versionText).join(', ')} FROM (${rows}) FORMAT CustomSeparated SETTINGS ${rawLines}, format_custom_row_after_delimiter = '\\n'`,
    params: {},
  }
}

function createStandardFormatter(
  query: SeriesQuery,
  columns: readonly AnswerColumn[],
  values: ValueSql,
): AnswerFormatter {
  const members = (milliseconds: string, versionText?: string) => [
    'label0',
    `'"Date":'`,
    ...values.timestampJson(values.timestamp('ts', milliseconds)),
    ...columns.flatMap((column, index) => [
      `{keys:Array(String)}[${index + 1}]`,
      values.json(`v${index}`, column.type, 'text'),
    ]),
    ...(versionText === undefined
      ? []
      : [`{keys:Array(String)}[${columns.length + 1}]`, orNull(versionText)]),
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
    versionText: JSON.stringify,
    wrap: (rows, { milliseconds, versionText }) =>
      `SELECT concat(${members(milliseconds, versionText).join(', ')}) FROM (${rows}) ${listItems}`,
    params: { keys: jsonColumnNames(query, columns).map((name) => `,${JSON.stringify(name)}:`) },
  }
}

function createUiFormatter(
  query: SeriesQuery,
  columns: readonly AnswerColumn[],
  values: ValueSql,
): AnswerFormatter {
  const list = (expression: string) => `arrayStringConcat(groupArray(${expression}), ',')`
  const members = (versionText?: string) => [
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
    ...(versionText === undefined
      ? []
      : [`{keys:Array(String)}[${columns.length + 1}]`, list(orNull(versionText)), `']'`]),
    `'}}'`,
  ]
  return {
    contentType: jsonType,
    labels: (_, index) => [`{"symbol":${index},`],
    versionText: JSON.stringify,
    wrap: (rows, { versionText }) =>
      `SELECT concat(${query.drawPoints === undefined ? '' : `leftPad(toString(count()), ${countDigits}, '0'), `}${members(versionText).join(', ')}) FROM (${rows}) GROUP BY label0 ORDER BY toUInt32OrZero(extract(label0, '[0-9]+')) ${listItems}, max_threads = 1`,
    params: {
      keys: jsonColumnNames(query, columns).map(
        (name, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`,
      ),
    },
  }
}

function createPandasFormatter(
  query: SeriesQuery,
  columns: readonly AnswerColumn[],
  values: ValueSql,
): AnswerFormatter {
  const cellsOf = (versionText?: string) => [
    ...columns.map((column, index) => values.json(`v${index}`, column.type, 'text')),
    ...(versionText === undefined ? [] : [orNull(versionText)]),
  ]
  const row = (versionText?: string) => {
    const cells = cellsOf(versionText).map(
      (json, index) => `(concat(label0, {keys:Array(String)}[${index + 1}]), ${json})`,
    )
    return `arrayFilter(cell -> cell.2 != 'null', [${cells.join(', ')}])`
  }
  // A name stands for one value of a timestamp, which may be the text of several moments; the last one stays.
  const mayRepeat =
    (query.corrections ?? 'false') !== 'false' ||
    query.dateFormat !== undefined ||
    (query.timeZone ?? 'UTC') !== 'UTC' ||
    query.selections.length > 1
  const cells = mayRepeat
    ? 'arrayReverse(arrayFilter((cell, number) -> number = 1, arrayReverse(all), arrayEnumerateUniq(arrayMap(cell -> cell.1, arrayReverse(all)))))'
    : 'all'
  return {
    contentType: jsonType,
    labels: (series) => [
      JSON.stringify(`${series.symbols.filter((value) => value !== '').join('_')}_`).slice(0, -1),
    ],
    versionText: JSON.stringify,
    wrap: (rows, { versionText }) => {
      const direction = query.order === 'desc' ? ' DESC' : ''
      return `SELECT concat(${values.timestampJson('moment').join(', ')}, ':{', arrayStringConcat(arrayMap(cell -> concat(cell.1, cell.2), ${cells}), ','), '}')
        FROM (SELECT moment, groupArrayArray(cells) AS all, min(ts) AS first
          FROM (SELECT ts, ${values.timestamp('ts')} AS moment, ${row(versionText)} AS cells FROM (${rows}))
          GROUP BY moment ORDER BY first${direction}) ${listItems}, max_threads = 1`
    },
    params: { keys: jsonColumnNames(query, columns).map((name) => `${JSON.stringify(name).slice(1)}:`) },
  }
}

/**
 * Names of the members of a row: the columns, and last the text of the version. A second column of a name, which is of another type,
 * bears the sign of its type as in NCSV.
 */
export function jsonColumnNames(query: SeriesQuery, columns: readonly AnswerColumn[]): string[] {
  const names = columns.map(({ name, type }, index) =>
    columns.findIndex((column) => column.name === name) === index ? name : `${name}(${suffixes[type]})`,
  )
  return query.versionTexts ? [...names, query.versionTexts.name] : names
}

function orNull(text: string): string {
  return `if(${text} = '', 'null', ${text})`
}

const jsonType = 'application/json; charset=utf-8'
/** SQL of the moment a row was inserted. */
export const insertTime = `fromUnixTimestamp64Milli(intDiv(-age, 1000), 'UTC')`
