import { createFormatter, formatHeaderLine, type AnswerColumn } from './answer-format.ts'
import {
  countRowsSql,
  hasFill,
  hasMilliseconds,
  keepOrder,
  orderedRowsSql,
  pointsOf,
  type RowQuestion,
} from './answer-rows.ts'
import { momentFacts, readStatistics } from './answer-statistics.ts'
import { jsonParts, ncsvParts, pandasParts, seriesTexts } from './answer-text.ts'
import { joinArrowStreams } from './arrow-stream.ts'
import { hasClock } from './clock-sql.ts'
import { combinedColumns, type CombinedColumn } from './column-functions.ts'
import { buildColumnAnswer, CellColumns, skipEmptyCells, type CellColumn } from './column-layout.ts'
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
import type { QueryAnswer, SeriesLabel, SeriesQuery, SeriesStatistics } from './series-engine.ts'
import { isOfWholeDays, type RollUp } from './roll-up-sql.ts'
import { usableRollUp, type RollUpTables } from './roll-up-tables.ts'
import { SeriesGroups } from './series-groups.ts'
import { openSeriesScope, type SeriesScope } from './series-scope.ts'
import { findFilledColumns, findShownColumns, mayLackValues } from './skip-empty.ts'
import type { ByteStream, SqlConnection, SqlParams } from './sql-connection.ts'
import { isTableGone } from './sql-error.ts'
import { usedParams } from './sql-params.ts'
import { TimeZones, type ZonedQuery } from './time-zones.ts'
import { withZoneName } from './value-sql.ts'
import { openVersionTexts, type VersionTexts } from './version-texts.ts'

/** Reading side of the engine: see the functions of SeriesEngine. */
export class QueryEngine {
  readonly #connection: SqlConnection
  readonly #tables: DatasetTables
  readonly #timeZones: TimeZones
  readonly #limits: QueryLimits
  readonly #rollUps: RollUpTables | undefined

  /** @param rollUps where questions for days look for them; undefined = there are none. */
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

