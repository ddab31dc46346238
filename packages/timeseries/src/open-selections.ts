import type { AnswerColumn } from './answer-format.ts'
import { positiveInteger, type DatasetFacts, type DatasetTables } from './dataset-tables.ts'
import { clockConditions } from './clock-sql.ts'
import { createFilterSql } from './filter-sql.ts'
import type { FilledRows } from './filled-rows.ts'
import type { FormulaPoints } from './formula-points.ts'
import { openFormula, type OpenFormula } from './open-formula.ts'
import type { PointColumn } from './point-sql.ts'
import type { RollUp } from './roll-up-sql.ts'
import type { Fill, Selection, SeriesFormula, SeriesLabel, SeriesQuery, ValueType } from './series-engine.ts'
import { openSeriesScope, type SeriesScope } from './series-scope.ts'
import { openShift, type ShiftSql } from './shift-sql.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'

/** A selection as the engine can ask for it; or successive ones of formulas that differ in nothing else. */
export interface OpenSelection {
  dataset: number
  scope: SeriesScope
  /** Series that may have points. */
  seriesCount: number
  /** Labels of the format, and last the number of the series in the answer. */
  labelCount: number
  /** The columns of the answer in this dataset. */
  columns: readonly PointColumn[]
  /** Whether the selection asks for a column of the answer, by its place. */
  isAsked: readonly boolean[]
  /** Conditions on `v0`, `v1`, … */
  conditions: readonly string[]
  shift: ShiftSql | undefined
  fill: Fill | undefined
  /** Where the values come from, if they are computed: a formula for each series, which are numbered in the query. */
  formulas: readonly { sid: number; formula: OpenFormula }[] | undefined
  /** Their points, once they are there. */
  computed?: FormulaPoints | undefined
  /** What is known of the dataset, where it was asked for. */
  facts?: DatasetFacts | undefined
  /** Days that may stand for points. */
  rollUp?: RollUp | undefined
  /** Newer versions are not looked at, where an answer takes several statements. */
  lastVersion?: number | undefined
  /** Columns of the dataset by id. */
  stored: ReadonlyMap<number, ValueType>
  asked: Selection['columns']
}

/** All selections of a question. */
export interface OpenSelections {
  /** Those that can have points. */
  items: OpenSelection[]
  params: SqlParams
  /** Rows with their gaps filled, once they are there. */
  filled?: FilledRows
  drop(): Promise<void>
}

/**
 * Reads the series of all selections and brings them to the engine.
 * @param signal ends the reading of series
 * @param labelsOf texts that go with a series, by its number in the answer and the place of its selection.
 */
export async function openSelections(
  connection: SqlConnection,
  tables: DatasetTables,
  query: SeriesQuery,
  signal: AbortSignal,
  labelsOf: (series: SeriesLabel, index: number, place: number) => string[],
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
  try {
    for (const group of groupSelections(query.selections)) {
      const [{ place, selection }] = group
      const sids: number[] = []
      const labels: string[][] = []
      const formulas: { sid: number; formula: OpenFormula }[] = []
      for (const { place, selection } of group) {
        const seen = new Set<number>()
        for await (const series of selection.series) {
          signal.throwIfAborted()
          if (seen.has(positiveInteger(series.sid, 'series'))) continue
          seen.add(series.sid)
          const sid = selection.formula ? ++formulaCount : series.sid
          sids.push(sid)
          labels.push([...labelsOf(series, index, place), String(index)])
          if (selection.formula)
            formulas.push({ sid, formula: await openFormula(tables, selection.formula, openFormulas) })
          index++
        }
      }
      const stored = selection.formula
        ? new Map(selection.columns.map(({ id, type }) => [id, type]))
        : await tables.find(positiveInteger(selection.dataset, 'dataset'), selection.columns)
      if (!stored || sids.length === 0) continue
      const scope = await openSeriesScope(connection, `s${place}`, { sids, labels })
      const open: OpenSelection = {
        dataset: selection.dataset,
        scope,
        seriesCount: sids.length,
        labelCount: labels[0]!.length,
        columns: [],
        isAsked: [],
        conditions: [],
        shift: undefined,
        fill: selection.fill ?? query.resample?.fill,
        formulas: selection.formula ? formulas : undefined,
        stored,
        asked: selection.columns,
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

interface PlacedSelection {
  place: number
  selection: Selection
}

/** Selections, of which successive formulas with the same column, shift and fill go together: their rows come from the same points. */
function groupSelections(selections: readonly Selection[]): [PlacedSelection, ...PlacedSelection[]][] {
  const groups: [PlacedSelection, ...PlacedSelection[]][] = []
  let lastKey: string | undefined
  for (const [place, selection] of selections.entries()) {
    const { formula, columns, shift, fill } = selection
    const names = columns.map(({ name, type }) => [name, type])
    const key = formula && JSON.stringify([names, shift, fill])
    if (key !== undefined && key === lastKey) groups.at(-1)!.push({ place, selection })
    else groups.push([{ place, selection }])
    lastKey = key
  }
  return groups
}

/** The columns of all selections, in the order of first appearance. */
export function unionColumns(query: SeriesQuery): AnswerColumn[] {
  const columns: AnswerColumn[] = []
  for (const { name, type } of query.selections.flatMap((selection) => selection.columns)) {
    if (!columns.some((column) => column.name === name && column.type === type)) columns.push({ name, type })
  }
  return columns
}

/**
 * Sets which columns the answer has.
 * @param hidden columns behind them that conditions ask for and the answer does not show
 */
export function chooseColumns(
  { items, params }: OpenSelections,
  query: SeriesQuery,
  shown: readonly AnswerColumn[],
  hidden: readonly AnswerColumn[] = [],
): void {
  const columns = [...shown, ...hidden]
  const filters = createFilterSql(query.filters ?? [], columns)
  Object.assign(params, filters.params)
  for (const selection of items) {
    const own = columns.map(({ name, type }) =>
      selection.asked.find((column) => column.name === name && column.type === type),
    )
    selection.columns = columns.map(({ type }, index) => {
      const id = own[index]?.id
      return { id: id !== undefined && selection.stored.get(id) === type ? id : undefined, type }
    })
    selection.isAsked = own.map((column) => column !== undefined)
    selection.conditions = [...filters.conditionsOf(selection.isAsked), ...clockConditions(query)]
  }
}
