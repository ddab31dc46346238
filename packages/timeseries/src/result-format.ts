import { formatCsvCell } from '@headwater/csv'
import type { SeriesLabel } from './query-result.ts'
import type { SeriesQuery } from './series-query.ts'
import type { ValueType } from './series-upload.ts'
import { createArrowFormatter } from './arrow-format.ts'
import { jsonColumnNames, standardKeys, suffixes } from './column-names.ts'
import type { ZonedQuery } from './time-zones.ts'
import { createValueSql, insertTime, type ValueSql } from './value-sql.ts'

/** A column of the result. */
export interface ResultColumn {
  /** Name of the column. */
  name: string
  /** Type of its values. */
  type: ValueType
}

/** Formats rows `label(n), sid, ts, age, v0, …` in one format. */
export interface ResultFormatter {
  /** MIME type of the result. */
  contentType: string
  /**
   * Returns the labels of a series. Called once per series, in order.
   * @param requested columns requested of the series
   */
  labels(series: SeriesLabel, index: number, requested: readonly ResultColumn[]): string[]
  /** Formats the text of a version as part of a row. */
  versionText(this: void, text: string): string
  /**
   * Returns the SQL of the result's rows with its FORMAT clause.
   * @param rows a subquery with columns `label0…`, `ts`, `age`, `v0…`, in order
   * @param facts.milliseconds SQL that is false if no `ts` has milliseconds
   * @param facts.threads maximum threads that preserve the row order
   * @param facts.versionText SQL of the text of a row's version, empty if it has none; only if requested
   */
  wrap(
    this: void,
    rows: string,
    facts: { milliseconds: string; versionText?: string | undefined; threads: number },
  ): string
  /** ARROW only: names of the columns. */
  arrowNames?: readonly string[]
  /** Parameters of the SQL that `wrap` returns. */
  params: Record<string, readonly string[]>
}

/** Returns whether a type is numeric. */
export function isNumeric(type: ValueType): boolean {
  return type === 'double' || type === 'integer'
}

/** Formats the header line of an NCSV result. */
export function formatHeaderLine(query: SeriesQuery, columns: readonly ResultColumn[]): string {
  const cells = [
    ...query.symbolKeys,
    `Date(${query.timeZone ?? 'UTC'})`,
    ...columns.map(({ name, type }) => (type === 'double' ? name : `${name}(${suffixes[type]})`)),
    ...(query.metadataColumns ?? []).map(({ name, type }) => `${name}(MD-${suffixes[type]})`),
    ...(query.versionTexts ? [`${query.versionTexts.name}(S)`] : []),
    ...(query.corrections === 'history' ? ['InsertTime(D)'] : []),
  ]
  return `${cells.map(formatCsvCell).join(',')}\n`
}

/** Creates the formatter for the format of a query. */
export function createFormatter(query: ZonedQuery, columns: readonly ResultColumn[]): ResultFormatter {
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

/** Settings for rows whose cells are already text. */
export const rawLines =
  "format_custom_escaping_rule = 'Raw', format_custom_field_delimiter = ',', format_tsv_null_representation = '', formatdatetime_f_prints_scale_number_of_digits = 1"
/** Precedes every row, including the first one, because the engine knows the previous row only within a block. */
const listSeparator = ',\n'
/** End of a statement whose rows are the items of a JSON list. */
export const listItems = `FORMAT CustomSeparated SETTINGS ${rawLines}, format_custom_row_before_delimiter = ',\\n', format_custom_row_after_delimiter = ''`

/** Number of digits before each series of a downsampled UI result. They contain the number of its points. */
const countDigits = 12
const lineFeed = 0x0a

/** Strips the point counts from the rows of a UI result. The only line feed is the one before a count. */
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

/** Joins the rows of a JSON format to list items, without the separator before the first one. */
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
  columns: readonly ResultColumn[],
  values: ValueSql,
): ResultFormatter {
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
      series.symbols.map(formatCsvCell).join(','),
      ...(metadataColumns.length > 0
        ? [metadataColumns.map((_, index) => formatCsvCell(series.metadata?.[index] ?? '')).join(',')]
        : []),
    ],
    versionText: formatCsvCell,
    wrap: (rows, { milliseconds, versionText }) =>
      `SELECT ${cells(milliseconds, versionText).join(', ')} FROM (${rows}) FORMAT CustomSeparated SETTINGS ${rawLines}, format_custom_row_after_delimiter = '\\n'`,
    params: {},
  }
}

function createStandardFormatter(
  query: SeriesQuery,
  columns: readonly ResultColumn[],
  values: ValueSql,
): ResultFormatter {
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
  const keys = standardKeys(query)
  return {
    contentType: jsonType,
    labels: (series, index) => [
      `{"symbol":${index},${keys.map((key, at) => `${JSON.stringify(key)}:${JSON.stringify(series.symbols[at] ?? '')},`).join('')}`,
    ],
    versionText: JSON.stringify,
    wrap: (rows, { milliseconds, versionText }) =>
      `SELECT concat(${members(milliseconds, versionText).join(', ')}) FROM (${rows}) ${listItems}`,
    params: { keys: jsonColumnNames(query, columns).map((name) => `,${JSON.stringify(name)}:`) },
  }
}

