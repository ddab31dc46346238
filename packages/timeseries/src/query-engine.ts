import {
  createNcsvFormatter,
  createPandasFormatter,
  createStandardFormatter,
  createUiFormatter,
  formatHeaderLine,
  joinListItems,
  type AnswerColumn,
  type AnswerFormatter,
} from './answer-format.ts'
import { positiveInteger, type DatasetFacts, type DatasetTables } from './dataset-tables.ts'
import { buildMillisecondsSql, buildPointSql, type PointRange, type PointSelection } from './point-sql.ts'
import { resolveRange } from './resolve-range.ts'
import {
  SeriesEngineError,
  type QueryAnswer,
  type SeriesLabel,
  type SeriesQuery,
  type SeriesStatistics,
} from './series-engine.ts'
import { openSeriesScope, type SeriesScope } from './series-scope.ts'
import type { ByteStream, SqlConnection, SqlParams } from './sql-connection.ts'
import { quoteInteger } from './sql-text.ts'
import { TimeZones } from './time-zones.ts'
import { createValueSql } from './value-sql.ts'

/** Reading side of the engine: see the functions of SeriesEngine. */
export class QueryEngine {
  readonly #connection: SqlConnection
  readonly #tables: DatasetTables
  readonly #timeZones: TimeZones

  constructor(connection: SqlConnection, tables: DatasetTables) {
    this.#connection = connection
    this.#timeZones = new TimeZones(connection)
    this.#tables = tables
  }

