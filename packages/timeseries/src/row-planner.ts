import { hasClock } from './clock-sql.ts'
import { combinedColumns } from './column-functions.ts'
import { computesDoubles, countOverflows, canAnyOverflow } from './count-overflows.ts'
import type { DatasetFacts, DatasetTables } from './dataset-tables.ts'
import { fillGaps } from './filled-rows.ts'
import { computeSelections } from './formula-selections.ts'
import { storedInputs } from './open-formula.ts'
import { chooseColumns, type OpenSelections } from './open-selections.ts'
import type { PointRange } from './point-sql.ts'
import { isReadInOrder, takesOneStatement } from './read-order.ts'
import { inWindow, resolveRange } from './resolve-range.ts'
import type { ResultColumn } from './result-format.ts'
import { hasFill, pointsOf, type RowQuery } from './result-rows.ts'
import { orByPoints } from './roll-up-fallback.ts'
import { isOfWholeDays, type RollUp } from './roll-up-sql.ts'
import { usableRollUp, type RollUpTables } from './roll-up-tables.ts'
import type { SeriesQuery } from './series-query.ts'
import type { SeriesScope } from './series-scope.ts'
import { findFilledColumns, findNonEmptyColumns, canLackValues } from './skip-empty.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { zoneParams, type ZonedQuery } from './time-zones.ts'

/** Plans the rows of a query: collects everything that their SQL depends on. */
export class RowPlanner {
  readonly #tables: DatasetTables
  readonly #rollUps: RollUpTables | undefined

  /** @param rollUps finds roll-ups for queries over days; undefined for none */
  constructor(tables: DatasetTables, rollUps: RollUpTables | undefined) {
    this.#tables = tables
    this.#rollUps = rollUps
  }

  /** Collects everything that the SQL of the rows depends on. */
  async plan(
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
    // This only avoids reading; rows outside the window are dropped in any case.
    const isNarrowed = !resolved.count && !query.resample && !hasFill(open.items)
    const range = isNarrowed && query.window ? inWindow(resolved, query.window) : resolved
    await this.#findRollUps(query, open, range)
    // This takes one more statement, which pays off for many points.
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
      // Points outside the window count when the newest points are selected.
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
    if (!canLackValues(whole)) return whole
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

  /** Counts computed values that exceed the range of a double. Runs a statement only if stored values are large enough. */
  async countOverflows(connection: SqlConnection, rowQuery: RowQuery, open: OpenSelections): Promise<number> {
    if (!canAnyOverflow(rowQuery)) return 0
    await this.#holdVersions(open)
    return orByPoints(rowQuery, (attempt) => countOverflows(connection, attempt, open.params))
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
      const { dataset, formulas, shift, isLimited } = selection
      // A day of a roll-up can contain points outside the limits.
      if (formulas || shift || isLimited) continue
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

  /** Excludes later versions, so that all statements see the same points. */
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
  const canHaveOverflows = canAnyOverflow(rowQuery)
  return { ...rowQuery, columns, aggregated: { columns, sourceColumns, scope, canHaveOverflows } }
}
