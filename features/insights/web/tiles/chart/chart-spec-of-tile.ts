import {
  groupBySameX,
  movingAverage,
  paletteColors,
  seasonality,
  type ChartSpec,
  type ColorRule,
  type SeriesSpec,
  type XY,
} from '@headwater/charts'
import { answerColumns } from '../../series/series-answer.ts'
import type { LoadedAnswer } from '../../series/use-series.ts'
import { wallClockReader } from '../../series/wall-clock.ts'
import type { DataPrepSymbols } from '../../../contract/index.ts'
import { givenNames } from '../../components/series-name.ts'
import { foundSeries } from './found-series.ts'
import type { ChartRule, ChartSeries, ChartTile } from './chart-tile.ts'

/** What a chart is drawn from. */
export interface ChartSource {
  chart: ChartTile
  timeZone: string
  answers: readonly LoadedAnswer[]
  /** Symbols of series that name none themselves. */
  prepSymbols: readonly DataPrepSymbols[]
  /** Whether the answers come from no question of the tile itself: a saved data prep, a file, another tile. */
  fromElsewhere?: boolean
  /** The present, for a seasonal year that begins with the current month. Epoch milliseconds. */
  now: number
}

/** The picture of a chart tile. */
export function chartSpecOfTile(stored: ChartSource): ChartSpec {
  const { timeZone, answers, fromElsewhere = false } = stored
  const chart = { ...stored.chart, series: foundSeries(stored.chart.series, answers, { fromElsewhere }) }
  const source = { ...stored, chart }
  const isSeasonal = chart.basicChartType === 'seasonality'
  const drawn = chart.series.map((series) => ({ series, points: pointsOf(series, source) }))
  const overNumbers = !isSeasonal && chart.series.length > 0 && chart.series.every(isOverNumbers)
  return {
    series: isSeasonal
      ? seasonSeries(drawn, source)
      : drawn.map(({ series, points }) => seriesSpec(series, points, chart)),
    x: isSeasonal
      ? { kind: 'time', format: 'dayOfYear', timeZone: 'UTC' }
      : overNumbers
        ? { kind: 'number' }
        : { kind: 'time', timeZone },
    leftAxis: { domain: chart.leftAxis.domain, unit: chart.leftAxis.unit },
    rightAxis: { domain: chart.rightAxis.domain, unit: chart.rightAxis.unit },
    legend: {
      show: chart.showLegend,
      size: chart.legendSize,
      // a legend that is cut off has the newest years in sight
      sorting: chart.legendSorting ?? (isSeasonal ? 'DESC' : undefined),
    },
    ...(chart.chartTitle === '' ? {} : { title: chart.chartTitle, titleSize: chart.titleSize }),
    palette: chart.palette,
    interpolation: chart.interpolation,
    layout: chart.layout,
  }
}

/** Whether the spec has anything to draw. */
export function hasPoints({ series }: ChartSpec): boolean {
  return series.some(({ x }) => x.length > 0)
}

/** The colour of each series as the chart draws it, for the editor. */
export function seriesColors(chart: Pick<ChartTile, 'series' | 'palette'>): string[] {
  const colors = paletteColors(chart.palette)
  return chart.series.map(({ color }, index) => {
    if (color !== undefined) return color.startsWith('--') ? `var(${color})` : color
    return colors[index % colors.length]!
  })
}

function isOverNumbers({ columnXAxis, columnXAxisIsNumber }: ChartSeries): boolean {
  return columnXAxis !== '' && columnXAxisIsNumber
}

