import type { DataPrepSymbols } from '../../../contract/index.ts'
import type { LoadedResult } from '../../series/loaded-result.ts'
import { resultColumns } from '../../series/series-result.ts'
import { distinctLabels } from '../../series/distinct-labels.ts'
import { givenNames } from '../../series/series-name.ts'
import { wallClockReader } from '../../series/wall-clock.ts'
import type { SeriesData } from './chart-data.ts'

/** The data of the points of a chart. */
export interface PointsSource {
  /** IANA zone of the dates. */
  timeZone: string
  /** The results of the tile. */
  results: readonly LoadedResult[]
  /** Symbols of series without own symbols. */
  prepSymbols: readonly DataPrepSymbols[]
  /** Whether the data come from a saved data prep, a file or another tile. Default false. */
  fromElsewhere?: boolean
}

/** Points in the order of x. */
export interface SeriesPoints {
  /** Epoch milliseconds or numbers. */
  x: Float64Array
  /** Values; NaN marks a missing value. */
  y: Float64Array
}

/** Returns whether the x axis of a series is a column of numbers. */
export function isOverNumbers({ columnXAxis, columnXAxisIsNumber }: SeriesData): boolean {
  return columnXAxis !== '' && columnXAxisIsNumber
}

/** Returns the label of a series in legend and tooltip. */
export function seriesLabel({
  label,
  symbolList,
  column,
}: Pick<SeriesData, 'label' | 'symbolList' | 'column'>): string {
  if (label !== '') return label
  return givenNames(symbolList, column)[2]!
}

/** Returns the labels of the series of a chart in legend, tooltip and report. The labels distinguish the series. */
export function seriesLabels(
  series: readonly (Pick<SeriesData, 'label' | 'symbolList' | 'column' | 'groupName'> & {
    movingAverage?: boolean
    movingAverageValue?: number
    axis?: 'left' | 'right' | 'automatic'
  })[],
): string[] {
  return distinctLabels(
    series.map((each) => ({
      ...each,
      label: seriesLabel(each),
      movingAverage: each.movingAverage === true ? each.movingAverageValue : undefined,
    })),
  )
}

/**
 * Returns the points of a series, oldest first. Several symbols, or several values at one x, become one.
 * @param source `isScattered`: whether all values at one x are drawn
 * @param grouped merges values at the same x
 */
export function pointsOfSeries(
  series: SeriesData,
  source: PointsSource & { isScattered?: boolean },
  grouped: (points: SeriesPoints) => SeriesPoints,
): SeriesPoints {
  const { timeZone, results, prepSymbols, fromElsewhere = false } = source
  const symbols: readonly { groupName: string; symbols: Record<string, string> }[] =
    series.symbolList.length > 0
      ? series.symbolList.map((each) => ({ groupName: series.groupName, symbols: each }))
      : prepSymbols
  const lists =
    series.symbolList.length === 0 && fromElsewhere
      ? results.map((loaded) => readPoints(loaded, loaded.result.rows, series, timeZone))
      : symbols.flatMap((entry) =>
          results
            .filter(({ groupNames }) => groupNames.has(entry.groupName))
            .map((loaded) => readPoints(loaded, loaded.rowsOf(entry.symbols), series, timeZone)),
        )
  const [only = empty] = lists
  if (lists.length < 2) return isRepeated(only) && source.isScattered !== true ? grouped(only) : only
  return grouped({
    x: Float64Array.from(lists.flatMap(({ x }) => [...x])),
    y: Float64Array.from(lists.flatMap(({ y }) => [...y])),
  })
}

/** Returns whether there are several values at one x. */
function isRepeated({ x }: SeriesPoints): boolean {
  return x.some((value, index) => index > 0 && x[index - 1] === value)
}

/** Sorts points by x, because rows of files and values of other columns can be in any order. */
function ordered({ x, y }: SeriesPoints): SeriesPoints {
  const isSorted = x.every((value, index) => index === 0 || x[index - 1]! <= value)
  if (isSorted) return { x, y }
  const order = Array.from(x.keys()).filter((index) => !Number.isNaN(x[index]!))
  order.sort((a, b) => x[a]! - x[b]!)
  return {
    x: Float64Array.from(order, (index) => x[index]!),
    y: Float64Array.from(order, (index) => y[index]!),
  }
}

const empty: SeriesPoints = { x: new Float64Array(), y: new Float64Array() }

function readPoints(
  { result, isTable }: LoadedResult,
  rows: readonly string[][],
  series: SeriesData,
  zone: string,
): SeriesPoints {
  const columns = resultColumns(result)
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
    const position = rows.length - 1 - index
    x[position] = isNumber ? toNumber(row[at.index]!) : readTime(row[at.index]!)
    y[position] = toNumber(row[value.index]!)
  })
  return isTable || byColumn ? ordered({ x, y }) : { x, y }
}

/** Parses a cell as a number; NaN for an empty cell and for text. */
export function toNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text)
}
