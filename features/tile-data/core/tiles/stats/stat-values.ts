import { distinctLabels } from '../../series/distinct-labels.ts'
import { symbolName } from '../../series/series-name.ts'
import type { SeriesRange } from '../../series/series-range.ts'
import { resultColumns } from '../../series/series-result.ts'
import type { LoadedResult } from '../../series/loaded-result.ts'
import { wallClockReader } from '../../series/wall-clock.ts'
import { meets } from '../../conditions/condition.ts'
import type { Patterns } from '../../conditions/patterns.ts'
import { decimalsIn } from '../table/format-cell.ts'
import {
  unitMetadata,
  type Comparison,
  type Level,
  type StatSeries,
  type Statistic,
  type StatsTile,
  type Threshold,
} from './stats-tile.ts'

/** Default maximum number of decimals. */
const mostDecimals = 6

/** A value at a time. */
export interface StatPoint {
  /** Epoch milliseconds, or the position for rows without dates. */
  time: number
  /** A finite number. */
  value: number
}

/** The values of a series in a stats tile. */
export interface StatValue {
  /** Label of the series. */
  label: string
  /**
   * The unit that the tile sets, otherwise the unit in the metadata of the series; empty if there is none. `fullUnit`: the
   * whole unit if `unit` was shortened.
   */
  unit: { unit: string; unitOnFront: boolean; fullUnit?: string | undefined }
  /** The statistic; undefined if there are no numbers. */
  value: number | undefined
  /** Number of decimals of the numbers in the series, but at most the setting of the tile. */
  decimals: number
  /** Change since the compared value; undefined if there is no comparison or no value to compare with. */
  change: StatChange | undefined
  /** The numbers, oldest first. */
  points: readonly StatPoint[]
  /** Time of the newest number, epoch milliseconds; undefined if there are no dates. */
  newest: number | undefined
  /** Time of the value for FIRST, MIN and MAX, epoch milliseconds; undefined for other statistics. */
  at: number | undefined
  /** The first threshold that the value meets. */
  threshold: { level: Level; label: string } | undefined
}

/** A change since an earlier value. */
export interface StatChange {
  /** New value minus compared value. */
  difference: number
  /** Relative change, 0.1 = 10%; undefined if the compared value is zero. */
  share: number | undefined
  /** The compared value. */
  before: StatPoint
}

/**
 * Computes the values of a stats tile, one for each series.
 * @param patterns the matcher for thresholds with a pattern; if absent, patterns match nothing
 */
export function statValues(
  tile: Pick<
    StatsTile,
    | 'series'
    | 'statistic'
    | 'unit'
    | 'unitOnFront'
    | 'comparison'
    | 'comparisonAmount'
    | 'conditionalFormatting'
  >,
  results: readonly LoadedResult[],
  range: Pick<SeriesRange, 'timeZone' | 'decimalPrecision'>,
  patterns?: Patterns,
): StatValue[] {
  const { timeZone, decimalPrecision } = range
  const readTime = wallClockReader(timeZone)
  const isDated = results.some(({ result }) => resultColumns(result).some(({ kind }) => kind === 'time'))
  const labels = statLabels(tile.series)
  return tile.series.map((series, index) => {
    const label = labels[index]!
    const points = pointsOf(series, results, readTime)
    const value = statisticOf(points, tile.statistic)
    const newest = points.at(-1)
    return {
      label,
      unit: tile.unit === '' && tile.statistic !== 'COUNT' ? unitOf(series, results) : tile,
      value,
      decimals: decimalsOf(points, tile.statistic, decimalPrecision ?? mostDecimals),
      change:
        newest === undefined || tile.statistic !== 'LAST'
          ? undefined
          : changeOf(newest, compared(points, tile.comparison, tile.comparisonAmount)),
      points,
      newest: isDated ? newest?.time : undefined,
      at:
        isDated && picking.has(tile.statistic)
          ? points.findLast((point) => point.value === value)?.time
          : undefined,
      threshold:
        value === undefined ? undefined : metBy(value, label, series, tile.conditionalFormatting, patterns),
    }
  })
}

/** Statistics that select one of the numbers. */
const picking: ReadonlySet<Statistic> = new Set(['FIRST', 'MIN', 'MAX'])

function decimalsOf(points: readonly StatPoint[], statistic: Statistic, most: number): number {
  if (statistic === 'COUNT') return 0
  if (statistic === 'AVERAGE') return Math.min(most, mostDecimals)
  return points.reduce((known, { value }) => Math.max(known, Math.min(most, decimalsIn(String(value)))), 0)
}

/** Returns the label of a series. */
export function labelOf({
  label,
  symbols,
  column,
}: Pick<StatSeries, 'label' | 'symbols' | 'column'>): string {
  if (label !== '') return label
  return symbolName(symbols) || column
}

/** Returns the labels of the series of a tile. The labels distinguish the series. */
export function statLabels(
  series: readonly Pick<StatSeries, 'label' | 'symbols' | 'column' | 'groupName'>[],
): string[] {
  return distinctLabels(series.map((each) => ({ ...each, label: labelOf(each), symbolList: [each.symbols] })))
}