  async query(asked: SeriesQuery, { signal }: { signal?: AbortSignal } = {}): Promise<QueryAnswer> {
    checkQuery(asked)
    const budget = startBudget(this.#limits, signal)
    try {
      return await this.#answer(asked, budget)
    } catch (error) {
      budget.end()
      throw budget.signal.aborted ? budget.signal.reason : error
    }
  }

  async #answer(asked: SeriesQuery, budget: QueryBudget): Promise<QueryAnswer> {
    const connection = bindSignal(this.#connection, budget.signal)
    const timeZone = await this.#timeZones.resolve(asked.timeZone ?? 'UTC')
    const query: ZonedQuery = { ...asked, timeZone, oldOffsets: await this.#timeZones.oldOffsets(timeZone) }
    const allColumns = unionColumns(query)
    const formatter = createFormatter(query, allColumns)
    const series = seriesTexts(query)
    const combined = query.aggregate && combinedColumns(query, allColumns, query.aggregate.functions)
    const cells = query.layout === 'columns' ? new CellColumns(combined ?? allColumns) : undefined
    const labelsOf = (label: SeriesLabel, index: number, place: number, asked: readonly AnswerColumn[]) => {
      series.add(label, index)
      if (!cells) return formatter.labels(label, index, asked)
      cells.add(label, index, place, combined ? madeOf(combined, allColumns, asked) : asked)
      return []
    }
    const groups = query.aggregate ? new SeriesGroups() : undefined
    const open = await openSelections(
      connection,
      this.#tables,
      query,
      budget.signal,
      (label, index, place) => {
        const asked = query.selections[place]!.columns
        return groups ? [String(groups.add(label, asked))] : labelsOf(label, index, place, asked)
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
    // Also if nobody reads on.
    budget.signal.addEventListener('abort', () => void drop(), { once: true })
    try {
      scope = await groups?.open(connection, ({ label, asked }, index) => labelsOf(label, index, 0, asked))
      Object.assign(open.params, scope?.params)
      const labelCount = cells ? 1 : formatter.labels(noSeries, 0, []).length + 1
      const question = await this.#planRows(connection, query, open, allColumns, {
        labelCount,
        scope,
        signal: budget.signal,
      })
      const overflows = await this.#countOverflows(connection, question, open)
      if (query.versionTexts && !cells) {
        versionTexts = await openVersionTexts(connection, query.versionTexts, formatter.versionText)
      }
      const drawing =
        query.drawPoints === undefined ? undefined : await planDrawing(connection, question, open.params)
      const totalRows =
        drawing?.raw ??
        (query.countRows ? await this.#countRows(connection, question, open.params) : undefined)
      const statement = cells
        ? buildColumnAnswer(
            question,
            await this.#chooseCells(connection, question, cells, open.params),
            hasMilliseconds(question),
          )
        : this.#rowAnswer(question, versionTexts, open, drawing)
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
          if (other === undefined || !isTableGone(error)) throw error
          return connection.stream(other, usedParams(other, params))
        })
        streams.push(stream)
        return stream
      }
      const readFacts = () => orByPoints(question, (asked) => readStatistics(connection, asked, params))
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
      // Chunks of the other formats may be parts of one piece of memory.
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
        `SELECT sid, ${momentFacts} FROM (${points}) GROUP BY sid ORDER BY sid`,
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

  #rowAnswer(
    question: RowQuestion,
    versionTexts: VersionTexts | undefined,
    open: OpenSelections,
    drawing?: DrawingPlan,
  ) {
    const { query, columns, range } = question
    const { wrap, params, arrowNames = [] } = createFormatter(query, columns)
    const isInOrder = isReadInOrder(query, range, open)
    const toSql = (part: RowQuestion) => {
      const text = wrap(drawing?.rows ?? orderedRowsSql({ ...part, isReadInOrder: isInOrder }), {
        milliseconds: hasMilliseconds(part),
        versionText: versionTexts && textOfStored(part, versionTexts.sql),
        threads: drawing?.threads ?? 1,
      })
      return `${text}, ${keepOrder}${isInOrder ? inOrderSettings(part.selections.length) : ''}${part.resampled && !hasRollUp(part) ? spanSettings : ''}`
    }
    const parts: [RowQuestion, ...RowQuestion[]] = canSplit(question)
      ? mapSelections(question.selections, (selection) => ({ ...question, selections: [selection] }))
      : [question]
    const sql = mapSelections(parts, toSql)
    const byPoints = new Map(
      parts.flatMap((part, index) => (hasRollUp(part) ? [[sql[index]!, toSql(withoutRollUps(part))]] : [])),
    )
    return { sql, byPoints, params, header: formatHeaderLine(query, columns), arrowNames }
  }

  async #chooseCells(
    connection: SqlConnection,
    question: RowQuestion,
    cells: CellColumns,
    params: SqlParams,
  ): Promise<readonly CellColumn[]> {
    if (!question.query.skipEmptyColumns) return cells.all()
    return skipEmptyCells(connection, question, cells.all(), params)
  }

