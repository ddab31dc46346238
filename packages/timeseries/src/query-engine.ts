import { createFormatter, formatHeaderLine, type ResultColumn } from './result-format.ts'
import {
  countRowsSql,
  hasFill,
  hasMilliseconds,
  preserveOrder,
  orderedRowsSql,
  pointsOf,
  type RowQuery,
} from './result-rows.ts'
import { timeFacts, readStatistics } from './result-statistics.ts'
import { jsonParts, ncsvParts, pandasParts, seriesTexts } from './result-text.ts'
import { joinArrowStreams } from './arrow-stream.ts'
import { hasClock } from './clock-sql.ts'
import { combinedColumns, type CombinedColumn } from './column-functions.ts'
import { buildColumnResult, CellColumns, skipEmptyCells, type CellColumn } from './column-layout.ts'
import { positiveInteger, type DatasetFacts, type DatasetTables } from './dataset-tables.ts'
import { planDrawing, type DrawingPlan } from './drawing-sql.ts'
import { computesDoubles, countOverflows, mayOverflow } from './count-overflows.ts'
import { fillGaps } from './filled-rows.ts'
import { computeSelections } from './formula-selections.ts'
import { storedInputs } from './open-formula.ts'
import { chooseColumns, openSelections, unionColumns, type OpenSelections } from './open-selections.ts'
import { buildPointSql, type PointRange } from './point-sql.ts'
import { checkQuery } from './query-check.ts'
import { bindSignal, readInTime, startBudget, type QueryBudget, type QueryLimits } from './query-budget.ts'
import { inWindow, resolveRange } from './resolve-range.ts'
import type { QueryResult, SeriesLabel, SeriesQuery, SeriesStatistics } from './series-engine.ts'
import { isOfWholeDays, type RollUp } from './roll-up-sql.ts'
import { usableRollUp, type RollUpTables } from './roll-up-tables.ts'
import { SeriesGroups } from './series-groups.ts'
import { openSeriesScope, type SeriesScope } from './series-scope.ts'
import { findFilledColumns, findNonEmptyColumns, mayLackValues } from './skip-empty.ts'
import type { ByteStream, SqlConnection, SqlParams } from './sql-connection.ts'
import { isMissingTable } from './sql-error.ts'
import { usedParams } from './sql-params.ts'
import { TimeZones, type ZonedQuery } from './time-zones.ts'
import { withZoneName } from './value-sql.ts'
import { openVersionTexts, type VersionTexts } from './version-texts.ts'

/** Reading side of the engine: see the methods of SeriesEngine. */
export class QueryEngine {
  readonly #connection: SqlConnection
  readonly #tables: DatasetTables
  readonly #timeZones: TimeZones
  readonly #limits: QueryLimits
  readonly #rollUps: RollUpTables | undefined

