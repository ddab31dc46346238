import { SeriesEngineError } from './series-engine.ts'

const memoryLimitExceeded = 241
const unknownTable = 60
const tableIsDropped = 218

/** An error of ClickHouse in our words. Its own text stays the cause, as it may hold SQL. */
export function toEngineError(message: string): SeriesEngineError {
  const code = codeOf(message)
  const options = { cause: new Error(message) }
  if (code === memoryLimitExceeded) {
    return new SeriesEngineError(
      'too-large',
      'The question needs more memory than the series engine may use. Ask for fewer series, a shorter range, or order by series.',
      options,
    )
  }
  const reason = /DB::Exception: (.*?)[.:]?(?: \(|\n|$)/.exec(message)?.[1] ?? 'unknown'
  return new SeriesEngineError(
    'failed',
    `The series engine failed (${code || 'no code'}): ${reason.slice(0, 200)}`,
    options,
  )
}

/** Whether a statement failed because one of its tables is not there any more. */
export function isTableGone(error: unknown): boolean {
  if (!(error instanceof SeriesEngineError) || !(error.cause instanceof Error)) return false
  const code = codeOf(error.cause.message)
  return code === unknownTable || code === tableIsDropped
}

function codeOf(message: string): number {
  return Number(/Code: (\d+)/.exec(message)?.[1])
}
