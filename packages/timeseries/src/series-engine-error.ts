/**
 * Code of an error; the methods of the engine document their codes. Requests that fail with `unavailable` can be retried.
 */
export type SeriesEngineErrorCode =
  'invalid' | 'not-staged' | 'too-large' | 'unavailable' | 'locked' | 'full' | 'failed'

/** Message of errors with the code `full`. */
export const diskFullMessage = 'The disk of the series engine is full.'

/** Error of the engine. The message can be shown to users. */
export class SeriesEngineError extends Error {
  readonly code: SeriesEngineErrorCode

  constructor(code: SeriesEngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SeriesEngineError'
    this.code = code
  }
}