  /** @param rollUps finds roll-ups for queries over days; undefined for none */
  constructor(
    connection: SqlConnection,
    tables: DatasetTables,
    limits: QueryLimits = {},
    rollUps?: RollUpTables,
  ) {
    this.#connection = connection
    this.#limits = limits
    this.#rollUps = rollUps
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

  async #run(requested: SeriesQuery, budget: QueryBudget): Promise<QueryResult> {
    const connection = bindSignal(this.#connection, budget.signal)
    const timeZone = await this.#timeZones.resolve(requested.timeZone ?? 'UTC')
    const query: ZonedQuery = {
      ...requested,
      timeZone,
      oldOffsets: await this.#timeZones.oldOffsets(timeZone),
    }
    const allColumns = unionColumns(query)
    const formatter = createFormatter(query, allColumns)
    const series = seriesTexts(query)
    const combined = query.aggregate && combinedColumns(query, allColumns, query.aggregate.functions)
    const cells = query.layout === 'columns' ? new CellColumns(combined ?? allColumns) : undefined
    const labelsOf = (
      label: SeriesLabel,
      index: number,
      selectionIndex: number,
      requested: readonly ResultColumn[],
    ) => {
      series.add(label, index)
      if (!cells) return formatter.labels(label, index, requested)
      cells.add(label, index, selectionIndex, combined ? madeOf(combined, allColumns, requested) : requested)
      return []
    }
    const groups = query.aggregate ? new SeriesGroups() : undefined
    const open = await openSelections(
      connection,
      this.#tables,
      query,
      budget.signal,
      (label, index, selectionIndex) => {
        const requested = query.selections[selectionIndex]!.columns
        return groups
          ? [String(groups.add(label, requested))]
          : labelsOf(label, index, selectionIndex, requested)
      },
    )
    let scope: SeriesScope | undefined
    const streams: ByteStream[] = []
    let versionTexts: VersionTexts | undefined
    const drop = async () => {
      for (const stream of streams) stream.close()
      await open.drop()
      await scope?.drop().catch(() => {})
      await versionTexts?.drop().catch(() => {})
    }
    // Also applies if the reader stops.
    budget.signal.addEventListener('abort', () => void drop(), { once: true })
    try {
      scope = await groups?.open(connection, ({ label, requested }, index) =>
        labelsOf(label, index, 0, requested),
      )
      Object.assign(open.params, scope?.params)
      const labelCount = cells ? 1 : formatter.labels(noSeries, 0, []).length + 1
      const rowQuery = await this.#planRows(connection, query, open, allColumns, {
        labelCount,
        scope,
        signal: budget.signal,
      })
      const overflows = await this.#countOverflows(connection, rowQuery, open)
      if (query.versionTexts && !cells) {
        versionTexts = await openVersionTexts(connection, query.versionTexts, formatter.versionText)
      }
      const drawing =
        query.drawPoints === undefined ? undefined : await planDrawing(connection, rowQuery, open.params)
      const totalRows =
        drawing?.raw ??
        (query.countRows ? await this.#countRows(connection, rowQuery, open.params) : undefined)
      const statement = cells
        ? buildColumnResult(
            rowQuery,
            await this.#chooseCells(connection, rowQuery, cells, open.params),
            hasMilliseconds(rowQuery),
          )
        : this.#rowResult(rowQuery, versionTexts, open, drawing)
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
      const parts =
        query.format === 'STANDARD' || query.format === 'UI'
          ? jsonParts(query, rows, read, series, readFacts, drawing?.raw)
          : query.format === 'PANDAS'
            ? pandasParts(rows)
            : query.format === 'ARROW'
              ? joinArrowStreams(rows, statement.arrowNames)
              : ncsvParts(statement.header, rows)
      const stream = readInTime(parts, budget, drop)
      // Chunks of the other formats may share one buffer.
      const recycle = (query.format ?? 'NCSV') === 'NCSV' ? streams[0]?.recycle : undefined
      return {
        contentType: formatter.contentType,
        stream,
        ...(overflows > 0 ? { overflows } : {}),
        ...(totalRows === undefined ? {} : { totalRows }),
        ...(recycle ? { recycle } : {}),
      }
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
        `SELECT sid, ${timeFacts} FROM (${points}) GROUP BY sid ORDER BY sid`,
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

  #rowResult(
    rowQuery: RowQuery,
    versionTexts: VersionTexts | undefined,
    open: OpenSelections,
    drawing?: DrawingPlan,
  ) {
    const { query, columns, range } = rowQuery
    const { wrap, params, arrowNames = [] } = createFormatter(query, columns)
    const isInOrder = isReadInOrder(query, range, open)
    const toSql = (part: RowQuery) => {
      const text = wrap(drawing?.rows ?? orderedRowsSql({ ...part, isReadInOrder: isInOrder }), {
        milliseconds: hasMilliseconds(part),
        versionText: versionTexts && textOfStored(part, versionTexts.sql),
        threads: drawing?.threads ?? 1,
      })
      return `${text}, ${preserveOrder}${isInOrder ? inOrderSettings(part.selections.length) : ''}${part.resampled && !hasRollUp(part) ? spanSettings : ''}`
    }
    const parts: [RowQuery, ...RowQuery[]] = canSplit(rowQuery)
      ? mapSelections(rowQuery.selections, (selection) => ({ ...rowQuery, selections: [selection] }))
      : [rowQuery]
    const sql = mapSelections(parts, toSql)
    const byPoints = new Map(
      parts.flatMap((part, index) => (hasRollUp(part) ? [[sql[index]!, toSql(withoutRollUps(part))]] : [])),
    )
    return { sql, byPoints, params, header: formatHeaderLine(query, columns), arrowNames }
  }

  async #chooseCells(
    connection: SqlConnection,
    rowQuery: RowQuery,
    cells: CellColumns,
    params: SqlParams,
  ): Promise<readonly CellColumn[]> {
    if (!rowQuery.query.skipEmptyColumns) return cells.all()
    return skipEmptyCells(connection, rowQuery, cells.all(), params)
  }