  async query(asked: SeriesQuery, { signal }: { signal?: AbortSignal } = {}): Promise<QueryAnswer> {
    checkQuery(asked)
    const query = { ...asked, timeZone: await this.#timeZones.resolve(asked.timeZone ?? 'UTC') }
    const columns = unionColumns(query)
    const formatter = createFormatter(query, columns)
    const labels: string[] = []
    const metadata: string[] = []
    const selections = await this.#openSelections(query, columns, (series, index) => {
      if (query.format !== 'STANDARD' && query.format !== 'UI') return formatter.labels(series, index)
      labels.push(jsonObject(query.symbolKeys, series.symbols))
      const given = jsonObject(
        (query.metadataColumns ?? []).map((column) => column.name),
        series.metadata ?? [],
      )
      if (given !== '{}') metadata.push(`"${index}":${given}`)
      return formatter.labels(series, index)
    })
    const streams: ByteStream[] = []
    const drop = async () => {
      for (const stream of streams) stream.close()
      for (const { scope } of selections) await scope.drop().catch(() => {})
    }
    try {
      const range = await resolveRange(this.#connection, query, (asked) =>
        this.#newestTimestamp(selections, query, asked),
      )
      await this.#readFacts(query, selections, range)
      const sql = formatter.wrap(
        this.#rowsSql(query, selections, range),
        hasMilliseconds(query, selections, range),
      )
      const settings = keepOrder + (isReadInOrder(query, range) ? inOrderSettings(selections.length) : '')
      const params: SqlParams = Object.assign(
        { zone: query.timeZone ?? 'UTC', pattern: query.dateFormat ?? '', ...formatter.params },
        ...selections.map(({ scope }) => scope.params),
      )
      const read = async () => {
        const stream = await this.#connection.stream(sql + settings, usedParams(sql, params), signal)
        streams.push(stream)
        return stream
      }
      const rows = await read()
      const parts =
        query.format === 'STANDARD' || query.format === 'UI'
          ? this.#jsonParts(query, rows, read, labels, metadata, () =>
              this.#answerStatistics(query, selections, range),
            )
          : query.format === 'PANDAS'
            ? pandasParts(rows)
            : ncsvParts(formatHeaderLine(query, columns), rows)
      return { contentType: formatter.contentType, stream: withCleanup(parts, drop) }
    } catch (error) {
      await drop()
      throw error
    }
  }

  async statistics(dataset: number, sids: readonly number[] | 'all'): Promise<SeriesStatistics[]> {
    const stored = await this.#tables.find(positiveInteger(dataset, 'dataset'))
    if (!stored) return []
    const columns = [...stored].map(([id, type]) => ({ id, type }))
    const scope = sids === 'all' ? allSeries : await openSeriesScope(this.#connection, 's', labelless(sids))
    try {
      const points = buildPointSql({
        dataset,
        seriesCondition: scope.condition,
        isOneSeries: scope.isOneSeries,
        columns,
        range: {},
        corrections: 'false',
        order: 'asc',
      })
      const rows = await this.#connection.rows(
        `SELECT sid, ${statisticsSql} FROM (${points}) GROUP BY sid ORDER BY sid`,
      )
      return rows.map((row) => ({
        sid: Number(row.sid),
        firstTimestamp: Number(row.first),
        lastTimestamp: Number(row.last),
        count: Number(row.count),
      }))
    } finally {
      await scope.drop()
    }
  }

  async #openSelections(
    query: SeriesQuery,
    columns: readonly AnswerColumn[],
    labelsOf: (series: SeriesLabel, index: number) => string[],
  ): Promise<OpenSelection[]> {
    const opened: OpenSelection[] = []
    let index = 0
    try {
      for (const [place, selection] of query.selections.entries()) {
        const sids: number[] = []
        const labels: string[][] = []
        const seen = new Set<number>()
        for await (const series of selection.series) {
          if (seen.has(positiveInteger(series.sid, 'series'))) continue
          seen.add(series.sid)
          sids.push(series.sid)
          labels.push([...labelsOf(series, index), String(index)])
          index++
        }
        const stored = await this.#tables.find(
          positiveInteger(selection.dataset, 'dataset'),
          selection.columns,
        )
        if (!stored || sids.length === 0) continue
        const scope = await openSeriesScope(this.#connection, `s${place}`, { sids, labels })
        const pointColumns = columns.map(({ name, type }) => {
          const own = selection.columns.find((column) => column.name === name && column.type === type)
          return { id: own && stored.get(own.id) === type ? own.id : undefined, type }
        })
        opened.push({
          dataset: selection.dataset,
          scope,
          columns: pointColumns,
          labelCount: labels[0]!.length,
        })
      }
      return opened
    } catch (error) {
      for (const { scope } of opened) await scope.drop().catch(() => {})
      throw error
    }
  }

  /** A statement more, which pays where the points are many. */
  async #readFacts(
    query: SeriesQuery,
    selections: readonly OpenSelection[],
    range: PointRange,
  ): Promise<void> {
    if (!isReadInOrder(query, range)) return
    for (const selection of selections) {
      if (!selection.scope.isOneSeries) selection.facts = await this.#tables.readFacts(selection.dataset)
    }
  }

  /** All rows of the answer in their order, with columns `label0…, ts, age, v0…`. */
  #rowsSql(query: SeriesQuery, selections: readonly OpenSelection[], range: PointRange): string {
    const branches = selections.map((selection, place) => {
      const labels = Array.from(
        { length: selection.labelCount },
        (_, index) => `${selection.scope.label(index)} AS label${index}`,
      )
      return `SELECT ${place} AS place, ${labels.join(', ')}, * FROM (${pointsOf(selection, query, range)})`
    })
    if (branches.length === 0) return emptyRows(unionColumns(query))
    const direction = query.order === 'desc' ? ' DESC' : ''
    const isByTime = query.sortBy === 'time'
    let sql = branches[0]!
    if (isByTime)
      sql = `SELECT * FROM (${branches.join(' UNION ALL ')}) ORDER BY ts${direction}, place, sid, age DESC`
    else if (branches.length > 1) {
      sql = `SELECT * FROM (${branches.join(' UNION ALL ')}) ORDER BY place, sid, ts${direction}, age DESC`
    }
    const { limit, offset = 0 } = query
    if (limit === undefined && offset === 0) return sql
    return `SELECT * FROM (${sql}) LIMIT ${quoteInteger(limit ?? Number.MAX_SAFE_INTEGER)} OFFSET ${quoteInteger(offset)}`
  }

  async #newestTimestamp(
    selections: readonly OpenSelection[],
    query: SeriesQuery,
    range: PointRange,
  ): Promise<number | undefined> {
    if (selections.length === 0) return undefined
    const branches = selections.map((selection) => `SELECT ts FROM (${pointsOf(selection, query, range)})`)
    const [row] = await this.#connection.rows(
      `SELECT toFloat64(count()) AS count, toFloat64(toUnixTimestamp64Milli(max(ts))) AS newest FROM (${branches.join(' UNION ALL ')})`,
    )
    return Number(row?.count) > 0 ? Number(row?.newest) : undefined
  }

  /** `statistics` of the answer: series number as text to its facts. */
  async #answerStatistics(
    query: SeriesQuery,
    selections: readonly OpenSelection[],
    range: PointRange,
  ): Promise<string> {
    if (!query.statistics || selections.length === 0) return '{}'
    const branches = selections.map((selection) => {
      const index = selection.scope.label(selection.labelCount - 1)
      return `SELECT toUInt32(${index}) AS position, ts FROM (${pointsOf(selection, query, range)})`
    })
    const params: SqlParams = Object.assign({}, ...selections.map(({ scope }) => scope.params))
    const sql = `SELECT position, ${statisticsSql} FROM (${branches.join(' UNION ALL ')}) GROUP BY position ORDER BY position`
    const rows = await this.#connection.rows(sql, usedParams(sql, params))
    const facts = rows.map(
      (row) =>
        `"${String(row.position)}":{"first":${String(row.first)},"last":${String(row.last)},"count":${String(row.count)}}`,
    )
    return `{${facts.join(',')}}`
  }

  async *#jsonParts(
    query: SeriesQuery,
    rows: AsyncIterable<Uint8Array>,
    readAgain: () => Promise<AsyncIterable<Uint8Array>>,
    labels: readonly string[],
    metadata: readonly string[],
    statistics: () => Promise<string>,
  ): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`{"symbols":[${labels.join(',')}],"values":[`)
    yield* joinListItems(rows)
    if (query.repeatAsData ?? query.format === 'STANDARD') {
      yield Buffer.from('],"data":[')
      yield* joinListItems(await readAgain())
    }
    yield Buffer.from(`],"metadataMap":{${metadata.join(',')}},"statistics":${await statistics()}}`)
  }
}

