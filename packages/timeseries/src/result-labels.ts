import { combinedColumns, type CombinedColumn } from './column-functions.ts'
import { CellColumns } from './column-layout.ts'
import { unionColumns } from './open-selections.ts'
import type { SeriesLabel } from './query-result.ts'
import { createFormatter, type ResultColumn } from './result-format.ts'
import { seriesTexts } from './result-text.ts'
import { SeriesGroups } from './series-groups.ts'
import type { ZonedQuery } from './time-zones.ts'

/** Collects the columns of a result and the labels of its series while the selections are opened. */
export function createResultLabels(query: ZonedQuery) {
  const columns = unionColumns(query)
  const formatter = createFormatter(query, columns)
  const texts = seriesTexts(query)
  const combined = query.aggregate && combinedColumns(query, columns, query.aggregate.functions)
  const cells = query.layout === 'columns' ? new CellColumns(combined ?? columns) : undefined
  const groups = query.aggregate ? new SeriesGroups() : undefined

  /** Returns the labels of a series of the result. */
  function ofSeries(
    label: SeriesLabel,
    index: number,
    selectionIndex: number,
    requested: readonly ResultColumn[],
  ): string[] {
    texts.add(label, index)
    if (!cells) return formatter.labels(label, index, requested)
    const own = combined ? madeOf(combined, columns, requested) : requested
    cells.add(label, index, selectionIndex, own)
    return []
  }

  /** Returns the labels of a series of a selection, or of its group. */
  function ofSelection(label: SeriesLabel, index: number, selectionIndex: number): string[] {
    const requested = query.selections[selectionIndex]!.columns
    return groups ? [String(groups.add(label, requested))] : ofSeries(label, index, selectionIndex, requested)
  }

  return {
    columns,
    formatter,
    texts,
    /** Columns of the result with `layout: 'columns'`. */
    cells,
    /** Combined series with `aggregate`. */
    groups,
    ofSeries,
    ofSelection,
    labelCount: cells ? 1 : formatter.labels(noSeries, 0, []).length + 1,
  }
}

/** The labels of a result. */
export type ResultLabels = ReturnType<typeof createResultLabels>

const noSeries = { sid: 0, symbols: [] }

/** Returns the combined columns that have one of these columns as their source. */
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