  /** Collects what the SQL of the rows depends on. */
  async #planRows(
    connection: SqlConnection,
    query: ZonedQuery,
    open: OpenSelections,
    columns: readonly ResultColumn[],
    {
      labelCount,
      scope,
      signal,
    }: { labelCount: number; scope: SeriesScope | undefined; signal: AbortSignal },
  ): Promise<RowQuery> {
    const params: SqlParams = Object.assign(open.params, zoneParams(query))
    chooseColumns(open, query, columns)
    if (!takesOneStatement(query, open)) await this.#holdVersions(open)
    const known = { query, columns, selections: open.items, labelCount }
    const resolved = await resolveRange(connection, query, async (range) => {
      await computeSelections(connection, { ...known, range }, signal)
      return this.#newestTimestamp(connection, { ...known, range }, params)
    })
    // Only saves reading: rows outside of the window are dropped in any case.
    const isNarrowed = !resolved.count && !query.resample && !hasFill(open.items)
    const range = isNarrowed && query.window ? inWindow(resolved, query.window) : resolved
    await this.#findRollUps(query, open, range)
    // One more statement, which pays off for many points.
    const facts = new Map<number, DatasetFacts | undefined>()
    const isDrawn = query.drawPoints !== undefined && (query.corrections ?? 'false') === 'false'
    const isReduced = isDrawn || query.resample !== undefined || query.aggregate !== undefined
    for (const selection of open.items) {
      if (selection.formulas || selection.facts) continue
      const isRead = !isReduced && !computesDoubles({ ...known, range }, selection)
      if (isRead && (selection.scope.isOneSeries || !isReadInOrder(query, range, open))) continue
      const { dataset } = selection
      if (!facts.has(dataset)) facts.set(dataset, await this.#tables.readFacts(dataset))
      selection.facts = facts.get(dataset)
    }
    const rowQuery = { ...known, range }
    await computeSelections(connection, rowQuery, signal)
    if (!query.skipEmptyColumns || query.layout === 'columns')
      return aggregated(await this.#withoutGaps(connection, withSpans(rowQuery), open, signal), scope)
    const isFilled = await findFilledColumns(connection, rowQuery, params)
    const filledColumns = columns.filter((_, index) => isFilled[index])
    const choose = (visible: readonly ResultColumn[]) => {
      const isNamed = ({ name }: ResultColumn) => query.filters?.some(({ column }) => column === name)
      // Points outside of the window count for the newest ones.
      const isCounted = range.count !== undefined && query.window !== undefined
      const others = columns.filter((column) => !visible.includes(column))
      chooseColumns(
        open,
        query,
        visible,
        others.filter((column) => isCounted || isNamed(column)),
      )
    }
    choose(filledColumns)
    const spans = withSpans({ ...rowQuery, columns: filledColumns })
    const whole = aggregated(await this.#withoutGaps(connection, spans, open, signal), scope)
    if (!mayLackValues(whole)) return whole
    const isNonEmpty = await orByPoints(whole, (attempt) => findNonEmptyColumns(connection, attempt, params))
    const indexes = [...isNonEmpty.keys()].filter((index) => isNonEmpty[index])
    if (whole.aggregated) {
      const columns = indexes.map((index) => whole.aggregated!.columns[index]!)
      return { ...whole, columns, aggregated: { ...whole.aggregated, columns } }
    }
    const filled = whole.filled && { ...whole.filled, sourceIndexes: indexes }
    const resampled = whole.resampled && indexes.map((index) => whole.resampled![index]!)
    const visible = resampled ?? indexes.map((index) => whole.columns[index]!)
    if (!resampled) choose(visible)
    return { ...whole, columns: visible, ...(filled ? { filled } : {}), ...(resampled ? { resampled } : {}) }
  }

  /** Returns the query with filled gaps, if it requests a fill. */
  async #withoutGaps(
    connection: SqlConnection,
    rowQuery: RowQuery,
    open: OpenSelections,
    signal: AbortSignal,
  ): Promise<RowQuery> {
    if (!hasFill(rowQuery.selections)) return rowQuery
    const fill = (attempt: RowQuery) => fillGaps(connection, attempt, open.params, signal)
    open.filled = await orByPoints(rowQuery, fill)
    return { ...rowQuery, filled: open.filled }
  }

  /** Counts computed values beyond the range of a double. Needs a statement only if stored values are large enough. */
  async #countOverflows(
    connection: SqlConnection,
    rowQuery: RowQuery,
    open: OpenSelections,
  ): Promise<number> {
    if (!mayOverflow(rowQuery)) return 0
    await this.#holdVersions(open)
    return orByPoints(rowQuery, (attempt) => countOverflows(connection, attempt, open.params))
  }

  async #countRows(connection: SqlConnection, rowQuery: RowQuery, params: SqlParams): Promise<number> {
    return orByPoints(rowQuery, async (attempt) => {
      const sql = countRowsSql(attempt)
      const [row] = await connection.rows(sql, usedParams(sql, params))
      return Number(row?.count)
    })
  }

  /** Finds roll-ups that can replace the points of a query. */
  async #findRollUps(
    query: SeriesQuery,
    { items }: OpenSelections,
    { count, versionFrom }: PointRange,
  ): Promise<void> {
    const { resample, timeZone = 'UTC', filters = [] } = query
    const isChosen = filters.length > 0 || hasClock(query)
    const isOfPoints = count !== undefined || versionFrom !== undefined || isChosen
    if (!this.#rollUps || !resample || isOfPoints || !isOfWholeDays(resample, timeZone)) return
    const byDataset = new Map<number, DatasetRollUp>()
    for (const selection of items) {
      const { dataset, formulas, shift } = selection
      if (formulas || shift) continue
      if (!byDataset.has(dataset)) byDataset.set(dataset, await this.#findRollUp(dataset))
      const { facts, rollUp, lastVersion } = byDataset.get(dataset)!
      selection.facts = facts
      selection.rollUp = rollUp
      // A statement reads the points in several subqueries; all must see the same versions.
      selection.lastVersion ??= lastVersion
    }
  }

  async #findRollUp(dataset: number): Promise<DatasetRollUp> {
    const state = await this.#rollUps?.read(dataset)
    const rollUp = state && usableRollUp(state)
    if (!state || !rollUp) return { facts: state?.facts }
    const { facts } = state
    const isNewest = facts !== undefined && facts.version <= rollUp.version
    // A version may have been abandoned or removed.
    if (isNewest || !(await this.#tables.isNewerThan(dataset, rollUp.version)))
      return { facts, rollUp, lastVersion: rollUp.version }
    return {
      facts,
      rollUp: { ...rollUp, isBehind: true },
      lastVersion: await this.#tables.newestVersion(dataset),
    }
  }

  /** Ignores later versions, so that all statements see the same points. */
  async #holdVersions({ items }: OpenSelections): Promise<void> {
    // One statement reads the inputs of formulas.
    if (items.every(({ formulas }) => formulas)) return
    const newest = new Map<number, number>()
    for (const selection of items) {
      const { formulas } = selection
      const sources = formulas ? storedInputs(formulas.map(({ formula }) => formula)) : [selection]
      for (const source of sources) {
        const { dataset } = source
        if (!newest.has(dataset)) newest.set(dataset, await this.#tables.newestVersion(dataset))
        source.lastVersion ??= newest.get(dataset)
      }
    }
  }

  async #newestTimestamp(
    connection: SqlConnection,
    rowQuery: RowQuery,
    params: SqlParams,
  ): Promise<number | undefined> {
    if (rowQuery.selections.length === 0) return undefined
    const branches = rowQuery.selections.map(
      (selection) => `SELECT ts FROM (${pointsOf(rowQuery, selection)})`,
    )
    const sql = `SELECT toFloat64(count()) AS count, toFloat64(max(toUnixTimestamp64Milli(ts))) AS newest FROM (${branches.join(' UNION ALL ')})`
    const [row] = await connection.rows(sql, usedParams(sql, params))
    return Number(row?.count) > 0 ? Number(row?.newest) : undefined
  }
}

/** Facts of a dataset, and its roll-up if it has one, up to a version. */
interface DatasetRollUp {
  facts: DatasetFacts | undefined
  rollUp?: RollUp
  lastVersion?: number
}

const allSeries: SeriesScope = {
  condition: '1',
  isOneSeries: false,
  params: {},
  label: () => `''`,
  drop: async () => {},
}

const noSeries = { sid: 0, symbols: [] }

function labelless(sids: readonly number[]) {
  const unique = [...new Set(sids.map((sid) => positiveInteger(sid, 'series')))]
  return { sids: unique, labels: unique.map(() => []) }
}

/** Returns the query with the columns of its spans, if it resamples. */
function withSpans(rowQuery: RowQuery): RowQuery {
  if (!rowQuery.query.resample) return rowQuery
  const resampled = combinedColumns(rowQuery.query, rowQuery.columns, rowQuery.query.resample.functions)
  return { ...rowQuery, columns: resampled, resampled }
}

/** Returns the query with combined series, if it aggregates. */
function aggregated(rowQuery: RowQuery, scope: SeriesScope | undefined): RowQuery {
  const { query, columns: sourceColumns } = rowQuery
  if (!query.aggregate || !scope) return rowQuery
  const columns = combinedColumns(query, sourceColumns, query.aggregate.functions)
  const mayHaveOverflows = mayOverflow(rowQuery)
  return { ...rowQuery, columns, aggregated: { columns, sourceColumns, scope, mayHaveOverflows } }
}

/** Returns the combined columns whose source is one of some columns. */
function madeOf(
  combined: readonly CombinedColumn[],
  columns: readonly ResultColumn[],
  some: readonly ResultColumn[],
): CombinedColumn[] {
  return combined.filter(({ source }) => {
    const { name, type } = columns[source]!
    return some.some((column) => column.name === name && column.type === type)
  })
}

/** A computed point does not come from a file, even if its inputs do. */
function textOfStored({ selections }: RowQuery, text: string): string {
  const computed = selections.flatMap(({ formulas }, index) => (formulas ? [index] : []))
  return computed.length === 0 ? text : `if(selection IN (${computed.join(', ')}), '', ${text})`
}

function hasRollUp({ selections }: RowQuery): boolean {
  return selections.some(({ rollUp }) => rollUp !== undefined)
}

/**
 * Returns the query without roll-ups: one is dropped when a newer one is complete, which may happen in the middle of a
 * long result.
 */
function withoutRollUps(rowQuery: RowQuery): RowQuery {
  const selections = rowQuery.selections.map((selection) => ({ ...selection, rollUp: undefined }))
  return { ...rowQuery, selections }
}

/** Reads a query, or repeats it without roll-ups if one of them was dropped in the meantime. */
async function orByPoints<T>(rowQuery: RowQuery, read: (rowQuery: RowQuery) => Promise<T>): Promise<T> {
  try {
    return await read(rowQuery)
  } catch (error) {
    if (!isMissingTable(error)) throw error
    return read(withoutRollUps(rowQuery))
  }
}

function zoneParams(query: SeriesQuery): SqlParams {
  const { timeZone: zone = 'UTC', dateFormat: pattern = '' } = query
  return { zone, pattern, zonedPattern: withZoneName(pattern, zone) }
}

/**
 * Points read in table order go through one pipe; a second thread formats the text meanwhile, which is half of the work
 * and costs a tenth more of it. Larger blocks reduce the hand-overs to the reader. Rows of a file would be distributed
 * to both threads.
 */
function inOrderSettings(selectionCount: number): string {
  return `, max_threads = ${Math.max(2, selectionCount)}, output_format_parallel_formatting = 1, preferred_block_size_bytes = 4194304, parallelize_output_from_storages = 0`
}

/** Finishes spans by series in table order, so that a hash table of all of them need not spill to disk. */
const spanSettings = ', optimize_aggregation_in_order = 1'

/** Returns whether one statement reads the points of a result once. */
function takesOneStatement(
  { format, range, skipEmptyColumns, drawPoints, countRows }: SeriesQuery,
  { items }: OpenSelections,
): boolean {
  const isJson = format === 'STANDARD' || format === 'UI'
  const isWrittenOnce = !isJson && !skipEmptyColumns && drawPoints === undefined && !countRows
  const needsNewest = range?.kind === 'LAST' && range.unit !== 'VALUES' && range.anchor === undefined
  return isWrittenOnce && !needsNewest && items.length <= 1 && !hasFill(items)
}

/** Returns whether the points or rows of a result are read in its order. */
function isReadInOrder(query: SeriesQuery, range: PointRange, { items, filled }: OpenSelections): boolean {
  const isPlain =
    query.format !== 'UI' &&
    query.format !== 'PANDAS' &&
    query.layout !== 'columns' &&
    !query.aggregate &&
    query.drawPoints === undefined
  const isCurrent = (query.corrections ?? 'false') === 'false'
  if (!isPlain || query.sortBy === 'time' || !isCurrent) return false
  const isAscending = query.order !== 'desc'
  if (hasFill(items)) return isAscending && filled?.isOrdered === true && items.every(({ fill }) => fill)
  const isMoved = items.some(({ shift }) => shift && !shift.keepsOrder)
  const isSorted = items.every(
    ({ formulas, computed }) => !formulas || (isAscending && computed?.isOrdered === true),
  )
  return !query.resample && !range.count && !isMoved && isSorted
}

/**
 * Maximum selections per statement if each returns few rows; otherwise each gets its own statement, because all at once
 * need much memory.
 */
const maxShortSelections = 100

/** Returns whether the selections of a result can be read one after the other, and are too many for one statement. */
function canSplit({ query, selections, range, aggregated }: RowQuery): boolean {
  if (aggregated) return false
  const isBySeries = query.sortBy !== 'time' && query.format !== 'UI' && query.format !== 'PANDAS'
  const isWhole = query.limit === undefined && !query.offset && query.drawPoints === undefined
  const most = range.count ? maxShortSelections : 1
  return isBySeries && isWhole && !hasFill(selections) && selections.length > most
}

function mapSelections<T, R>(items: readonly T[], map: (item: T) => R): [R, ...R[]] {
  return items.map(map) as [R, ...R[]]
}

async function* readInTurn(
  first: ByteStream,
  others: readonly string[],
  open: (sql: string) => Promise<ByteStream>,
): AsyncGenerator<Uint8Array> {
  yield* first
  for (const sql of others) yield* await open(sql)
}
