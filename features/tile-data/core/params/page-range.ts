import { isCalendarDate } from '@headwater/contract'
import { rangeInText, type ChosenRange } from './param-values.ts'

/** Query parameter of the URL that contains the range of the page. */
export const pageRangeField = 'range'

/** From the first day of the year to the newest data. */
const yearToDate = 'YTD'

/** Ranges that a page offers, with their text in the URL. LAST counts back from the newest point of the query. */
export const pageRangePresets: readonly { text: string; label: string }[] = [
  { text: 'LAST 1 DAYS', label: 'Last day' },
  { text: 'LAST 1 WEEKS', label: 'Last 7 days' },
  { text: 'LAST 1 MONTHS', label: 'Last month' },
  { text: 'LAST 3 MONTHS', label: 'Last 3 months' },
  { text: 'LAST 1 YEARS', label: 'Last 12 months' },
  { text: yearToDate, label: 'Year to date' },
  { text: 'ALL', label: 'All data' },
]

/** The range that a reader chose for all tiles of a page. */
export interface PageRange {
  /** Value in the URL. */
  text: string
  /** The parsed range. */
  chosen: ChosenRange
}

/**
 * Parses the range of the page from a URL. Returns undefined for an absent or invalid range, such as dates that do not
 * exist or are in the wrong order.
 * @param today `2026-11-23`; determines the year of “Year to date”
 */
export function pageRangeIn(search: URLSearchParams, today: string): PageRange | undefined {
  const text = search.get(pageRangeField)
  if (text === null) return undefined
  const dates = text === yearToDate ? `${today.slice(0, 4)}-01-01..` : text
  const chosen = dates === '..' ? undefined : rangeInText(dates)
  return chosen && areInOrder(chosen) ? { text, chosen } : undefined
}

/** Returns whether the dates of a range exist and are in order. */
function areInOrder({ from, to }: ChosenRange): boolean {
  return (
    [from, to].every((date) => date === '' || isCalendarDate(date)) &&
    (from === '' || to === '' || from <= to)
  )
}

/** Formats a range between two days for the URL. Returns undefined if both are empty. */
export function customRangeText({ from, to }: { from: string; to: string }): string | undefined {
  return from === '' && to === '' ? undefined : `${from}..${to}`
}