/** Computes a statistic; undefined if there are no points, except for COUNT, which is zero. */
export function statisticOf(points: readonly StatPoint[], statistic: Statistic): number | undefined {
  if (statistic === 'COUNT') return points.length
  if (points.length === 0) return undefined
  const sum = () => points.reduce((total, { value }) => total + value, 0)
  switch (statistic) {
    case 'LAST':
      return points.at(-1)!.value
    case 'FIRST':
      return points[0]!.value
    case 'MIN':
      return points.reduce((least, { value }) => Math.min(least, value), Infinity)
    case 'MAX':
      return points.reduce((most, { value }) => Math.max(most, value), -Infinity)
    case 'SUM':
      return sum()
    case 'AVERAGE':
      return sum() / points.length
  }
}

/**
 * Returns the point with which the newest one is compared: the point a number of values earlier, or the last point at
 * or before an earlier time. Months and years follow the UTC calendar.
 */
export function compared(
  points: readonly StatPoint[],
  comparison: Comparison,
  amount: number,
): StatPoint | undefined {
  const newest = points.at(-1)
  if (newest === undefined) return undefined
  switch (comparison) {
    case 'NONE':
      return undefined
    case 'RANGE_START':
      return points.length > 1 ? points[0] : undefined
    case 'VALUES':
      return points.at(-1 - amount)
    default: {
      const limit = earlier(newest.time, comparison, amount)
      return points.findLast(({ time }) => time <= limit)
    }
  }
}

const unitMs = { HOURS: 3_600_000, DAYS: 86_400_000, WEEKS: 7 * 86_400_000 }

/** Subtracts units from a time. The 31st of a shorter month becomes its last day. */
function earlier(time: number, unit: keyof typeof unitMs | 'MONTHS' | 'YEARS', amount: number): number {
  if (unit !== 'MONTHS' && unit !== 'YEARS') return time - amount * unitMs[unit]
  const date = new Date(time)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - amount * (unit === 'YEARS' ? 12 : 1))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}

function changeOf(newest: StatPoint, before: StatPoint | undefined): StatChange | undefined {
  if (before === undefined) return undefined
  const difference = newest.value - before.value
  return { difference, share: before.value === 0 ? undefined : difference / Math.abs(before.value), before }
}

function metBy(
  value: number,
  label: string,
  series: StatSeries,
  thresholds: readonly Threshold[],
  patterns: Patterns | undefined,
): StatValue['threshold'] {
  // A rule can also refer to the symbol alone, which several columns share, or to an earlier form of the label.
  const own = labelOf(series)
  const names = ['ALL', label, own, `${own} ${series.column}`, ...(series.namesBefore ?? [])]
  const met = thresholds.find(
    (threshold) => names.includes(threshold.applyTo) && meets(String(value), threshold, patterns),
  )
  return met && { level: met.level, label: met.label }
}

/** Returns the unit in the metadata of a series. A currency symbol precedes numbers. */
function unitOf({ groupName, symbols }: StatSeries, results: readonly LoadedResult[]): StatValue['unit'] {
  for (const { groupNames, result, rowsOf } of results) {
    const index = result.header.findIndex((name) => unitColumn.test(name))
    if (index === -1 || !groupNames.has(groupName)) continue
    const unit = rowsOf(symbols)
      .find((row) => row[index]!.trim() !== '')
      ?.[index]?.trim()
    if (unit !== undefined) return cutUnit(unit)
  }
  return { unit: '', unitOnFront: false }
}

/** Maximum length of a unit, in characters. */
const maxUnitLength = 20

function cutUnit(text: string): StatValue['unit'] {
  if (text.length <= maxUnitLength) return { unit: text, unitOnFront: /^\p{Sc}$/u.test(text) }
  const unit = `${text.slice(0, maxUnitLength - 1).toWellFormed()}…`
  return { unit, unitOnFront: false, fullUnit: text }
}

/** Matches the name of the column with the unit metadata in a result. */
const unitColumn = new RegExp(`^${unitMetadata}\\(MD-[A-Z]+\\)$`)

function pointsOf(
  { groupName, symbols, column }: StatSeries,
  results: readonly LoadedResult[],
  readTime: (text: string) => number,
): StatPoint[] {
  const points: StatPoint[] = []
  for (const { groupNames, result, rowsOf, isTable } of results) {
    if (!groupNames.has(groupName)) continue
    const columns = resultColumns(result)
    const at = columns.find(({ kind }) => kind === 'time')
    const of = columns.find(({ name, kind }) => name === column && (kind === 'number' || kind === 'text'))
    // Rows of a table without dates keep their order.
    if (of === undefined || (at === undefined && isTable !== true)) continue
    for (const [index, row] of rowsOf(symbols).entries()) {
      const written = row[of.index]!
      const point = {
        time: at === undefined ? index : readTime(row[at.index]!),
        value: written.trim() === '' ? Number.NaN : Number(written),
      }
      if (Number.isFinite(point.value) && Number.isFinite(point.time)) points.push(point)
    }
  }
  return points.sort((a, b) => a.time - b.time)
}
