import {
  automaticAxes,
  colorOfSeries,
  groupBySameX,
  movingAverage,
  paletteColors,
  seasonality,
  seasonalRange,
  type AxisSide,
  type AxisSpec,
  type ChartSpec,
  type ColorRule,
  type Season,
  type SeriesSpec,
} from '@headwater/charts/values'
import {
  isOverNumbers,
  pointsOfSeries,
  seriesLabel,
  seriesLabels,
  toNumber,
  type PointsSource,
  type SeriesPoints,
} from './chart-points.ts'
import { matchingSeries, type MatchingSeries } from './matching-series.ts'
import type { ChartRule, ChartSeries, ChartTile } from './chart-tile.ts'

/** The data and settings of a chart. */
export interface ChartSource extends PointsSource {
  /** The settings of the chart. */
  chart: ChartTile
  /** Current time in epoch milliseconds, for seasonal years that begin with the current month. */
  now: number
}

/** Returns the spec of a chart tile. */
export function chartSpecOfTile(stored: ChartSource): ChartSpec {
  return drawnChart(stored).spec
}

/** Returns the spec of a chart tile, the lines that it omits, and the names of the series without points. */
export function drawnChart(stored: ChartSource): {
  spec: ChartSpec
  cut: MatchingSeries<ChartSeries>['cut']
  empty: string[]
} {
  const { results, fromElsewhere = false } = stored
  const { series, cut } = matchingSeries(stored.chart.series, results, { fromElsewhere })
  const spec = specOf({ ...stored, chart: { ...stored.chart, series } })
  return { spec, cut, empty: stored.chart.basicChartType === 'seasonality' ? [] : namesOfEmpty(series, spec) }
}

/** Names the series without points by all their keys, because parameters can give several series the same label. */
function namesOfEmpty(series: readonly ChartSeries[], spec: ChartSpec): string[] {
  return series
    .filter((_, index) => spec.series[index]!.x.length === 0)
    .map((each) => seriesLabel({ ...each, label: each.symbolList.length === 0 ? each.label : '' }))
}

function specOf(source: ChartSource): ChartSpec {
  const { chart, timeZone } = source
  const isSeasonal = chart.basicChartType === 'seasonality'
  const labels = seriesLabels(chart.series)
  const points = chart.series.map((series) => pointsOf(series, source))
  const axes = automaticAxes(chart.series.map(({ axis }, at) => ({ axis, y: points[at]!.y })))
  const drawn = chart.series.map((series, at) => ({
    series: { ...series, axis: axes[at]! },
    label: labels[at]!,
    points: points[at]!,
  }))
  const overNumbers = !isSeasonal && chart.series.length > 0 && chart.series.every(isOverNumbers)
  return {
    series: isSeasonal
      ? seasonSeries(drawn, source)
      : drawn.map(({ series, label, points }) => seriesSpec(series, { label, points }, chart)),
    x: isSeasonal
      ? { kind: 'time', format: 'dayOfYear', timeZone: 'UTC' }
      : overNumbers
        ? { kind: 'number' }
        : { kind: 'time', timeZone },
    leftAxis: axisOf(chart.leftAxis),
    rightAxis: axisOf(chart.rightAxis),
    legend: {
      show: chart.showLegend,
      size: chart.legendSize,
      // A clipped legend shows the newest years.
      sorting: chart.legendSorting ?? (isSeasonal ? 'DESC' : undefined),
    },
    ...(chart.chartTitle === '' ? {} : { title: chart.chartTitle, titleSize: chart.titleSize }),
    palette: chart.palette,
    interpolation: chart.interpolation,
    layout: chart.layout,
  }
}

function axisOf({ domain, unit, min, max, log, numberFormat, decimals }: ChartTile['leftAxis']): AxisSpec {
  return { domain, unit, min, max, log, numberFormat, decimals }
}

/** Returns whether the spec has anything to draw. */
export function hasPoints({ series }: ChartSpec): boolean {
  return series.some(({ x }) => x.length > 0)
}

/** Returns the CSS colour of each series, for the editor. */
export function seriesColors(chart: Pick<ChartTile, 'series' | 'palette'>): string[] {
  return chart.series.map(({ color }, index) => {
    if (color !== undefined) return color.startsWith('--') ? `var(${color})` : color
    return colorOfSeries(chart.palette, index)
  })
}

/** A series whose axis is known. */
type DrawnSeries = ChartSeries & { axis: AxisSide }

function seriesSpec(
  series: DrawnSeries,
  { label, points }: { label: string; points: SeriesPoints },
  chart: ChartTile,
): SeriesSpec {
  return {
    label,
    kind: series.chartType,
    axis: series.axis,
    ...averaged(series, points),
    color: series.color,
    thickness: series.lineThickness,
    opacity: series.lineOpacity,
    lineStyle: series.lineStyle,
    dotSize: series.dotSize,
    interpolation: series.interpolation,
    referenceLine: series.withReferenceLine,
    isHistogram: series.isHistogram,
    colorRules: colorRules(series, chart.conditionalFormatting),
  }
}

/** Style of years beyond the colours of the palette. */
const quietYears = { color: '--text-3', opacity: 0.3 }

/**
 * Returns one line for each seasonal year, the newest one last and thicker, above the range and average of earlier years. If there are more
 * years than colours, the newest years get the colours and older ones are grey, so that no two years look alike.
 */
