import type { Comparison, Statistic, StatsTile } from '@headwater/tile-data/core'

/** Statistics with labels. */
export const statisticNames: { value: Statistic; label: string }[] = [
  { value: 'LAST', label: 'Newest value' },
  { value: 'FIRST', label: 'Oldest value' },
  { value: 'MIN', label: 'Lowest' },
  { value: 'MAX', label: 'Highest' },
  { value: 'AVERAGE', label: 'Average' },
  { value: 'SUM', label: 'Sum' },
  { value: 'COUNT', label: 'Number of values' },
]

/** Comparisons with labels. */
export const comparisonNames: { value: Comparison; label: string }[] = [
  { value: 'NONE', label: 'nothing' },
  { value: 'VALUES', label: 'values earlier' },
  { value: 'HOURS', label: 'hours earlier' },
  { value: 'DAYS', label: 'days earlier' },
  { value: 'WEEKS', label: 'weeks earlier' },
  { value: 'MONTHS', label: 'months earlier' },
  { value: 'YEARS', label: 'years earlier' },
  { value: 'RANGE_START', label: 'start of the range' },
]

/** Meanings of an increase, with labels. */
export const risingNames: { value: StatsTile['rising']; label: string }[] = [
  { value: 'neutral', label: 'neutral' },
  { value: 'good', label: 'good' },
  { value: 'bad', label: 'bad' },
]
