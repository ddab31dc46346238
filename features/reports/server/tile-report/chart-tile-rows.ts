import {
  decimalsOf,
  formatValue,
  groupBySameX,
  movingAverage,
  NUMBER_FORMATS,
  type NumberFormatOptions,
  OPERATIONS,
  SEASON_STARTS,
  seasonality,
  seasonalRange,
} from '@headwater/charts/values'
import { z } from 'zod'
import type { DataPrepSymbols, Tile } from '@headwater/tiles/contract'
import {
  basicChartTypes,
  seasonFields,
  seriesData,
  isOverNumbers,
  pointsOfSeries,
  seriesLabel,
  type SeriesPoints,
  matchingSeries,
  listOf,
  text,
} from '@headwater/tiles/core'
import { momentText } from './moment-text.ts'
import { maxReportRows } from './report-tile.ts'
import type { ShownRows } from './shown-rows.ts'
import type { TileRows } from './tile-data.ts'

/** How an axis writes its numbers. */
const axisLook = z
  .looseObject({
    unit: z.string().optional().catch(undefined),
    numberFormat: z.enum(NUMBER_FORMATS).catch('Automatic'),
    decimals: z.int().min(0).max(10).optional().catch(undefined),
  })
  .catch({ unit: undefined, numberFormat: 'Automatic', decimals: undefined })

const drawnSeries = seriesData.extend({
  axis: z.enum(['left', 'right']).catch('left'),
  operation: z.enum(OPERATIONS).catch('SUM'),
  chartType: text,
})
type DrawnSeries = z.output<typeof drawnSeries>

const drawnChart = z.looseObject({
  basicChartType: z.enum(basicChartTypes).catch('composed'),
  series: listOf(drawnSeries),
  leftAxis: axisLook,
  rightAxis: axisLook,
  seasonality: z.enum(SEASON_STARTS).catch('January'),
  ...seasonFields,
})
type DrawnChart = z.output<typeof drawnChart>

/** The chart of a tile, as far as its values go. */
export function drawnChartOf(tile: Tile): DrawnChart {
  return drawnChart.parse(tile)
}

/** A line of a chart: its points, how its axis writes numbers, and decimals that its values have at most. */
interface Line extends SeriesPoints {
  label: string
  look: NumberFormatOptions
  mostDecimals: number
}

/**
 * The values that a chart draws, a column for each line. Rows stand by time, the newest first; over another column of
 * numbers by that; the days of seasons from the newest one back, a column for each season.
 * @param now the present, for seasons that begin with the current month; epoch milliseconds
 */
export function chartTileRows(
  stored: DrawnChart,
  { results, range, isFromElsewhere }: TileRows,
  { prepSymbols, now }: { prepSymbols: readonly DataPrepSymbols[]; now: number },
): ShownRows {
  const { timeZone, decimalPrecision } = range
  const { series } = matchingSeries(stored.series, results, { fromElsewhere: isFromElsewhere })
  const source = { timeZone, results, prepSymbols, fromElsewhere: isFromElsewhere }
  const lines = series.map((each): Line => {
    const points = pointsOf(each)
    const averaged = each.movingAverage
      ? { ...points, y: movingAverage(points.y, each.movingAverageValue) }
      : points
    const look = each.axis === 'right' ? stored.rightAxis : stored.leftAxis
    return { label: seriesLabel(each), look, mostDecimals: decimalPrecision ?? Infinity, ...averaged }
  })
  if (stored.basicChartType === 'seasonality')
    return seasonRows(lines, stored, { timeZone, decimalPrecision, now })
  const isOverColumn = series.length > 0 && series.every(isOverNumbers)
  const places = placesOf(lines)
  return isOverColumn
    ? shownRows(lines, places, { header: 'x', isNumber: true, textOf: String, isNewestFirst: false })
    : shownRows(lines, places.toReversed(), {
        header: `Time (${timeZone})`,
        textOf: (time) => momentText(time, timeZone),
        isNewestFirst: true,
      })

  function pointsOf(each: DrawnSeries): SeriesPoints {
    const isScattered = each.chartType === 'scatter'
    return pointsOfSeries(each, { ...source, isScattered }, (points) => groupBySameX(points, each.operation))
  }
}

function seasonRows(
  lines: readonly Line[],
  { seasonality: start, seasonRange, seasonAverage, seasonLines }: DrawnChart,
  given: { timeZone: string; decimalPrecision: number | null; now: number },
): ShownRows {
  const bySeries = lines.map((line) => {
    const all = seasonality(line, start, given)
    const named = (label: string) => (lines.length > 1 ? `${line.label} ${label}` : label)
    const newest = all.slice(-(seasonLines ?? all.length)).toReversed()
    const seasons = newest.map((season): Line => ({ ...line, ...season, label: named(season.label) }))
    const range = seasonRange || seasonAverage ? seasonalRange(all) : undefined
    if (range === undefined) return seasons
    const { x, low, high, mean, label } = range
    const mostDecimals = given.decimalPrecision ?? Infinity
    const column = (name: string, y: Float64Array): Line => ({
      x,
      y,
      label: named(name),
      look: line.look,
      mostDecimals,
    })
    return [
      ...seasons,
      ...(seasonAverage ? [column(`Average ${label}`, mean)] : []),
      ...(seasonRange ? [column(`Range ${label} low`, low), column(`Range ${label} high`, high)] : []),
    ]
  })
  const newestDay = Math.max(...bySeries.map(([newest]) => newest?.x.at(-1) ?? -Infinity))
  const seasons = bySeries.flat()
  const days = placesOf(seasons).toReversed()
  // a season that has just begun leads, and the days before it are those of the seasons before
  const ordered = [...days.filter((day) => day <= newestDay), ...days.filter((day) => day > newestDay)]
  return shownRows(seasons, ordered, { header: 'Day', textOf: dayText, isNewestFirst: true })
}

function dayText(time: number): string {
  return new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
}

/** Every x of the lines, each once, the least first. */
function placesOf(lines: readonly Line[]): number[] {
  const places = new Set(lines.flatMap(({ x }) => [...x]))
  return [...places].filter((x) => Number.isFinite(x)).toSorted((a, b) => a - b)
}

/** The rows of all lines at some places; of several values at one x of a line the last is taken. */
function shownRows(
  lines: readonly Line[],
  places: readonly number[],
  given: { header: string; isNumber?: boolean; textOf: (x: number) => string; isNewestFirst: boolean },
): ShownRows {
  const rows = new Map(places.slice(0, maxReportRows).map((place) => [place, lines.map(() => Number.NaN)]))
  lines.forEach(({ x, y }, at) =>
    x.forEach((place, index) => {
      const row = rows.get(place)
      if (row !== undefined && !Number.isNaN(y[index]!)) row[at] = y[index]!
    }),
  )
  const decimals = lines.map(({ mostDecimals }, at) =>
    Math.min(mostDecimals, decimalsOf([...rows.values()].map((row) => row[at]!))),
  )
  return {
    header: [given.header, ...lines.map(({ label }) => label)],
    isNumber: [given.isNumber === true, ...lines.map(() => true)],
    rows: [...rows].map(([place, row]) => [
      given.textOf(place),
      ...row.map((value, at) =>
        Number.isNaN(value) ? '' : formatValue(value, decimals[at]!, lines[at]!.look),
      ),
    ]),
    total: places.length,
    isNewestFirst: given.isNewestFirst,
  }
}
