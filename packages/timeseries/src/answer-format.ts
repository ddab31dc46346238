import { formatCsvCell } from '@headwater/csv'
import type { SeriesLabel, SeriesQuery, ValueType } from './series-engine.ts'
import { createArrowFormatter } from './arrow-format.ts'
import { jsonColumnNames, standardKeys, suffixes } from './column-names.ts'
import type { ZonedQuery } from './time-zones.ts'
import { createValueSql, insertTime, type ValueSql } from './value-sql.ts'

/** A column of the answer. */
export interface AnswerColumn {
  name: string
  type: ValueType
}

/** How rows `label(n), sid, ts, age, v0, …` become the text of one format. */
export interface AnswerFormatter {
  contentType: string
  /**
   * Texts that go with a series, made once per series in the order of the series.
   * @param asked columns that are asked of it
   */
  labels(series: SeriesLabel, index: number, asked: readonly AnswerColumn[]): string[]
  /** The text of a version as it stands in a row. */
  versionText(this: void, text: string): string
  /**
   * SQL of the answer's rows with its FORMAT.
   * @param rows a subquery with columns `label0…`, `ts`, `age`, `v0…`, in order
   * @param facts.milliseconds SQL that is false if no `ts` has any
   * @param facts.threads that may make rows which come in their order whatever makes them
   * @param facts.versionText SQL of the text of the version of a row, empty where it has none; only where it is asked for
   */
  wrap(
    this: void,
    rows: string,
    facts: { milliseconds: string; versionText?: string | undefined; threads: number },
  ): string
  /** ARROW: names of the columns. */
  arrowNames?: readonly string[]
  /** Parameters `wrap` uses. */
  params: Record<string, readonly string[]>
}

/** Whether a type is one of numbers. */
export function isNumeric(type: ValueType): boolean {
  return type === 'double' || type === 'integer'
}

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
  return `${cells.map(formatCsvCell).join(',')}\n`
}

/** How an answer is written in the format of its question. */
export function createFormatter(query: ZonedQuery, columns: readonly AnswerColumn[]): AnswerFormatter {
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
  columns: readonly AnswerColumn[],
  values: ValueSql,
): AnswerFormatter {
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
    labels: (series, _, asked) => {
      const label = symbolText(series)
      return [JSON.stringify(label).slice(0, -1), `${endOf(label, asked)}":`]
    },
    versionText: JSON.stringify,
    wrap: (rows, { versionText }) => {
      const isCurrent = (query.corrections ?? 'false') === 'false'
      const version = isCurrent ? 'toInt64(0)' : '-age'
      const cells = `SELECT ts, ${version} AS version, ${values.timestamp('ts')} AS moment, ${row(versionText)} AS cells FROM (${rows})`
      // Only these can bring the same text twice; to look for it takes time and memory.
      const mayRepeat = !isCurrent || query.dateFormat !== undefined || (query.timeZone ?? 'UTC') !== 'UTC'
      const moments = mayRepeat ? momentsApart(cells, query.order) : wholeMoments(cells)
      const text = values.timestampJson(`if(number = 1, moment, concat(moment, '_', toString(number)))`)
      const item = `concat(${text.join(', ')}, ':{', arrayStringConcat(arrayMap(cell -> concat(cell.1, cell.2), list), ','), '}')`
      return `SELECT arrayStringConcat(arrayMap((list, number) -> ${item}, lists, arrayEnumerate(lists)), ',')
        FROM (${moments}) ORDER BY first${query.order === 'desc' ? ' DESC' : ''} ${listItems}, max_threads = 1`
    },
    params: { keys: jsonColumnNames(query, columns).map((name) => JSON.stringify(name).slice(1, -1)) },
  }
}

/** Rows `moment, first, lists`: the cells of each moment. */
function wholeMoments(cells: string): string {
  return `SELECT moment, min(ts) AS first, [groupArrayArray(cells)] AS lists FROM (${cells}) GROUP BY moment`
}

/**
 * The same, of moments that may have the same text: together as long as no name comes twice, else each moment and version for itself.
 */
function momentsApart(cells: string, order: SeriesQuery['order']): string {
  const place = `(toUnixTimestamp64Milli(ts)${order === 'desc' ? ' * -1' : ''}, version, parts)`
  return `SELECT moment, first, if(arrayUniq(arrayMap(cell -> cell.1, together)) = length(together), [together], apart) AS lists
    FROM (SELECT moment, min(ts) AS first, arrayMap(part -> part.3, arraySort(groupArray(${place}))) AS apart, arrayFlatten(apart) AS together
      FROM (SELECT moment, ts, version, groupArrayArray(cells) AS parts FROM (${cells}) GROUP BY moment, ts, version)
      GROUP BY moment)`
}

/** Gives what stands behind the names of a series in PANDAS, so that no name of it is one of a series before: nothing, `_2`, `_3` … */
function seriesEndings(query: SeriesQuery, columns: readonly AnswerColumn[]) {
  const names = jsonColumnNames(query, columns)
  const taken = new Set<string>()
  return (label: string, asked: readonly AnswerColumn[]): string => {
    const own = columns.flatMap(({ name, type }, index) =>
      asked.some((column) => column.name === name && column.type === type)
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

/** What stands before the names of a series in PANDAS. */
function symbolText({ symbols }: SeriesLabel): string {
  const text = symbols.filter((value) => value !== '').join('_')
  return text === '' ? '' : `${text}_`
}

function orNull(text: string): string {
  return `if(${text} = '', 'null', ${text})`
}

const jsonType = 'application/json; charset=utf-8'