interface OpenSelection {
  dataset: number
  scope: SeriesScope
  columns: PointSelection['columns']
  /** Labels of the format, and last the number of the series in the answer. */
  labelCount: number
  /** What is known of the dataset, where it was asked for. */
  facts?: DatasetFacts | undefined
}

const statisticsSql = `toFloat64(toUnixTimestamp64Milli(min(ts))) AS first, toFloat64(toUnixTimestamp64Milli(max(ts))) AS last, toFloat64(count()) AS count`

const allSeries: SeriesScope = {
  condition: '1',
  isOneSeries: false,
  params: {},
  label: () => `''`,
  drop: async () => {},
}

function labelless(sids: readonly number[]) {
  const unique = [...new Set(sids.map((sid) => positiveInteger(sid, 'series')))]
  return { sids: unique, labels: unique.map(() => []) }
}

function pointsOf(selection: OpenSelection, query: SeriesQuery, range: PointRange): string {
  return buildPointSql(toPointSelection(selection, query, range))
}

/** SQL of whether timestamps of the answer have milliseconds; asked beforehand, as to decide it per row costs a tenth of the stream. */
function hasMilliseconds(
  query: SeriesQuery,
  selections: readonly OpenSelection[],
  range: PointRange,
): string {
  return (
    selections
      .filter(({ facts }) => !facts || facts.mayRevise || facts.mayHaveMilliseconds)
      .map((selection) => buildMillisecondsSql(toPointSelection(selection, query, range)))
      .join(' OR ') || '0'
  )
}

