import { formatNumber } from '@headwater/contract'
import type { StatChange } from './stat-values.ts'
import type { Comparison, Level, StatsTile } from './stats-tile.ts'

type Unit = Pick<StatsTile, 'unit' | 'unitOnFront'>

/** A value with its unit, for example `1,234.50 $`. */
export function valueText(value: number, { unit, unitOnFront }: Unit, decimals: number): string {
  const number = formatNumber(value, decimals)
  if (unit === '') return number
  if (unitOnFront) return number.startsWith('-') ? `-${unit}${number.slice(1)}` : `${unit}${number}`
  return unit === '%' ? `${number}%` : `${number}\u00a0${unit}`
}

/** How much a value changed, with its sign and in percent: `+1.50 $ (+2.4%)`. */
export function changeText({ difference, share }: StatChange, unit: Unit, decimals: number): string {
  const amount = `${signOf(difference, decimals)}${valueText(Math.abs(difference), unit, decimals)}`
  if (share === undefined) return amount
  const percent = share * 100
  return `${amount} (${signOf(percent, 1)}${formatNumber(Math.abs(percent), 1)}%)`
}

/** A minus as typographers write it; nothing before a value that is zero once rounded. */
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

/** What a value is compared with: `vs 1 week earlier`. */
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

/** What a threshold that is met is called. */
export function levelText({ level, label }: { level: Level; label: string }): string {
  return label === '' ? levelLabels[level] : label
}
