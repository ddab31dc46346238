import { z } from 'zod'
import type { DataPrepSymbols, Tile } from '../../../contract/index.ts'
import { newSeriesRange } from '../../series/series-range.ts'
import { kindTitles } from '../../common/automatic-title.ts'
import { condition } from '../../conditions/condition.ts'
import { listOf, text } from '../../common/loose-fields.ts'

/** Statistics of a series. */
export const statistics = ['LAST', 'MIN', 'MAX', 'AVERAGE', 'SUM', 'COUNT', 'FIRST'] as const
/** One of {@link statistics}. */
export type Statistic = (typeof statistics)[number]

/** Values with which the newest value can be compared. */
export const comparisons = [
  'NONE',
  'VALUES',
  'HOURS',
  'DAYS',
  'WEEKS',
  'MONTHS',
  'YEARS',
  'RANGE_START',
] as const
/** One of {@link comparisons}. */
export type Comparison = (typeof comparisons)[number]

/** Levels of a threshold. */
export const levels = ['good', 'warn', 'bad'] as const
/** One of {@link levels}. */
export type Level = (typeof levels)[number]

const limitText = z.union([z.string(), z.number()]).transform(String).catch('')

/** A threshold: a condition on values, and their level. */
export const threshold = z.looseObject({
  applyTo: z.string().catch('ALL').describe('Name of a series, or ALL.'),
  condition,
  conditionValueA: limitText,
  conditionValueB: limitText,
  level: z.enum(levels).catch('warn').describe('good, warn or bad, default warn.'),
  label: text.describe('Label; empty means the name of the level.'),
})
/** A parsed {@link threshold}. */
export type Threshold = z.output<typeof threshold>

/** A series of a stats tile. */
export const statSeries = z.looseObject({
  label: text.describe('Label above the value; empty means the symbol.'),
  groupName: z.string(),
  symbols: z.record(z.string(), z.string()),
  column: z.string(),
  namesBefore: z
    .array(z.string())
    .optional()
    .catch(undefined)
    .describe('Names before parameters changed the symbols, for rules that refer to them; never stored.'),
})
/** A parsed {@link statSeries}. */
export type StatSeries = z.output<typeof statSeries>

/** Metadata key of the unit of a series, used if the tile sets no unit. */
export const unitMetadata = 'Unit'

/** The fields of a stats tile in addition to {@link commonTile}. */
export const statsTile = z.looseObject({
  series: listOf(statSeries),
  statistic: z.enum(statistics).catch('LAST').describe('Statistic, default LAST, the newest value.'),
  unit: text.describe(
    'Unit shown beside the value. Empty = the metadata `Unit` of each series, if it has one.',
  ),
  unitOnFront: z
    .boolean()
    .catch(false)
    .describe(
      'Whether a unit that is set precedes the value. A unit from metadata precedes the value if it is a currency symbol.',
    ),
  comparison: z
    .enum(comparisons)
    .catch('VALUES')
    .describe(
      'Value to compare with: an earlier value, an earlier time, or the start of the range; NONE = no comparison.',
    ),
  comparisonAmount: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .catch(1)
    .describe('Number of values or time units.'),
  rising: z
    .enum(['neutral', 'good', 'bad'])
    .catch('neutral')
    .describe('Whether an increase is neutral, good or bad; default neutral.'),
  sparkline: z.boolean().catch(true).describe('Whether a sparkline is drawn below the value.'),
  freshness: z
    .boolean()
    .catch(true)
    .describe(
      'Whether the time of the value is displayed. MIN, MAX and FIRST have their own time; all other statistics use the newest time.',
    ),
  staleHours: z
    .number()
    .min(0.1)
    .max(1_000_000)
    .nullable()
    .catch(null)
    .describe('Age in hours at which the newest value counts as outdated; null means never.')
    .meta({ unit: 'hours' }),
  conditionalFormatting: listOf(threshold),
})
/** A parsed {@link statsTile}. */
export type StatsTile = z.output<typeof statsTile>

/** Creates a stats tile. */
export function newStatsTile(id: string): Tile {
  return {
    id,
    type: 'STATS',
    title: kindTitles.stats,
    tileWidth: 'full',
    tileHeight: 'quarter',
    source: { type: 'DATA_PREP', value: id },
    ...newSeriesRange(),
    series: [],
    statistic: 'LAST',
    unit: '',
    unitOnFront: false,
    comparison: 'VALUES',
    comparisonAmount: 1,
    rising: 'neutral',
    sparkline: true,
    freshness: true,
    staleHours: null,
    conditionalFormatting: [],
  }
}

/** Returns the metadata that a stats tile queries; none if the tile sets a unit. */
export function statMetadata({ unit }: Pick<StatsTile, 'unit'>): readonly string[] {
  return unit === '' ? [unitMetadata] : []
}

/** Returns the series that a stats tile queries. */
export function statSymbols(series: readonly StatSeries[]): DataPrepSymbols[] {
  return series.map(({ groupName, symbols, column }) => ({ groupName, symbols, valueColumnNames: [column] }))
}