function seasonSeries(
  drawn: { series: DrawnSeries; label: string; points: SeriesPoints }[],
  source: ChartSource,
): SeriesSpec[] {
  const { chart, timeZone, now } = source
  const colors = paletteColors(chart.palette)
  const all = drawn.map(({ series, label: name, points }) => {
    const seasons = seasonality(averaged(series, points), chart.seasonality, { timeZone, now })
    return {
      series,
      name,
      seasons: seasons.slice(-(chart.seasonLines ?? seasons.length)),
      allSeasons: seasons,
    }
  })
  const ranges = all.flatMap(({ series, name, allSeasons }, at) =>
    earlierYears(
      { series, name },
      allSeasons,
      chart,
      all.length > 1 ? colors[at % colors.length] : undefined,
    ),
  )
  const isMany = all.reduce((sum, { seasons }) => sum + seasons.length, 0) > colors.length
  const coloured = Math.max(1, Math.floor(colors.length / Math.max(1, all.length)))
  const lines = all.flatMap(({ series, name, seasons }, at) =>
    seasons.map(({ label, x, y }, index) => {
      const age = seasons.length - 1 - index
      const isQuiet = isMany && age >= coloured
      const spec: SeriesSpec = {
        ...seriesSpec(
          series,
          { label: drawn.length > 1 ? `${name} ${label}` : label, points: { x, y } },
          chart,
        ),
        // The newest years get the first colours even if there is a range. Otherwise colours would be assigned in the
        // order of the series.
        color:
          (isMany && !isQuiet) || ranges.length > 0
            ? colors[(age * all.length + at) % colors.length]
            : undefined,
        x,
        y,
        thickness: age === 0 ? series.lineThickness * 1.6 : series.lineThickness,
      }
      return isQuiet ? { ...spec, ...quietYears } : spec
    }),
  )
  // Grey lines are drawn first, below all others.
  const ordered = isMany
    ? lines.toSorted((a, b) => Number(b.color === quietYears.color) - Number(a.color === quietYears.color))
    : lines
  return [...ranges, ...ordered]
}

/**
 * Returns the range and the average of the five years before the newest year, if the chart shows them.
 * @param color colour of the series if there are several
 */
function earlierYears(
  { series, name: seriesName }: { series: DrawnSeries; name: string },
  seasons: readonly Season[],
  chart: ChartTile,
  color: string | undefined,
): SeriesSpec[] {
  const range = chart.seasonRange || chart.seasonAverage ? seasonalRange(seasons) : undefined
  if (range === undefined) return []
  const name = (what: string) =>
    color === undefined ? `${what} ${range.label}` : `${seriesName} ${what.toLowerCase()} ${range.label}`
  const shared = { axis: series.axis, x: range.x, interpolation: series.interpolation }
  const band: SeriesSpec = {
    ...shared,
    label: name('Range'),
    kind: 'area',
    y: range.high,
    low: range.low,
    color: color ?? '--text-3',
  }
  const average: SeriesSpec = {
    ...shared,
    label: name('Average'),
    kind: 'line',
    y: range.mean,
    color: color ?? '--text-2',
    lineStyle: 'DASHED',
    thickness: series.lineThickness,
  }
  return [...(chart.seasonRange ? [band] : []), ...(chart.seasonAverage ? [average] : [])]
}

/** Returns the points of a series, oldest first. Several symbols, or several values at one x, become one. */
function pointsOf(series: ChartSeries, source: ChartSource): SeriesPoints {
  const isScattered = series.chartType === 'scatter'
  return pointsOfSeries(series, { ...source, isScattered }, (points) =>
    groupBySameX(points, series.operation),
  )
}

function averaged(
  { movingAverage: on, movingAverageValue }: ChartSeries,
  points: SeriesPoints,
): SeriesPoints {
  return on ? { x: points.x, y: movingAverage(points.y, movingAverageValue) } : points
}

/** Returns whether a rule applies to a series, by its label or by its names before parameters changed its symbols. */
function isOf(applyTo: string, series: ChartSeries): boolean {
  const { namesBefore = [] } = series
  return applyTo === 'ALL' || applyTo === seriesLabel(series) || namesBefore.includes(applyTo)
}

/** Converts rules with a range to colour rules of the engine. Other conditions cannot colour numbers. */
function colorRules(series: ChartSeries, rules: readonly ChartRule[]): ColorRule[] {
  return rules.flatMap((rule): ColorRule[] => {
    if (rule.color === undefined || !isOf(rule.applyTo, series)) return []
    const a = toNumber(rule.conditionValueA)
    const b = toNumber(rule.conditionValueB)
    if (Number.isNaN(a)) return []
    const { color } = rule
    switch (rule.condition) {
      case '>':
        return [{ from: above(a), color }]
      case '>=':
        return [{ from: a, color }]
      case '<':
        return [{ to: below(a), color }]
      case '<=':
        return [{ to: a, color }]
      case '==':
        return [{ from: a, to: a, color }]
      case '!=':
        return [
          { to: below(a), color },
          { from: above(a), color },
        ]
      case 'between':
        return Number.isNaN(b) ? [] : [{ from: Math.min(a, b), to: Math.max(a, b), color }]
      case 'not between':
        return Number.isNaN(b)
          ? []
          : [
              { to: below(Math.min(a, b)), color },
              { from: above(Math.max(a, b)), color },
            ]
      default:
        return []
    }
  })
}

/** Returns the next larger double, approximately. */
function above(value: number): number {
  return value + Math.max(Math.abs(value) * Number.EPSILON, Number.MIN_VALUE)
}

function below(value: number): number {
  return value - Math.max(Math.abs(value) * Number.EPSILON, Number.MIN_VALUE)
}
