import { formatNumber } from '@headwater/contract'
import type { StatChange } from './stat-values.ts'
import type { Comparison, Level, StatsTile } from './stats-tile.ts'

type Unit = Pick<StatsTile, 'unit' | 'unitOnFront'>

/** Formats a value with its unit, for example `1,234.50 $`. */
export function valueText(value: number, { unit, unitOnFront }: Unit, decimals: number): string {
  const number = formatNumber(value, decimals)
  if (unit === '') return number
  if (unitOnFront) return number.startsWith('-') ? `-${unit}${number.slice(1)}` : `${unit}${number}`
  return unit === '%' ? `${number}%` : `${number}\u00a0${unit}`
}

/** Formats a change with its sign and in percent: `+1.50 $ (+2.4%)`. */
export function changeText({ difference, share }: StatChange, unit: Unit, decimals: number): string {
  const amount = `${signOf(difference, decimals)}${valueText(Math.abs(difference), unit, decimals)}`
  if (share === undefined) return amount
  const percent = share * 100
  return `${amount} (${signOf(percent, 1)}${formatNumber(Math.abs(percent), 1)}%)`
}

/** Returns a plus or a typographic minus; nothing for a value that rounds to zero. */
function signOf(value: number, decimals: number): string {
  if (Number(value.toFixed(decimals)) === 0) return ''
  return value > 0 ? '+' : '−'
}

const units: Record<Exclude<Comparison, 'NONE' | 'RANGE_START'>, string> = {
  VALUES: 'value',
  HOURS: 'hour',
  DAYS: 'day',
  WEEKS: 'week',
  MONTHS: 'month',
  YEARS: 'year',
}

/** Describes the comparison: `vs 1 week earlier`. */
export function comparisonText({
  comparison,
  comparisonAmount: amount,
}: Pick<StatsTile, 'comparison' | 'comparisonAmount'>): string {
  if (comparison === 'NONE') return ''
  if (comparison === 'RANGE_START') return 'vs start of range'
  if (comparison === 'VALUES' && amount === 1) return 'vs previous value'
  return `vs ${amount} ${units[comparison]}${amount === 1 ? '' : 's'} earlier`
}

const levelLabels: Record<Level, string> = { good: 'Good', warn: 'Warning', bad: 'Bad' }

/** Returns the label of a threshold. */
export function levelText({ level, label }: { level: Level; label: string }): string {
  return label === '' ? levelLabels[level] : label
}
