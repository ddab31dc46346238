import type { ChartTable, ChartWindow } from './chart-handle.ts'
import { indexesInView, visibleSeries } from './model.ts'
import type { Model, SeriesModel } from './model.ts'
import type { ChartFormatter } from './formatter.ts'

/**
 * Returns the visible series in the window as rows, one per distinct x, ascending. If a series has several values at
 * one x, the last one wins.
 */
export function toTable(
  model: Model,
  view: ChartWindow,
  limit: number,
  formatter: ChartFormatter,
): ChartTable {
  const series = visibleSeries(model)
  const { kind, format } = model.spec.x ?? {}
  const name = kind === 'number' ? 'x' : format === 'dayOfYear' ? 'Day' : 'Time'
  const columns = [name, ...columnLabels(series)]
  const rows: ChartTable['rows'] = []
  let totalRows = 0
  for (const { x, cells } of mergedRows(model, view)) {
    totalRows++
    if (rows.length < limit) rows.push({ x, xText: formatter.x(x), cells: [...cells] })
  }
  const axes = { left: model.spec.leftAxis, right: model.spec.rightAxis }
  const formats = series.flatMap((one) => {
    const decimals = axes[one.side]?.decimals ?? one.decimals
    const format = { decimals, text: (value: number) => formatter.number(one, value) }
    return one.low ? [format, format] : [format]
  })
  return { columns, formats, rows, totalRows }
}

/** Returns the column names: the labels of the series, including the axis for duplicates. A band has two columns. */
export function columnLabels(series: readonly SeriesModel[]): string[] {
  const labels = series.map(({ spec }) => String(spec.label))
  return series.flatMap(({ label, low }, at) => {
    const name = labels.indexOf(labels[at]!) === labels.lastIndexOf(labels[at]!) ? labels[at]! : label
    return low ? [`${name} low`, `${name} high`] : [name]
  })
}

/** Iterates over all visible series in the window at once. Reuses the list of cells for each row. */
export function* mergedRows(
  model: Model,
  view: ChartWindow,
): Generator<{ x: number; cells: readonly (number | null)[] }> {
  const lists = visibleSeries(model).flatMap(({ points, low }) => (low ? [low, points] : [points]))
  const cursors = lists.map((points) => {
    const [at, end] = indexesInView(points, view)
    return { points, at, end }
  })
  const cells: (number | null)[] = cursors.map(() => null)
  for (;;) {
    let x = Infinity
    for (const { points, at, end } of cursors) if (at < end && points.x[at]! < x) x = points.x[at]!
    if (x === Infinity) return
    cursors.forEach((cursor, i) => {
      cells[i] = null
      while (cursor.at < cursor.end && cursor.points.x[cursor.at] === x) {
        const value = cursor.points.y[cursor.at++]!
        if (value === value) cells[i] = value
      }
    })
    yield { x, cells }
  }
}