function seriesSpec(series: ChartSeries, points: Points, chart: ChartTile): SeriesSpec {
  return {
    label: labelOf(series),
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

/** The colour of years that the palette has none for, and how much of it shows. */
const quietYears = { color: '--text-3', opacity: 0.3 }

/**
 * One line for each seasonal year, the newest one last and thicker. With more years than the palette has colours the
 * newest take them, and the older ones stand quietly behind, so that no two years look alike.
 */
function seasonSeries(drawn: { series: ChartSeries; points: Points }[], source: ChartSource): SeriesSpec[] {
  const { chart, timeZone, now } = source
  const colors = paletteColors(chart.palette)
  const all = drawn.map(({ series, points }) => ({
    series,
    seasons: seasonality(averaged(series, points), chart.seasonality, { timeZone, now }),
  }))
  const isMany = all.reduce((sum, { seasons }) => sum + seasons.length, 0) > colors.length
  const coloured = Math.max(1, Math.floor(colors.length / Math.max(1, all.length)))
  const lines = all.flatMap(({ series, seasons }, at) =>
    seasons.map(({ label, x, y }, index) => {
      const age = seasons.length - 1 - index
      const isQuiet = isMany && age >= coloured
      const spec: SeriesSpec = {
        ...seriesSpec(series, { x, y }, chart),
        color: isMany && !isQuiet ? colors[(age * all.length + at) % colors.length] : undefined,
        label: drawn.length > 1 ? `${labelOf(series)} ${label}` : label,
        x,
        y,
        thickness: age === 0 ? series.lineThickness * 1.6 : series.lineThickness,
      }
      return isQuiet ? { ...spec, ...quietYears } : spec
    }),
  )
  // what is quiet is drawn first, below all others
  return isMany
    ? lines.toSorted((a, b) => Number(b.color === quietYears.color) - Number(a.color === quietYears.color))
    : lines
}

/** The text of a series in legend and tooltip. */
export function labelOf({ label, symbolList, column }: ChartSeries): string {
  if (label !== '') return label
  return givenNames(symbolList, column)[2]!
}

interface Points {
  x: Float64Array
  y: Float64Array
}

function averaged({ movingAverage: on, movingAverageValue }: ChartSeries, points: Points): Points {
  return on ? { x: points.x, y: movingAverage(points.y, movingAverageValue) } : points
}

/** The points of a series, oldest first; several symbols, or several values at one x, become one. */
function pointsOf(series: ChartSeries, source: ChartSource): Points {
  const { timeZone, answers, prepSymbols, fromElsewhere = false } = source
  const symbols: readonly { groupName: string; symbols: Record<string, string> }[] =
    series.symbolList.length > 0
      ? series.symbolList.map((each) => ({ groupName: series.groupName, symbols: each }))
      : prepSymbols
  const lists =
    series.symbolList.length === 0 && fromElsewhere
      ? answers.map((loaded) => readPoints(loaded, loaded.answer.rows, series, timeZone))
      : symbols.flatMap((entry) =>
          answers
            .filter(({ groupNames }) => groupNames.has(entry.groupName))
            .map((loaded) => readPoints(loaded, loaded.rowsOf(entry.symbols), series, timeZone)),
        )
  const [only = empty] = lists
  if (lists.length < 2) return isRepeated(only) && series.chartType !== 'scatter' ? grouped(only) : only
  return grouped({ x: lists.flatMap(({ x }) => [...x]), y: lists.flatMap(({ y }) => [...y]) })

  function grouped(points: XY): Points {
    return groupBySameX(points, series.operation)
  }
}

/** Whether there are several values at one x; dots are drawn all the same, one above the other. */
function isRepeated({ x }: Points): boolean {
  return x.some((value, index) => index > 0 && x[index - 1] === value)
}

/** The points in the order of x; rows of a file, and those of another column, may stand in any. */
function ordered({ x, y }: Points): Points {
  const isSorted = x.every((value, index) => index === 0 || x[index - 1]! <= value)
  if (isSorted) return { x, y }
  const order = Array.from(x.keys()).filter((index) => !Number.isNaN(x[index]!))
  order.sort((a, b) => x[a]! - x[b]!)
  return {
    x: Float64Array.from(order, (index) => x[index]!),
    y: Float64Array.from(order, (index) => y[index]!),
  }
}

const empty: Points = { x: new Float64Array(), y: new Float64Array() }

function readPoints(
  { answer, isTable }: LoadedAnswer,
  rows: readonly string[][],
  series: ChartSeries,
  zone: string,
): Points {
  const columns = answerColumns(answer)
  const value = columns.find(
    ({ name, kind }) => name === series.column && (kind === 'number' || kind === 'text'),
  )
  const byColumn = series.columnXAxis !== ''
  const at = columns.find(({ name, kind }) =>
    byColumn ? name === series.columnXAxis && kind !== 'symbol' : kind === 'time',
  )
  if (value === undefined || at === undefined) return empty
  const isNumber = byColumn && series.columnXAxisIsNumber
  const readTime = wallClockReader(
    byColumn && series.columnXAxisTimezone !== '' ? series.columnXAxisTimezone : zone,
  )
  const x = new Float64Array(rows.length)
  const y = new Float64Array(rows.length)
  rows.forEach((row, index) => {
    const place = rows.length - 1 - index
    x[place] = isNumber ? toNumber(row[at.index]!) : readTime(row[at.index]!)
    y[place] = toNumber(row[value.index]!)
  })
  return isTable || byColumn ? ordered({ x, y }) : { x, y }
}

function toNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text)
}

/** Whether a rule is for a series; one that parameters chose other symbols for is known by its names before, too. */
function isOf(applyTo: string, series: ChartSeries): boolean {
  const { namesBefore = [] } = series
  return applyTo === 'ALL' || applyTo === labelOf(series) || namesBefore.includes(applyTo)
}

/** Rules with a range become colour rules of the engine; those of other conditions cannot colour numbers. */
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

/** The next number that a double can hold, near enough for a comparison. */
function above(value: number): number {
  return value + Math.max(Math.abs(value) * Number.EPSILON, Number.MIN_VALUE)
}

function below(value: number): number {
  return value - Math.max(Math.abs(value) * Number.EPSILON, Number.MIN_VALUE)
}
