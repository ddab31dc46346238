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
