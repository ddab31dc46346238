import type { DataPrepSymbols } from '../../../contract/index.ts'
import type { LoadedResult } from '../../series/loaded-result.ts'
import { resultColumns } from '../../series/series-result.ts'
import { givenNames } from '../../series/series-name.ts'
import { wallClockReader } from '../../series/wall-clock.ts'
import type { SeriesData } from './chart-data.ts'

/** What the points of a chart are read from. */
export interface PointsSource {
  timeZone: string
  results: readonly LoadedResult[]
  /** Symbols of series that name none themselves. */
  prepSymbols: readonly DataPrepSymbols[]
  /** Whether the answers come from no question of the tile itself: a saved data prep, a file, another tile. */
  fromElsewhere?: boolean
}

/** Points in the order of x; x is a moment in epoch milliseconds or a number, y is NaN where there is no value. */
export interface SeriesPoints {
  x: Float64Array
  y: Float64Array
}

/** Whether x of a series is a column of numbers. */
export function isOverNumbers({ columnXAxis, columnXAxisIsNumber }: SeriesData): boolean {
  return columnXAxis !== '' && columnXAxisIsNumber
}

/** The text of a series in legend and tooltip. */
export function seriesLabel({
  label,
  symbolList,
  column,
}: Pick<SeriesData, 'label' | 'symbolList' | 'column'>): string {
  if (label !== '') return label
  return givenNames(symbolList, column)[2]!
}

/**
 * The points of a series, oldest first; several symbols, or several values at one x, become one.
 * @param source `isScattered`: whether several values at one x are drawn all the same, one above the other
 * @param grouped makes one value of several at the same x
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

/** Whether there are several values at one x; dots are drawn all the same, one above the other. */
function isRepeated({ x }: SeriesPoints): boolean {
  return x.some((value, index) => index > 0 && x[index - 1] === value)
}

/** The points in the order of x; rows of a file, and those of another column, may stand in any. */
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

/** A cell as a number; NaN for an empty one and for text. */
export function toNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text)
}
