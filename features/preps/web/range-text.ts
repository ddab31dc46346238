import type { DataPrepDefinition } from '../contract/index.ts'

type Range = Pick<DataPrepDefinition, 'range' | 'lastType' | 'lastTypeAmount' | 'dateFrom' | 'dateTo'>

/** Formats a range: `Last 500 values`, `2024-01-31 to 2024-02-29`, `All`. */
export function rangeText({ range, lastType, lastTypeAmount, dateFrom, dateTo }: Range): string {
  if (range === 'ALL') return 'All'
  if (range === 'BETWEEN') {
    const from = dateFrom?.slice(0, 10)
    const to = dateTo?.slice(0, 10)
    if (from === undefined && to === undefined) return 'All'
    if (to === undefined) return `From ${from}`
    return from === undefined ? `Until ${to}` : `${from} to ${to}`
  }
  const unit = lastType.toLowerCase().replace('_', ' ')
  const label = lastTypeAmount === 1 ? unit.replace(/s$/, '') : unit
  return `${range === 'LAST' ? 'Last' : 'Next'} ${lastTypeAmount.toLocaleString('en')} ${label}`
}
