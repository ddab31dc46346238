import { type PageRange, pageRangePresets } from '../../core/params/page-range.ts'
import type { ChosenRange } from '../../core/params/param-values.ts'

/** Ranges that readers can choose, with labels. */
export const rangeKinds = [
  { value: 'LAST', label: 'Last' },
  { value: 'BETWEEN', label: 'Between' },
  { value: 'ALL', label: 'All' },
]

/** Units of the range LAST, with labels. */
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

/** Describes from where a range of days or values counts back; undefined for other ranges. */
export function countedFrom(range: ChosenRange['range'] | 'NEXT'): string | undefined {
  if (range === 'LAST') return 'Counts back from the newest value, not from today.'
  return range === 'NEXT' ? 'Counts forward from now.' : undefined
}

/** Describes a range, for example `last 30 days` or `last month`. */
export function describeRange({
  range,
  from,
  to,
  lastType,
  lastTypeAmount: amount,
}: Omit<ChosenRange, 'range'> & { range: ChosenRange['range'] | 'NEXT' }): string {
  if (range === 'ALL') return 'all'
  const units = rangeUnits.find(({ value }) => value === lastType)?.label ?? lastType.toLowerCase()
  if (range !== 'BETWEEN')
    return `${range.toLowerCase()} ${amount === 1 ? units.replace(/s$/, '') : `${amount} ${units}`}`
  return `${from.slice(0, 10) || 'the beginning'} to ${to.slice(0, 10) || 'the end'}`
}

/** Describes the range of a page: the label of a preset, or the range itself. */
export function describePageRange({ text, chosen }: PageRange): string {
  return pageRangePresets.find((preset) => preset.text === text)?.label.toLowerCase() ?? describeRange(chosen)
}
