import type { ChosenRange } from '../../contract/params/param-values.ts'

/** Ranges that readers can choose, in words. */
export const rangeKinds = [
  { value: 'LAST', label: 'Last' },
  { value: 'BETWEEN', label: 'Between' },
  { value: 'ALL', label: 'All' },
]

/** Units of the range LAST, in words. */
export const rangeUnits = [
  { value: 'VALUES', label: 'values' },
  { value: 'MINUTES', label: 'minutes' },
  { value: 'HOURS', label: 'hours' },
  { value: 'DAYS', label: 'days' },
  { value: 'WORKING_DAYS', label: 'working days' },
  { value: 'WEEKS', label: 'weeks' },
  { value: 'MONTHS', label: 'months' },
  { value: 'YEARS', label: 'years' },
]

/** A chosen range as readers see it. */
export function rangeWords({ range, from, to, lastType, lastTypeAmount }: ChosenRange): string {
  if (range === 'ALL') return 'all'
  const unit = rangeUnits.find(({ value }) => value === lastType)?.label ?? lastType.toLowerCase()
  if (range === 'LAST') return `last ${lastTypeAmount} ${unit}`
  return `${from || 'the beginning'} to ${to || 'the end'}`
}
