import { z } from 'zod'
import type { DataPrepSymbols, TileDataPrep } from '../../../contract/index.ts'
import { listOf, text } from '../../common/loose-fields.ts'

/** Two kinds of charts: any series over time or another column, or the years of a series over one another. */
export const basicChartTypes = ['composed', 'seasonality'] as const
/** Window of a moving average that is switched on without one. */
export const defaultMovingAverage = 7

const flag = z.boolean().catch(false)
const symbolMap = z.record(z.string(), z.string())

/** What a series of a chart draws, without how it looks. What cannot be understood becomes the default. */
export const seriesData = z.looseObject({
  label: text.describe('Text of legend and tooltip.'),
  dynamic: flag.describe(
    'Whether each symbol that is found for it, and each column of numbers when it names none, is a line of its own.',
  ),
  groupName: text.describe('Group of its symbols.'),
  symbolList: listOf(symbolMap).describe('Its symbols; several become one by `operation`.'),
  column: text.describe('Value column.'),
  columnXAxis: text.describe('Column that gives x; empty = the date.'),
  columnXAxisIsNumber: flag.describe('Whether that column holds numbers.'),
  columnXAxisTimezone: text.describe('Zone of its dates when it holds dates; empty = the zone of the tile.'),
  movingAverage: flag.describe('Whether the moving average is drawn in place of the values.'),
  movingAverageValue: z
    .number()
    .int()
    .min(2)
    .max(10_000)
    .catch(defaultMovingAverage)
    .describe('Its window in values.'),
  namesBefore: z
    .array(z.string())
    .optional()
    .catch(undefined)
    .describe('Names it had before parameters chose its symbols, which rules know it by; never stored.'),
})
export type SeriesData = z.output<typeof seriesData>

/** Most years that a seasonality chart may be limited to. */
export const maxSeasonLines = 100

/** What a seasonality chart draws of its years. */
export const seasonFields = {
  seasonRange: flag.describe(
    'Whether a seasonality chart has the range of the five years before the newest one as a band.',
  ),
  seasonAverage: flag.describe('Whether it has the average of these five years as a line.'),
  seasonLines: z
    .int()
    .min(1)
    .max(maxSeasonLines)
    .optional()
    .catch(undefined)
    .describe('How many of the newest years a seasonality chart draws as lines, 1 to 100; absent = all.'),
}

/** Whether each point of a series is drawn as it is stored, and none is computed from several: then fewer points draw the same line. */
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

/** What a chart asks storage for: what its series name; series of old definitions that name nothing use the data prep. */
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