function createUiFormatter(
  query: SeriesQuery,
  columns: readonly ResultColumn[],
  values: ValueSql,
): ResultFormatter {
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
    wrap: (rows, { versionText, threads }) =>
      `SELECT concat(${query.drawPoints === undefined ? '' : `leftPad(toString(count()), ${countDigits}, '0'), `}${members(versionText).join(', ')}) FROM (${rows}) GROUP BY label0 ORDER BY toUInt32OrZero(extract(label0, '[0-9]+')) ${listItems}, max_threads = ${threads}`,
    params: {
      keys: jsonColumnNames(query, columns).map(
        (name, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`,
      ),
    },
  }
}

function createPandasFormatter(
  query: SeriesQuery,
  columns: readonly ResultColumn[],
  values: ValueSql,
): ResultFormatter {
  const endOf = seriesEndings(query, columns)
  const row = (versionText?: string) => {
    const texts = [
      ...columns.map((column, index) => values.json(`v${index}`, column.type, 'text')),
      ...(versionText === undefined ? [] : [orNull(versionText)]),
    ]
    const cells = texts.map(
      (json, index) => `(concat(label0, {keys:Array(String)}[${index + 1}], label1), ${json})`,
    )
    return `arrayFilter(cell -> cell.2 != 'null', [${cells.join(', ')}])`
  }
  return {
    contentType: jsonType,
    labels: (series, _, requested) => {
      const label = symbolText(series)
      return [JSON.stringify(label).slice(0, -1), `${endOf(label, requested)}":`]
    },
    versionText: JSON.stringify,
    wrap: (rows, { versionText }) => {
      const isCurrent = (query.corrections ?? 'false') === 'false'
      const version = isCurrent ? 'toInt64(0)' : '-age'
      const cells = `SELECT ts, ${version} AS version, ${values.timestamp('ts')} AS instant, ${row(versionText)} AS cells FROM (${rows})`
      // Only these queries can produce duplicate texts. Detecting duplicates takes time and memory.
      const canRepeat = !isCurrent || query.dateFormat !== undefined || (query.timeZone ?? 'UTC') !== 'UTC'
      const instants = canRepeat ? separateTimestamps(cells, query.order) : mergedTimestamps(cells)
      const text = values.timestampJson(`if(number = 1, instant, concat(instant, '_', toString(number)))`)
      const item = `concat(${text.join(', ')}, ':{', arrayStringConcat(arrayMap(cell -> concat(cell.1, cell.2), list), ','), '}')`
      return `SELECT arrayStringConcat(arrayMap((list, number) -> ${item}, lists, arrayEnumerate(lists)), ',')
        FROM (${instants}) ORDER BY first${query.order === 'desc' ? ' DESC' : ''} ${listItems}, max_threads = 1`
    },
    params: { keys: jsonColumnNames(query, columns).map((name) => JSON.stringify(name).slice(1, -1)) },
  }
}

/** Builds rows `instant, first, lists`: the cells of each timestamp. */
function mergedTimestamps(cells: string): string {
  return `SELECT instant, min(ts) AS first, [groupArrayArray(cells)] AS lists FROM (${cells}) GROUP BY instant`
}

/**
 * Builds the same rows for timestamps that can have equal texts. They are merged if no name repeats, otherwise separate for
 * each timestamp and version.
 */
function separateTimestamps(cells: string, order: SeriesQuery['order']): string {
  const sortKey = `(toUnixTimestamp64Milli(ts)${order === 'desc' ? ' * -1' : ''}, version, parts)`
  return `SELECT instant, first, if(arrayUniq(arrayMap(cell -> cell.1, together)) = length(together), [together], apart) AS lists
    FROM (SELECT instant, min(ts) AS first, arrayMap(part -> part.3, arraySort(groupArray(${sortKey}))) AS apart, arrayFlatten(apart) AS together
      FROM (SELECT instant, ts, version, groupArrayArray(cells) AS parts FROM (${cells}) GROUP BY instant, ts, version)
      GROUP BY instant)`
}

/** Returns a function that makes the names of a series in PANDAS unique with a suffix: none, `_2`, `_3` … */
function seriesEndings(query: SeriesQuery, columns: readonly ResultColumn[]) {
  const names = jsonColumnNames(query, columns)
  const taken = new Set<string>()
  return (label: string, requested: readonly ResultColumn[]): string => {
    const own = columns.flatMap(({ name, type }, index) =>
      requested.some((column) => column.name === name && column.type === type)
        ? [names[index]!, ...(query.skipEmptyColumns ? [name] : [])]
        : [],
    )
    const all = [...own, ...names.slice(columns.length)].map((name) => label + name)
    const isFree = (ending: string) => all.every((name) => !taken.has(name + ending))
    let ending = ''
    for (let number = 2; !isFree(ending); number++) ending = `_${number}`
    for (const name of all) taken.add(name + ending)
    return ending
  }
}

/** Returns the prefix of the names of a series in PANDAS. */
function symbolText({ symbols }: SeriesLabel): string {
  const text = symbols.filter((value) => value !== '').join('_')
  return text === '' ? '' : `${text}_`
}

function orNull(text: string): string {
  return `if(${text} = '', 'null', ${text})`
}

const jsonType = 'application/json; charset=utf-8'
