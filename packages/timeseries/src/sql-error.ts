import { diskFullMessage, SeriesEngineError } from './series-engine-error.ts'

const memoryLimitExceeded = 241
const notEnoughSpace = 243
const unknownTable = 60
const tableIsDropped = 218

/** Translates an error of ClickHouse. The original text becomes only the cause, because it can contain SQL. */
export function toEngineError(message: string): SeriesEngineError {
  const code = codeOf(message)
  const options = { cause: new Error(message) }
  if (code === memoryLimitExceeded) {
    return new SeriesEngineError(
      'too-large',
      'The query needs more memory than the series engine has. Request fewer series, a shorter range, or order by series.',
      options,
    )
  }
  // A statement reserves the space that it expects to need. A write that exceeds it reports the error of the file system.
  if (code === notEnoughSpace || message.includes('No space left on device'))
    return new SeriesEngineError('full', diskFullMessage, options)
  const reason = /DB::Exception: (.*?)[.:]?(?: \(|\n|$)/.exec(message)?.[1] ?? 'unknown'
  return new SeriesEngineError(
    'failed',
    `The series engine failed (${code || 'no code'}): ${reason.slice(0, 200)}`,
    options,
  )
}

/** Returns whether a statement failed because one of its tables no longer exists. */
export function isMissingTable(error: unknown): boolean {
  if (!(error instanceof SeriesEngineError) || !(error.cause instanceof Error)) return false
  const code = codeOf(error.cause.message)
  return code === unknownTable || code === tableIsDropped
}

function codeOf(message: string): number {
  return Number(/Code: (\d+)/.exec(message)?.[1])
}
