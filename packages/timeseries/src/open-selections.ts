import type { ResultColumn } from './result-format.ts'
import { positiveInteger, type DatasetFacts, type DatasetTables } from './dataset-tables.ts'
import { clockConditions } from './clock-sql.ts'
import { createFilterSql } from './filter-sql.ts'
import type { FilledRows } from './filled-rows.ts'
import type { FormulaPoints } from './formula-points.ts'
import { openFormula, type OpenFormula } from './open-formula.ts'
import type { PointColumn } from './point-sql.ts'
import type { RollUp } from './roll-up-sql.ts'
import type { Fill } from './query-options.ts'
import type { SeriesLabel } from './query-result.ts'
import type { SeriesFormula } from './series-formula.ts'
import { withinLimits } from './point-limits.ts'
import type { Selection, SeriesQuery } from './series-query.ts'
import type { ValueType } from './series-upload.ts'
import { openSeriesScope, type SeriesScope } from './series-scope.ts'
import { openShift, type ShiftSql } from './shift-sql.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'

/** A selection prepared for SQL. Consecutive selections that differ only in their formulas form one open selection. */
export interface OpenSelection {
  /** Dataset of the points. */
  dataset: number
  /** The series as SQL. */
  scope: SeriesScope
  /** Series that may have points. */
  seriesCount: number
  /** Number of labels: the labels of the format and the number of the series in the result. */
  labelCount: number
  /** Columns of the result in this dataset. */
  columns: readonly PointColumn[]
  /** For each column of the result, whether the selection requests it. */
  isRequested: readonly boolean[]
  /** Conditions on `v0`, `v1`, … */
  conditions: readonly string[]
  /** Shift of the timestamps; undefined for none. */
  shift: ShiftSql | undefined
  /** Fill of the gaps; undefined for none. */
  fill: Fill | undefined
  /** Formulas of the series, by their number in the query; undefined for stored points. */
  formulas: readonly { sid: number; formula: OpenFormula; labels: readonly string[] }[] | undefined
  /** Whether the inputs of the formulas are known to have too many points for one part. */
  readsInParts?: boolean
  /** Computed points, once available. */
  computed?: FormulaPoints | undefined
  /** Facts about the dataset, if they were read. */
  facts?: DatasetFacts | undefined
  /** Whether limits hide some of the stored points from the selection. */
  isLimited: boolean
  /** Table of days that can replace points. */
  rollUp?: RollUp | undefined
  /** Newest version to use, so that several statements see the same points. Default: all versions. */
  lastVersion?: number | undefined
  /** Columns of the dataset by id. */
  stored: ReadonlyMap<number, ValueType>
  /** Columns of the dataset whose values have origins, if the query distinguishes versions; otherwise empty. */
  origins: ReadonlySet<number>
  /** Requested columns. */
  requested: Selection['columns']
}

/** All selections of a query. */
export interface OpenSelections {
  /** Selections that can have points. */
  items: OpenSelection[]
  /** Parameters of their SQL. */
  params: SqlParams
  /** Rows with filled gaps, once available. */
  filled?: FilledRows
  /** Drops temporary tables of the selections. */
  drop(): Promise<void>
}

/**
 * Reads the series of all selections and sends them to the engine.
 * @param signal cancels the reading of series
 * @param labelsOf returns the labels of a series, by its number in the result and the index of its selection
 */
