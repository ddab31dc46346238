import { z } from 'zod'
import type { DataPrepSymbols, Tile } from '../../../contract/index.ts'
import { newSeriesRange } from '../../series/series-range.ts'
import { kindTitles } from '../../common/automatic-title.ts'
import { condition } from '../../conditions/condition.ts'
import { listOf, text } from '../../common/loose-fields.ts'

/** What a stats tile can say about a series. */
export const statistics = ['LAST', 'MIN', 'MAX', 'AVERAGE', 'SUM', 'COUNT', 'FIRST'] as const
export type Statistic = (typeof statistics)[number]

/** What the newest value can be compared with. */
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
export type Comparison = (typeof comparisons)[number]

/** How good a value is; the words stand beside the colour. */
export const levels = ['good', 'warn', 'bad'] as const
export type Level = (typeof levels)[number]

const limitText = z.union([z.string(), z.number()]).transform(String).catch('')

/** A threshold: which values are good, worth a warning, or bad. */
export const threshold = z.looseObject({
  applyTo: z.string().catch('ALL').describe('Name of a series, or ALL.'),
  condition,
  conditionValueA: limitText,
  conditionValueB: limitText,
  level: z.enum(levels).catch('warn').describe('good, warn or bad, default warn.'),
  label: text.describe('What it is called; empty = the word of the level.'),
})
export type Threshold = z.output<typeof threshold>

/** A series whose statistic is shown. */
export const statSeries = z.looseObject({
  label: text.describe('What stands above the value; empty = the symbol.'),
  groupName: z.string(),
  symbols: z.record(z.string(), z.string()),
  column: z.string(),
  namesBefore: z
    .array(z.string())
    .optional()
    .catch(undefined)
    .describe('Names it had before parameters chose its symbols, which rules know it by; never stored.'),
})
export type StatSeries = z.output<typeof statSeries>

/** Metadata key of the unit of a series, used if the tile sets no unit. */
export const unitMetadata = 'Unit'

/** The fields of a stats tile besides those of every tile. */
export const statsTile = z.looseObject({
  series: listOf(statSeries),
  statistic: z.enum(statistics).catch('LAST').describe('Which value is shown, default LAST, the newest.'),
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
    .describe('The value before, of a time before, or of the start of the range; NONE = no change is shown.'),
  comparisonAmount: z.coerce.number().int().min(1).max(100_000).catch(1).describe('How many of them.'),
  rising: z.enum(['neutral', 'good', 'bad']).catch('neutral').describe('What a rise is; default neutral.'),
  sparkline: z.boolean().catch(true).describe('Whether the course is drawn below the value.'),
  freshness: z
    .boolean()
    .catch(true)
    .describe(
      'Whether the moment of the value is told: of MIN, MAX and FIRST their own, of others the newest.',
    ),
  staleHours: z
    .number()
    .min(0.1)
    .max(1_000_000)
    .nullable()
    .catch(null)
    .describe('Age of the newest value, in hours, from which it counts as old; null = never.')
    .meta({ unit: 'hours' }),
  conditionalFormatting: listOf(threshold),
})
export type StatsTile = z.output<typeof statsTile>

/** A new stats tile. */
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

/** The metadata that a stats tile asks for with its series: none when it sets a unit itself. */
export function statMetadata({ unit }: Pick<StatsTile, 'unit'>): readonly string[] {
  return unit === '' ? [unitMetadata] : []
}

/** What a stats tile asks storage for. */
export function statSymbols(series: readonly StatSeries[]): DataPrepSymbols[] {
  return series.map(({ groupName, symbols, column }) => ({ groupName, symbols, valueColumnNames: [column] }))
}
