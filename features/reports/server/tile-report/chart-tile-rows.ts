import {
  automaticAxes,
  decimalsOf,
  formatValue,
  groupBySameX,
  movingAverage,
  type NumberFormatOptions,
  seasonality,
  seasonalRange,
} from '@headwater/charts/values'
import type { DataPrepSymbols } from '@headwater/tile-data/contract'
import {
  type ChartSeries,
  type ChartTile,
  isOverNumbers,
  pointsOfSeries,
  seriesLabels,
  type SeriesPoints,
  matchingSeries,
} from '@headwater/tile-data/core'
import { timeText } from './time-text.ts'
import type { VisibleRows } from './visible-rows.ts'
import type { TileRows } from './tile-data.ts'

/** A line of a chart: its points, the number format of its axis and its maximum number of decimals. */
interface Line extends SeriesPoints {
  label: string
  look: NumberFormatOptions
  maxDecimals: number
}

/**
 * Returns the values of a chart, a column for each line. Rows are in the order of time, newest first, or of the x column. A seasonality
 * chart has a column for each season and its days from the newest back.
 * @param now current time for seasons that begin with the current month, in epoch milliseconds
 */
export function chartTileRows(
  stored: ChartTile,
  { results, range, isFromElsewhere }: TileRows,
  { prepSymbols, now, maxRows }: { prepSymbols: readonly DataPrepSymbols[]; now: number; maxRows: number },
): VisibleRows {
  const { timeZone, decimalPrecision } = range
  const { series } = matchingSeries(stored.series, results, { fromElsewhere: isFromElsewhere })
  const source = { timeZone, results, prepSymbols, fromElsewhere: isFromElsewhere }
  const labels = seriesLabels(series)
  const allPoints = series.map(pointsOf)
  const axes = automaticAxes(series.map(({ axis }, at) => ({ axis, y: allPoints[at]!.y })))
  const lines = series.map((each, at): Line => {
    const points = allPoints[at]!
    const averaged = each.movingAverage
      ? { ...points, y: movingAverage(points.y, each.movingAverageValue) }
      : points
    const look = axes[at] === 'right' ? stored.rightAxis : stored.leftAxis
    return { label: labels[at]!, look, maxDecimals: decimalPrecision ?? Infinity, ...averaged }
  })
  if (stored.basicChartType === 'seasonality')
    return seasonRows(lines, stored, { timeZone, decimalPrecision, now, maxRows })
  const isOverColumn = series.length > 0 && series.every(isOverNumbers)
  const xs = sortedXOf(lines)
  return isOverColumn
    ? rowsAt(lines, xs, {
        header: 'x',
        isNumber: true,
        textOf: String,
        isNewestFirst: false,
        maxRows,
      })
    : rowsAt(lines, xs.toReversed(), {
        header: `Time (${timeZone})`,
        textOf: (time) => timeText(time, timeZone),
        isNewestFirst: true,
        maxRows,
      })

  function pointsOf(each: ChartSeries): SeriesPoints {
    const isScattered = each.chartType === 'scatter'
    return pointsOfSeries(each, { ...source, isScattered }, (points) => groupBySameX(points, each.operation))
  }
}

function seasonRows(
  lines: readonly Line[],
  { seasonality: start, seasonRange, seasonAverage, seasonLines }: ChartTile,
  given: { timeZone: string; decimalPrecision: number | null; now: number; maxRows: number },
): VisibleRows {
  const bySeries = lines.map((line) => {
    const all = seasonality(line, start, given)
    const named = (label: string) => (lines.length > 1 ? `${line.label} ${label}` : label)
    const newest = all.slice(-(seasonLines ?? all.length)).toReversed()
    const seasons = newest.map((season): Line => ({ ...line, ...season, label: named(season.label) }))
    const range = seasonRange || seasonAverage ? seasonalRange(all) : undefined
    if (range === undefined) return seasons
    const { x, low, high, mean, label } = range
    const maxDecimals = given.decimalPrecision ?? Infinity
    const column = (name: string, y: Float64Array): Line => ({
      x,
      y,
      label: named(name),
      look: line.look,
      maxDecimals,
    })
    return [
      ...seasons,
      ...(seasonAverage ? [column(`Average ${label}`, mean)] : []),
      ...(seasonRange ? [column(`Range ${label} low`, low), column(`Range ${label} high`, high)] : []),
    ]
  })
  const newestDay = Math.max(...bySeries.map(([newest]) => newest?.x.at(-1) ?? -Infinity))
  const seasons = bySeries.flat()
  const days = sortedXOf(seasons).toReversed()
  // The days of the current season come first, then the later days of earlier seasons.
  const ordered = [...days.filter((day) => day <= newestDay), ...days.filter((day) => day > newestDay)]
  return rowsAt(seasons, ordered, {
    header: 'Day',
    textOf: dayText,
    isNewestFirst: true,
    maxRows: given.maxRows,
  })
}

function dayText(time: number): string {
  return new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
}

/** Returns the distinct x values of all lines, ascending. */
function sortedXOf(lines: readonly Line[]): number[] {
  const xs = new Set(lines.flatMap(({ x }) => [...x]))
  return [...xs].filter((x) => Number.isFinite(x)).toSorted((a, b) => a - b)
}

/** Returns the rows of all lines at x values; the last of several values of a line at one x counts. */
function rowsAt(
  lines: readonly Line[],
  xs: readonly number[],
  given: {
    header: string
    isNumber?: boolean
    textOf: (x: number) => string
    isNewestFirst: boolean
    maxRows: number
  },
): VisibleRows {
  const rows = new Map(xs.slice(0, given.maxRows).map((xValue) => [xValue, lines.map(() => Number.NaN)]))
  lines.forEach(({ x, y }, at) =>
    x.forEach((xValue, index) => {
      const row = rows.get(xValue)
      if (row !== undefined && !Number.isNaN(y[index]!)) row[at] = y[index]!
    }),
  )
  const decimals = lines.map(({ maxDecimals }, at) =>
    Math.min(maxDecimals, decimalsOf([...rows.values()].map((row) => row[at]!))),
  )
  return {
    header: [given.header, ...lines.map(({ label }) => label)],
    isNumber: [given.isNumber === true, ...lines.map(() => true)],
    rows: [...rows].map(([xValue, row]) => [
      given.textOf(xValue),
      ...row.map((value, at) =>
        Number.isNaN(value) ? '' : formatValue(value, decimals[at]!, lines[at]!.look),
      ),
    ]),
    total: xs.length,
    isNewestFirst: given.isNewestFirst,
  }
}