  /** Finds out what has to be known before the rows can be asked for. */
  async #planRows(
    connection: SqlConnection,
    query: ZonedQuery,
    open: OpenSelections,
    columns: readonly AnswerColumn[],
    {
      labelCount,
      scope,
      signal,
    }: { labelCount: number; scope: SeriesScope | undefined; signal: AbortSignal },
  ): Promise<RowQuestion> {
    const params: SqlParams = Object.assign(open.params, zoneParams(query))
    chooseColumns(open, query, columns)
    if (!takesOneStatement(query, open)) await this.#holdVersions(open)
    const known = { query, columns, selections: open.items, labelCount }
    const resolved = await resolveRange(connection, query, async (range) => {
      await computeSelections(connection, { ...known, range }, signal)
      return this.#newestTimestamp(connection, { ...known, range }, params)
    })
    // Reading less is all that is gained: rows outside of the window are left out in any case.
    const isNarrowed = !resolved.count && !query.resample && !hasFill(open.items)
    const range = isNarrowed && query.window ? inWindow(resolved, query.window) : resolved
    await this.#findRollUps(query, open, range)
    // A statement more, which pays where the points are many.
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
    const question = { ...known, range }
    await computeSelections(connection, question, signal)
    if (!query.skipEmptyColumns || query.layout === 'columns')
      return aggregated(await this.#withoutGaps(connection, withSpans(question), open, signal), scope)
    const isFilled = await findFilledColumns(connection, question, params)
    const kept = columns.filter((_, index) => isFilled[index])
    const choose = (shown: readonly AnswerColumn[]) => {
      const isNamed = ({ name }: AnswerColumn) => query.filters?.some(({ column }) => column === name)
      // Points outside of the window count for the newest ones.
      const isCounted = range.count !== undefined && query.window !== undefined
      const others = columns.filter((column) => !shown.includes(column))
      chooseColumns(
        open,
        query,
        shown,
        others.filter((column) => isCounted || isNamed(column)),
      )
    }
    choose(kept)
    const spans = withSpans({ ...question, columns: kept })
    const whole = aggregated(await this.#withoutGaps(connection, spans, open, signal), scope)
    if (!mayLackValues(whole)) return whole
    const isShown = await orByPoints(whole, (asked) => findShownColumns(connection, asked, params))
    const places = [...isShown.keys()].filter((place) => isShown[place])
    if (whole.aggregated) {
      const columns = places.map((place) => whole.aggregated!.columns[place]!)
      return { ...whole, columns, aggregated: { ...whole.aggregated, columns } }
    }
    const filled = whole.filled && { ...whole.filled, places }
    const resampled = whole.resampled && places.map((place) => whole.resampled![place]!)
    const shown = resampled ?? places.map((place) => whole.columns[place]!)
    if (!resampled) choose(shown)
    return { ...whole, columns: shown, ...(filled ? { filled } : {}), ...(resampled ? { resampled } : {}) }
  }

  /** The question with its gaps filled, if it asks for that. */
  async #withoutGaps(
    connection: SqlConnection,
    question: RowQuestion,
    open: OpenSelections,
    signal: AbortSignal,
  ): Promise<RowQuestion> {
    if (!hasFill(question.selections)) return question
    const fill = (asked: RowQuestion) => fillGaps(connection, asked, open.params, signal)
    open.filled = await orByPoints(question, fill)
    return { ...question, filled: open.filled }
  }

  /** How many computed values are too large. It takes a statement only where stored values are so large that there may be some. */
  async #countOverflows(
    connection: SqlConnection,
    question: RowQuestion,
    open: OpenSelections,
  ): Promise<number> {
    if (!mayOverflow(question)) return 0
    await this.#holdVersions(open)
    return orByPoints(question, (asked) => countOverflows(connection, asked, open.params))
  }

  async #countRows(connection: SqlConnection, question: RowQuestion, params: SqlParams): Promise<number> {
    return orByPoints(question, async (asked) => {
      const sql = countRowsSql(asked)
      const [row] = await connection.rows(sql, usedParams(sql, params))
      return Number(row?.count)
    })
  }

  /** Looks for days that may stand for the points of a question. */
  async #findRollUps(
    query: SeriesQuery,
    { items }: OpenSelections,
    { count, versionFrom }: PointRange,
  ): Promise<void> {
    const { resample, timeZone = 'UTC', filters = [] } = query
    const isChosen = filters.length > 0 || hasClock(query)
    const isOfPoints = count !== undefined || versionFrom !== undefined || isChosen
    if (!this.#rollUps || !resample || isOfPoints || !isOfWholeDays(resample, timeZone)) return
    const found = new Map<number, FoundRollUp>()
    for (const selection of items) {
      const { dataset, formulas, shift } = selection
      if (formulas || shift) continue
      if (!found.has(dataset)) found.set(dataset, await this.#findRollUp(dataset))
      const { facts, rollUp, lastVersion } = found.get(dataset)!
      selection.facts = facts
      selection.rollUp = rollUp
      // Points are read beside the days, at several places of a statement; all must know of the same versions.
      selection.lastVersion ??= lastVersion
    }
  }

  async #findRollUp(dataset: number): Promise<FoundRollUp> {
    const state = await this.#rollUps?.read(dataset)
    const rollUp = state && usableRollUp(state)
    if (!state || !rollUp) return { facts: state?.facts }
    const { facts } = state
    const isNewest = facts !== undefined && facts.version <= rollUp.version
    // A version may have been given up or taken away.
    if (isNewest || !(await this.#tables.isNewerThan(dataset, rollUp.version)))
      return { facts, rollUp, lastVersion: rollUp.version }
    return {
      facts,
      rollUp: { ...rollUp, isBehind: true },
      lastVersion: await this.#tables.newestVersion(dataset),
    }
  }

  /** What is published from now on is passed over, so that all statements see the same points. */
  async #holdVersions({ items }: OpenSelections): Promise<void> {
    // The inputs of formulas are read by one statement.
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
    question: RowQuestion,
    params: SqlParams,
  ): Promise<number | undefined> {
    if (question.selections.length === 0) return undefined
    const branches = question.selections.map(
      (selection) => `SELECT ts FROM (${pointsOf(question, selection)})`,
    )
    const sql = `SELECT toFloat64(count()) AS count, toFloat64(max(toUnixTimestamp64Milli(ts))) AS newest FROM (${branches.join(' UNION ALL ')})`
    const [row] = await connection.rows(sql, usedParams(sql, params))
    return Number(row?.count) > 0 ? Number(row?.newest) : undefined
  }
}

/** What is known of a dataset that may have a roll-up, up to a version. */
interface FoundRollUp {
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

/** The question with the columns of its spans, if it asks for any. */
function withSpans(question: RowQuestion): RowQuestion {
  if (!question.query.resample) return question
  const resampled = combinedColumns(question.query, question.columns, question.query.resample.functions)
  return { ...question, columns: resampled, resampled }
}

/** The question with its series combined, if it asks for that. */
function aggregated(question: RowQuestion, scope: SeriesScope | undefined): RowQuestion {
  const { query, columns: sourceColumns } = question
  if (!query.aggregate || !scope) return question
  const columns = combinedColumns(query, sourceColumns, query.aggregate.functions)
  const mayHaveOverflows = mayOverflow(question)
  return { ...question, columns, aggregated: { columns, sourceColumns, scope, mayHaveOverflows } }
}

/** Those of combined columns that are made of some of the columns. */
function madeOf(
  combined: readonly CombinedColumn[],
  columns: readonly AnswerColumn[],
  some: readonly AnswerColumn[],
): CombinedColumn[] {
  return combined.filter(({ source }) => {
    const { name, type } = columns[source]!
    return some.some((column) => column.name === name && column.type === type)
  })
}

/** A computed point came with no file, whichever its inputs came with. */
function textOfStored({ selections }: RowQuestion, text: string): string {
  const computed = selections.flatMap(({ formulas }, place) => (formulas ? [place] : []))
  return computed.length === 0 ? text : `if(place IN (${computed.join(', ')}), '', ${text})`
}

function hasRollUp({ selections }: RowQuestion): boolean {
  return selections.some(({ rollUp }) => rollUp !== undefined)
}

/** The question as one of points only: a roll-up goes when a newer one is made, which may be in the middle of a long answer. */
function withoutRollUps(question: RowQuestion): RowQuestion {
  const selections = question.selections.map((selection) => ({ ...selection, rollUp: undefined }))
  return { ...question, selections }
}

/** What is read of a question, or of its points where a roll-up went in the meantime. */
async function orByPoints<T>(question: RowQuestion, read: (question: RowQuestion) => Promise<T>): Promise<T> {
  try {
    return await read(question)
  } catch (error) {
    if (!isTableGone(error)) throw error
    return read(withoutRollUps(question))
  }
}

function zoneParams(query: SeriesQuery): SqlParams {
  const { timeZone: zone = 'UTC', dateFormat: pattern = '' } = query
  return { zone, pattern, zonedPattern: withZoneName(pattern, zone) }
}

/**
 * Points read in the order of the table go through one pipe; a second thread writes the text meanwhile, which is half of the work and
 * costs a tenth more of it. Larger blocks make fewer hand-overs to the reader. Rows of a file would be dealt out to both threads.
 */
function inOrderSettings(selectionCount: number): string {
  return `, max_threads = ${Math.max(2, selectionCount)}, output_format_parallel_formatting = 1, preferred_block_size_bytes = 4194304, parallelize_output_from_storages = 0`
}

/** Spans are finished series by series in the order of the table, so that a hash table of all of them need not go to disk. */
const spanSettings = ', optimize_aggregation_in_order = 1'

/** Whether the points of an answer are read once and by one statement. */
function takesOneStatement(
  { format, range, skipEmptyColumns, drawPoints, countRows }: SeriesQuery,
  { items }: OpenSelections,
): boolean {
  const isJson = format === 'STANDARD' || format === 'UI'
  const isWrittenOnce = !isJson && !skipEmptyColumns && drawPoints === undefined && !countRows
  const needsNewest = range?.kind === 'LAST' && range.unit !== 'VALUES' && range.anchor === undefined
  return isWrittenOnce && !needsNewest && items.length <= 1 && !hasFill(items)
}

/** Whether the points or rows that an answer is written from come in its order. */
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

/** Selections that are asked for at once where each gives few rows only; else each is asked for by itself, as all at once take memory. */
const maxShortSelections = 100

/** Whether the selections of an answer can be asked for one after the other, and are too many to be asked for at once. */
function canSplit({ query, selections, range, aggregated }: RowQuestion): boolean {
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
