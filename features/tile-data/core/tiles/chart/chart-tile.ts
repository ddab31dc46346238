import {
  AXIS_DOMAINS,
  INTERPOLATIONS,
  LAYOUTS,
  LEGEND_SIZES,
  LEGEND_SORTINGS,
  LINE_STYLES,
  NUMBER_FORMATS,
  OPERATIONS,
  PALETTES,
  SEASON_STARTS,
  SERIES_KINDS,
  TITLE_SIZES,
} from '@headwater/charts/values'
import { z } from 'zod'
import type { Tile } from '../../../contract/index.ts'
import { newSeriesRange } from '../../series/series-range.ts'
import { basicChartTypes, seasonFields, seriesData } from './chart-data.ts'
import { kindTitles } from '../../common/automatic-title.ts'
import { condition } from '../../conditions/condition.ts'
import { colour, listOf, text } from '../../common/loose-fields.ts'

const flag = z.boolean().catch(false)

/** A series of a chart. Invalid values become the default. */
export const chartSeries = seriesData.extend({
  operation: z
    .enum(OPERATIONS)
    .catch('SUM')
    .describe('Operation that combines several values at one x, default SUM.'),
  axis: z
    .enum(['left', 'right', 'automatic'])
    .catch('left')
    .describe('Value axis, default left. Automatic: right if its values are much larger or smaller.'),
  chartType: z.enum(SERIES_KINDS).catch('line').describe('How it is drawn, default line.'),
  lineThickness: z.number().min(0.5).max(20).catch(1.4).describe('Pixels, 0.5 to 20, default 1.4.'),
  lineOpacity: z.number().min(0).max(1).catch(1).describe('0 to 1, default 1.'),
  lineStyle: z.enum(LINE_STYLES).catch('SOLID').describe('SOLID or DASHED.'),
  interpolation: z
    .enum(INTERPOLATIONS)
    .optional()
    .catch(undefined)
    .describe('Curve. Default: the curve of the chart.'),
  withReferenceLine: flag.describe('Whether a line marks its latest value.'),
  isHistogram: flag.describe('Whether its bars touch each other.'),
  dotSize: z.number().min(1).max(40).catch(5).describe('Diameter of dots in pixels, default 5.'),
  color: colour.describe('Colour `#rrggbb` or token. Default: the next of the palette.'),
})
/** A parsed {@link chartSeries}. */
export type ChartSeries = z.output<typeof chartSeries>

/** Maximum length of a unit, in characters. */
export const maxUnit = 20
const end = z.number().optional().catch(undefined)

/** A value axis of a chart. Invalid values become the default. */
export const chartAxis = z
  .looseObject({
    domain: z.enum(AXIS_DOMAINS).catch('Default'),
    unit: z
      .string()
      .regex(/\S/)
      .max(maxUnit)
      .optional()
      .catch(undefined)
      .describe('$, % or any other text; currency symbols precede numbers, other units follow them.'),
    min: end.describe('Lower end. Default: the lower end of the domain.'),
    max: end.describe('Upper end. Default: the upper end of the domain.'),
    log: flag.describe('Whether the axis is logarithmic.'),
    numberFormat: z.enum(NUMBER_FORMATS).catch('Automatic').describe('How its numbers are written.'),
    decimals: z
      .int()
      .min(0)
      .max(10)
      .optional()
      .catch(undefined)
      .describe('Decimals of its numbers, 0 to 10. Default: as many as needed.'),
  })
  .catch({
    domain: 'Default',
    unit: undefined,
    min: undefined,
    max: undefined,
    log: false,
    numberFormat: 'Automatic',
    decimals: undefined,
  })

/** A rule that colours values of a chart. */
export const chartRule = z.looseObject({
  applyTo: z.string().catch('ALL').describe('Label of a series, or ALL.'),
  condition,
  conditionValueA: z.union([z.string(), z.number()]).transform(String).catch(''),
  conditionValueB: z.union([z.string(), z.number()]).transform(String).catch(''),
  color: colour,
})
/** A parsed {@link chartRule}. */
export type ChartRule = z.output<typeof chartRule>

/** The fields of a chart tile in addition to {@link commonTile}. */
export const chartTile = z.looseObject({
  basicChartType: z.enum(basicChartTypes).catch('composed'),
  series: listOf(chartSeries),
  leftAxis: chartAxis,
  rightAxis: chartAxis,
  palette: z.enum(PALETTES).catch('COLORFUL_2'),
  interpolation: z.enum(INTERPOLATIONS).catch('linear'),
  showLegend: z.boolean().catch(true),
  legendSize: z.enum(LEGEND_SIZES).catch('Standard'),
  legendSorting: z.enum(LEGEND_SORTINGS).optional().catch(undefined),
  chartTitle: text.describe('Title inside the chart; empty means none, because the tile has its own title.'),
  titleSize: z.enum(TITLE_SIZES).catch('Standard'),
  layout: z.enum(LAYOUTS).catch('horizontal'),
  seasonality: z.enum(SEASON_STARTS).catch('January').describe('Start of the year in a seasonality chart.'),
  ...seasonFields,
  conditionalFormatting: listOf(chartRule),
})
/** A parsed {@link chartTile}. */
export type ChartTile = z.output<typeof chartTile>

/** Creates a chart tile. */
export function newChartTile(id: string, basicChartType: ChartTile['basicChartType']): Tile {
  return {
    id,
    type: 'Chart',
    title: kindTitles[basicChartType],
    tileWidth: 'full',
    tileHeight: 'half',
    source: { type: 'DATA_PREP', value: id },
    ...newSeriesRange(),
    basicChartType,
    series: [],
    // In a comparison of years, relative positions matter, not distances from zero.
    leftAxis: { domain: basicChartType === 'seasonality' ? 'Auto scale' : 'Default' },
    rightAxis: { domain: 'Default' },
    palette: 'COLORFUL_2',
    interpolation: 'linear',
    legendSize: 'Standard',
    titleSize: 'Standard',
    layout: 'horizontal',
    seasonality: 'January',
    conditionalFormatting: [],
  }
}

/** Resets a chart to a new advanced chart. Only id, title, size, actions and partners are preserved. */
export function clearedChartTile(tile: Tile): Tile {
  const { id, title, tileWidth, tileHeight, actions, partners } = tile
  const retained = Object.fromEntries(
    Object.entries({ title, tileWidth, tileHeight, actions, partners }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  return { ...newChartTile(id, 'composed'), ...retained }
}

/** Creates a chart series. Duplicate dates are averaged, because a sum of prices has no meaning. */
export function newChartSeries(given: Partial<ChartSeries>): ChartSeries {
  return chartSeries.parse({ operation: 'Average', axis: 'automatic', ...given })
}
