import { joinArrowStreams } from './arrow-stream.ts'
import { buildColumnResult, skipEmptyCells, type CellColumn } from './column-layout.ts'
import type { DatasetTables } from './dataset-tables.ts'
import { planDrawing } from './drawing-sql.ts'
import { openFormulaArrow } from './formula-arrow.ts'
import { openSelections, type OpenSelections } from './open-selections.ts'
import { bindSignal, readInTime, startBudget, type QueryBudget, type QueryLimits } from './query-budget.ts'
import { checkQuery } from './query-check.ts'
import type { QueryResult, SeriesStatistics } from './query-result.ts'
import { createResultLabels, type ResultLabels } from './result-labels.ts'
import { countRowsSql, hasMilliseconds, type RowQuery } from './result-rows.ts'
import { readStatistics } from './result-statistics.ts'
import { jsonParts, ncsvParts, pandasParts } from './result-text.ts'
import { orByPoints } from './roll-up-fallback.ts'
import type { RollUpTables } from './roll-up-tables.ts'
import { RowPlanner } from './row-planner.ts'
import { buildRowStatements } from './row-statements.ts'
import type { PointLimits, SeriesQuery } from './series-query.ts'
import type { SeriesScope } from './series-scope.ts'
import { readSeriesStatistics } from './series-statistics.ts'
import type { ByteStream, SqlConnection, SqlParams } from './sql-connection.ts'
import { isMissingTable } from './sql-error.ts'
import { usedParams } from './sql-params.ts'
import { TimeZones, zoneParams, type ZonedQuery } from './time-zones.ts'
import { openVersionTexts, type VersionTexts } from './version-texts.ts'

/** Reading side of the engine: see the methods of SeriesEngine. */
export class QueryEngine {
  readonly #connection: SqlConnection
  readonly #tables: DatasetTables
  readonly #planner: RowPlanner
  readonly #timeZones: TimeZones
  readonly #limits: QueryLimits

  /** @param rollUps finds roll-ups for queries over days; undefined for none */
  constructor(
    connection: SqlConnection,
    tables: DatasetTables,
    limits: QueryLimits = {},
    rollUps?: RollUpTables,
  ) {
    this.#connection = connection
    this.#limits = limits
    this.#planner = new RowPlanner(tables, rollUps)
    this.#timeZones = new TimeZones(connection)
    this.#tables = tables
  }

  async query(requested: SeriesQuery, { signal }: { signal?: AbortSignal } = {}): Promise<QueryResult> {
    checkQuery(requested)
    const budget = startBudget(this.#limits, signal)
    try {
      return await this.#run(requested, budget)
    } catch (error) {
      budget.end()
      throw budget.signal.aborted ? budget.signal.reason : error
    }
  }

  statistics(
    dataset: number,
    sids: readonly number[] | 'all',
    limits?: PointLimits,
  ): Promise<SeriesStatistics[]> {
    return readSeriesStatistics(this.#connection, this.#tables, dataset, sids, limits)
  }

  async #run(requested: SeriesQuery, budget: QueryBudget): Promise<QueryResult> {
    const connection = bindSignal(this.#connection, budget.signal)
    const timeZone = await this.#timeZones.resolve(requested.timeZone ?? 'UTC')
    const oldOffsets = await this.#timeZones.oldOffsets(timeZone)
    const query: ZonedQuery = { ...requested, timeZone, oldOffsets }
    const labels = createResultLabels(query)
    const open = await openSelections(connection, this.#tables, query, budget.signal, labels.ofSelection)
    const run: RunningQuery = { connection, query, labels, open, budget, streams: [] }
    // Also called if the reader stops.
    budget.signal.addEventListener('abort', () => void drop(run), { once: true })
    try {
      return await this.#openResult(run)
    } catch (error) {
      await drop(run)
      throw error
    }
  }

  async #openResult(run: RunningQuery): Promise<QueryResult> {
    const { connection, query, labels, open, budget } = run
    const { columns, formatter } = labels
    const direct = await openFormulaArrow(connection, query, { open, columns, signal: budget.signal })
    if (direct !== undefined)
      return { contentType: formatter.contentType, stream: readInTime(direct, budget, () => drop(run)) }
    const scope = await labels.groups?.open(connection, ({ label, requested }, index) =>
      labels.ofSeries(label, index, 0, requested),
    )
    run.scope = scope
    Object.assign(open.params, scope?.params)
    const { labelCount } = labels
    const rowQuery = await this.#planner.plan(connection, query, open, labels.columns, {
      labelCount,
      scope,
      signal: budget.signal,
    })
    const overflows = await this.#planner.countOverflows(connection, rowQuery, open)
    if (query.versionTexts && !labels.cells)
      run.versionTexts = await openVersionTexts(connection, query.versionTexts, labels.formatter.versionText)
    const drawing =
      query.drawPoints === undefined ? undefined : await planDrawing(connection, rowQuery, open.params)
    const totalRows =
      drawing?.raw ?? (query.countRows ? await countRows(connection, rowQuery, open.params) : undefined)
    const statement = labels.cells
      ? buildColumnResult(rowQuery, await chooseCells(run, rowQuery), hasMilliseconds(rowQuery))
      : buildRowStatements(rowQuery, run.versionTexts, open, drawing)
    const parts = await openParts(run, rowQuery, statement, drawing?.raw)
    const stream = readInTime(parts, budget, () => drop(run))
    // Chunks of the other formats may share one buffer.
    const recycle = (query.format ?? 'NCSV') === 'NCSV' ? run.streams[0]?.recycle : undefined
    return {
      contentType: labels.formatter.contentType,
      stream,
      ...(overflows > 0 ? { overflows } : {}),
      ...(totalRows === undefined ? {} : { totalRows }),
      ...(recycle ? { recycle } : {}),
    }
  }
}

