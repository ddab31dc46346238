import type { LoadedResult } from './loaded-result.ts'
import { mergeResults } from './merge-results.ts'
import type { SeriesQuery } from './series-request.ts'
import { resultColumns, rowsBySymbol } from './series-result.ts'
import { wallClockReader } from './wall-clock.ts'

/** Part of the time axis. Includes both ends. */
export interface TimeWindow {
  /** Start, UTC milliseconds. */
  from: number
  /** End, UTC milliseconds. */
  to: number
}

/** Restricts a query to the rows in a window. */
export function inWindow({ groupNames, request }: SeriesQuery, { from, to }: TimeWindow): SeriesQuery {
  const body = {
    ...request.body,
    windowStart: new Date(from).toISOString(),
    windowEnd: new Date(to).toISOString(),
  }
  return { groupNames, request: { ...request, body } }
}

/**
 * Replaces the rows in a window with more detailed ones.
 * @param part the result of the same query in that window
 * @param timeZone IANA zone of the dates of both
 */
export function withWindow(
  whole: LoadedResult,
  part: LoadedResult,
  { from, to }: TimeWindow,
  timeZone: string,
): LoadedResult {
  const at = resultColumns(whole.result).find(({ kind }) => kind === 'time')
  if (at === undefined) return whole
  const readTime = wallClockReader(timeZone)
  const outside = whole.result.rows.filter((row) => {
    const time = readTime(row[at.index]!)
    return time < from || time > to
  })
  const { totalRows, drawn } = whole.result
  const result = {
    ...mergeResults([{ ...whole.result, rows: outside }, part.result]),
    ...(totalRows === undefined ? {} : { totalRows }),
    ...(drawn === undefined ? {} : { drawn }),
  }
  return { ...whole, result, rowsOf: rowsBySymbol(result) }
}
