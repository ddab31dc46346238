import { z } from 'zod'
import type { DataPrepSymbols, TileDataPrep } from '../../../contract/index.ts'
import { listOf, text } from '../../common/loose-fields.ts'

/** Kinds of charts: `composed` draws series over time or another column, `seasonality` compares the years of a series. */
export const basicChartTypes = ['composed', 'seasonality'] as const
/** Default window of a moving average, in values. */
export const defaultMovingAverage = 7

const flag = z.boolean().catch(false)
const symbolMap = z.record(z.string(), z.string())

/** The data of a chart series, without its style. Invalid values become the default. */
export const seriesData = z.looseObject({
  label: text.describe('Text of legend and tooltip.'),
  dynamic: flag.describe(
    'Whether each matching symbol is a separate line, and each column of numbers if the series has no column.',
  ),
  groupName: text.describe('Group of its symbols.'),
  symbolList: listOf(symbolMap).describe('Its symbols; several become one by `operation`.'),
  column: text.describe('Value column.'),
  columnXAxis: text.describe('Column that gives x; empty means the date.'),
  columnXAxisIsNumber: flag.describe('Whether that column holds numbers.'),
  columnXAxisTimezone: text.describe('Zone of the dates in this column; empty means the zone of the tile.'),
  movingAverage: flag.describe('Whether the moving average is drawn instead of the values.'),
  movingAverageValue: z
    .number()
    .int()
    .min(2)
    .max(10_000)
    .catch(defaultMovingAverage)
    .describe('Window of the moving average, as a number of values.'),
  namesBefore: z
    .array(z.string())
    .optional()
    .catch(undefined)
    .describe('Names before parameters changed the symbols, for rules that refer to them; never stored.'),
})
/** A parsed {@link seriesData}. */
export type SeriesData = z.output<typeof seriesData>

/** Maximum of `seasonLines`. */
const maxSeasonLines = 100

/** The fields of a seasonality chart. */
export const seasonFields = {
  seasonRange: flag.describe(
    'Whether a seasonality chart shows the range of the five years before the newest year as a band.',
  ),
  seasonAverage: flag.describe('Whether it shows the average of these five years as a line.'),
  seasonLines: z
    .int()
    .min(1)
    .max(maxSeasonLines)
    .optional()
    .catch(undefined)
    .describe('Number of newest years that a seasonality chart draws as lines, 1 to 100. Default: all.'),
}

/**
 * Returns whether a series draws its stored points without further computation. In that case fewer points can draw the
 * same line.
 */
export function drawsStoredPoints({
  dynamic,
  symbolList,
  columnXAxis,
  movingAverage,
}: Pick<SeriesData, 'dynamic' | 'symbolList' | 'columnXAxis' | 'movingAverage'>): boolean {
  const isOneSymbol =
    symbolList.length === 1 && Object.values(symbolList[0]!).every((text) => !text.includes('*'))
  return (dynamic || isOneSymbol) && columnXAxis === '' && !movingAverage
}

/** Returns the series that a chart queries. Series of old definitions without symbols use the data prep. */
export function chartSymbols(series: readonly SeriesData[], prep: TileDataPrep): DataPrepSymbols[] {
  const named = series.flatMap(({ groupName, symbolList, column, columnXAxis }) =>
    groupName === ''
      ? []
      : symbolList.map((symbols) => ({
          groupName,
          symbols,
          valueColumnNames: [column, columnXAxis].filter((name) => name !== ''),
        })),
  )
  const needsPrep = series.some(({ symbolList }) => symbolList.length === 0)
  return needsPrep ? [...named, ...prep.symbols] : named
}