/** A query in progress, with the objects to drop at its end. */
interface RunningQuery {
  connection: SqlConnection
  query: ZonedQuery
  labels: ResultLabels
  open: OpenSelections
  budget: QueryBudget
  streams: ByteStream[]
  /** The groups of combined series. */
  scope?: SeriesScope | undefined
  versionTexts?: VersionTexts
}

async function drop({ streams, open, scope, versionTexts }: RunningQuery): Promise<void> {
  for (const stream of streams) stream.close()
  await open.drop()
  await scope?.drop().catch(() => {})
  await versionTexts?.drop().catch(() => {})
}

type Statement = ReturnType<typeof buildColumnResult> | ReturnType<typeof buildRowStatements>

/** Starts the statements of a result and returns its parts in the format of the query. */
async function openParts(
  run: RunningQuery,
  rowQuery: RowQuery,
  statement: Statement,
  rawPoints: number | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const { connection, query, labels, open, streams, versionTexts } = run
  const params: SqlParams = {
    ...zoneParams(query),
    ...statement.params,
    ...open.params,
    ...versionTexts?.params,
  }
  const byPoints = 'byPoints' in statement ? statement.byPoints : undefined
  const openStream = async (sql: string) => {
    const stream = await connection.stream(sql, usedParams(sql, params)).catch((error: unknown) => {
      const other = byPoints?.get(sql)
      if (other === undefined || !isMissingTable(error)) throw error
      return connection.stream(other, usedParams(other, params))
    })
    streams.push(stream)
    return stream
  }
  const readFacts = () => orByPoints(rowQuery, (attempt) => readStatistics(connection, attempt, params))
  const [firstSql, ...otherSql] = statement.sql
  const read = async () => readInTurn(await openStream(firstSql), otherSql, openStream)
  const rows = await read()
  switch (query.format) {
    case 'STANDARD':
    case 'UI':
      return jsonParts(query, rows, read, labels.texts, readFacts, rawPoints)
    case 'PANDAS':
      return pandasParts(rows)
    case 'ARROW':
      return joinArrowStreams(rows, statement.arrowNames)
    default:
      return ncsvParts(statement.header, rows)
  }
}

async function* readInTurn(
  first: ByteStream,
  others: readonly string[],
  open: (sql: string) => Promise<ByteStream>,
): AsyncGenerator<Uint8Array> {
  yield* first
  for (const sql of others) yield* await open(sql)
}

async function chooseCells(
  { connection, labels, open }: RunningQuery,
  rowQuery: RowQuery,
): Promise<readonly CellColumn[]> {
  const cells = labels.cells!.all()
  return rowQuery.query.skipEmptyColumns ? skipEmptyCells(connection, rowQuery, cells, open.params) : cells
}

async function countRows(connection: SqlConnection, rowQuery: RowQuery, params: SqlParams): Promise<number> {
  return orByPoints(rowQuery, async (attempt) => {
    const sql = countRowsSql(attempt)
    const [row] = await connection.rows(sql, usedParams(sql, params))
    return Number(row?.count)
  })
}