function toPointSelection(selection: OpenSelection, query: SeriesQuery, range: PointRange): PointSelection {
  return {
    dataset: selection.dataset,
    seriesCondition: selection.scope.condition,
    isOneSeries: selection.scope.isOneSeries,
    columns: selection.columns,
    range,
    corrections: query.corrections ?? 'false',
    order: query.order ?? 'asc',
    ...(selection.facts && !selection.facts.mayRevise ? { distinctUpTo: selection.facts.version } : {}),
  }
}

function emptyRows(columns: readonly AnswerColumn[]): string {
  const values = columns.map(({ type }, index) => {
    const value =
      type === 'string' ? `toNullable('')` : type === 'date' ? 'toNullable(now64(3))' : 'toNullable(0.0)'
    return `, ${value} AS v${index}`
  })
  return `SELECT '' AS label0, '' AS label1, now64(3) AS ts, toInt64(0) AS age${values.join('')} WHERE 0`
}

function unionColumns(query: SeriesQuery): AnswerColumn[] {
  const columns: AnswerColumn[] = []
  for (const { name, type } of query.selections.flatMap((selection) => selection.columns)) {
    if (!columns.some((column) => column.name === name && column.type === type)) columns.push({ name, type })
  }
  return columns
}

function createFormatter(query: SeriesQuery, columns: readonly AnswerColumn[]): AnswerFormatter {
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
      throw notYet('format ARROW')
  }
}

function notYet(what: string): SeriesEngineError {
  return new SeriesEngineError('invalid', `The series engine does not know ${what}.`)
}

/**
 * Points read in the order of the table go through one pipe anyway; more threads, also those of the writer of text, would only hand
 * them to each other, at a fifth of the cost of the whole stream. Larger blocks make fewer hand-overs to the reader.
 */
// The order of the rows is made in a subquery, where the planner takes it for superfluous; and a limit that it moves below
// `LIMIT 1 BY` keeps the first rows of the first series instead of the newest of all.
const keepOrder = ', query_plan_remove_redundant_sorting = 0, query_plan_push_down_limit = 0'

function inOrderSettings(selectionCount: number): string {
  return `, max_threads = ${Math.max(1, selectionCount)}, output_format_parallel_formatting = 0, preferred_block_size_bytes = 4194304`
}

function isReadInOrder(query: SeriesQuery, range: PointRange): boolean {
  const isPlain = query.format === undefined || query.format === 'NCSV' || query.format === 'STANDARD'
  return isPlain && query.sortBy !== 'time' && (query.corrections ?? 'false') === 'false' && !range.count
}

/** A server refuses no parameter it does not use, but each costs a place in its address. */
function usedParams(sql: string, params: SqlParams): SqlParams {
  return Object.fromEntries(Object.entries(params).filter(([name]) => sql.includes(`{${name}:`)))
}

function jsonObject(keys: readonly string[], values: readonly string[]): string {
  const members = keys.flatMap((key, index) =>
    values[index] ? [`${JSON.stringify(key)}:${JSON.stringify(values[index])}`] : [],
  )
  return `{${members.join(',')}}`
}

async function* ncsvParts(header: string, rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(header)
  yield* rows
}

async function* pandasParts(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"data":{')
  yield* joinListItems(rows)
  yield Buffer.from('}}')
}

async function* withCleanup(
  parts: AsyncIterable<Uint8Array>,
  cleanUp: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* parts
  } finally {
    await cleanUp()
  }
}

function checkQuery(query: SeriesQuery): void {
  const { limit, offset, selections } = query
  for (const name of ['filters', 'skipEmptyColumns', 'layout', 'versionTexts', 'drawPoints'] as const) {
    if (query[name] !== undefined && query[name] !== false) throw notYet(name)
  }
  for (const name of ['shift', 'fill'] as const) {
    if (selections.some((selection) => selection[name] !== undefined)) throw notYet(name)
  }
  for (const [name, value] of Object.entries({ limit, offset })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      throw new SeriesEngineError('invalid', `The ${name} is ${value}; allowed are whole numbers from 0.`)
    }
  }
  for (const { columns } of selections) for (const { id } of columns) positiveInteger(id, 'column')
}
