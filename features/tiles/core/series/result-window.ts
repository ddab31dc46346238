import type { LoadedAnswer } from './loaded-result.ts'
import { mergeAnswers } from './merge-results.ts'
import type { Question } from './series-request.ts'
import { answerColumns, rowsBySymbol } from './series-result.ts'
import { wallClockReader } from './wall-clock.ts'

/** Part of the time axis, UTC milliseconds; both ends belong to it. */
export interface TimeWindow {
  from: number
  to: number
}

/** The same question for the rows in a window only. */
export function inWindow({ groupNames, request }: Question, { from, to }: TimeWindow): Question {
  const body = {
    ...request.body,
    windowStart: new Date(from).toISOString(),
    windowEnd: new Date(to).toISOString(),
  }
  return { groupNames, request: { ...request, body } }
}

/**
 * An answer with the rows of a window in more detail.
 * @param part the answer to the same question in that window
 * @param timeZone zone of the dates of both
 */
export function withWindow(
  whole: LoadedAnswer,
  part: LoadedAnswer,
  { from, to }: TimeWindow,
  timeZone: string,
): LoadedAnswer {
  const at = answerColumns(whole.answer).find(({ kind }) => kind === 'time')
  if (at === undefined) return whole
  const readTime = wallClockReader(timeZone)
  const outside = whole.answer.rows.filter((row) => {
    const time = readTime(row[at.index]!)
    return time < from || time > to
  })
  const { totalRows, drawn } = whole.answer
  const answer = {
    ...mergeAnswers([{ ...whole.answer, rows: outside }, part.answer]),
    ...(totalRows === undefined ? {} : { totalRows }),
    ...(drawn === undefined ? {} : { drawn }),
  }
  return { ...whole, answer, rowsOf: rowsBySymbol(answer) }
}