export async function openSelections(
  connection: SqlConnection,
  tables: DatasetTables,
  query: SeriesQuery,
  signal: AbortSignal,
  labelsOf: (series: SeriesLabel, index: number, selectionIndex: number) => string[],
): Promise<OpenSelections> {
  const items: OpenSelection[] = []
  const drop = async () => {
    for (const { scope, shift, computed } of items) {
      await scope.drop().catch(() => {})
      await shift?.drop().catch(() => {})
      await computed?.drop().catch(() => {})
    }
  }
  let index = 0
  let formulaCount = 0
  const openFormulas = new Map<SeriesFormula, OpenFormula>()
  const isOfVersions = distinguishesVersions(query)
  try {
    for (const group of groupSelections(query.selections)) {
      const [{ selectionIndex, selection }] = group
      const sids: number[] = []
      const labels: string[][] = []
      const formulas: { sid: number; formula: OpenFormula; labels: readonly string[] }[] = []
      for (const { selectionIndex, selection } of group) {
        const seen = new Set<number>()
        for await (const series of selection.series) {
          signal.throwIfAborted()
          if (seen.has(positiveInteger(series.sid, 'series'))) continue
          seen.add(series.sid)
          const sid = selection.formula ? ++formulaCount : series.sid
          sids.push(sid)
          const own = [...labelsOf(series, index, selectionIndex), String(index)]
          labels.push(own)
          if (selection.formula) {
            const formula = await openFormula(tables, selection.formula, openFormulas, isOfVersions)
            formulas.push({ sid, formula, labels: own })
          }
          index++
        }
      }
      const stored = selection.formula
        ? new Map(selection.columns.map(({ id, type }) => [id, type]))
        : await tables.find(positiveInteger(selection.dataset, 'dataset'), selection.columns)
      if (!stored || sids.length === 0) continue
      const isStoredByVersion = isOfVersions && !selection.formula
      const series = await openSeriesScope(connection, `s${selectionIndex}`, { sids, labels })
      // This is part of the condition on the series, so that every statement that reads points of the selection
      // includes it.
      const scope = { ...series, condition: withinLimits(series.condition, selection.limits) }
      const open: OpenSelection = {
        dataset: selection.dataset,
        scope,
        seriesCount: sids.length,
        labelCount: labels[0]!.length,
        columns: [],
        isRequested: [],
        conditions: [],
        shift: undefined,
        fill: selection.fill ?? query.resample?.fill,
        formulas: selection.formula ? formulas : undefined,
        stored,
        isLimited: selection.limits !== undefined,
        origins: isStoredByVersion ? await tables.findOrigins(selection.dataset) : noOrigins,
        requested: selection.columns,
      }
      items.push(open)
      if (selection.shift) open.shift = await openShift(connection, selection.shift, query)
    }
    const params: SqlParams = Object.assign({}, ...items.map(({ scope }) => scope.params))
    const open: OpenSelections = {
      items,
      params,
      async drop() {
        await drop()
        await open.filled?.drop().catch(() => {})
      },
    }
    return open
  } catch (error) {
    await drop()
    throw error
  }
}

const noOrigins: ReadonlySet<number> = new Set()

/** Returns whether the result depends on the versions of single values. */
function distinguishesVersions({ corrections = 'false', delta = false }: SeriesQuery): boolean {
  return corrections !== 'false' || delta
}

interface IndexedSelection {
  selectionIndex: number
  selection: Selection
}

/** Groups selections: consecutive formulas with the same column, shift and fill share their points. */
function groupSelections(selections: readonly Selection[]): [IndexedSelection, ...IndexedSelection[]][] {
  const groups: [IndexedSelection, ...IndexedSelection[]][] = []
  let lastKey: string | undefined
  for (const [selectionIndex, selection] of selections.entries()) {
    const { formula, columns, shift, fill } = selection
    const names = columns.map(({ name, type }) => [name, type])
    const key = formula && JSON.stringify([names, shift, fill])
    if (key !== undefined && key === lastKey) groups.at(-1)!.push({ selectionIndex, selection })
    else groups.push([{ selectionIndex, selection }])
    lastKey = key
  }
  return groups
}

/** Returns the columns of all selections, in the order of first appearance. */
export function unionColumns(query: SeriesQuery): ResultColumn[] {
  const columns: ResultColumn[] = []
  for (const { name, type } of query.selections.flatMap((selection) => selection.columns)) {
    if (!columns.some((column) => column.name === name && column.type === type)) columns.push({ name, type })
  }
  return columns
}

/**
 * Sets the columns of the result.
 * @param hidden columns that conditions need and the result does not include
 */
export function chooseColumns(
  { items, params }: OpenSelections,
  query: SeriesQuery,
  visible: readonly ResultColumn[],
  hidden: readonly ResultColumn[] = [],
): void {
  const columns = [...visible, ...hidden]
  const filters = createFilterSql(query.filters ?? [], columns)
  Object.assign(params, filters.params)
  for (const selection of items) {
    const own = columns.map(({ name, type }) =>
      selection.requested.find((column) => column.name === name && column.type === type),
    )
    selection.columns = columns.map(({ type }, index) => {
      const id = own[index]?.id
      if (id === undefined || selection.stored.get(id) !== type) return { id: undefined, type }
      return { id, type, hasOrigin: selection.origins.has(id) }
    })
    selection.isRequested = own.map((column) => column !== undefined)
    selection.conditions = [...filters.conditionsOf(selection.isRequested), ...clockConditions(query)]
  }
}
