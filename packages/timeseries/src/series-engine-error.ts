/** Kind of an error: see the methods that throw it. Requests that fail with `unavailable` can be retried. */
export type SeriesEngineErrorCode =
  'invalid' | 'not-staged' | 'too-large' | 'unavailable' | 'locked' | 'failed'

/** Error of the engine. The message can be shown to users. */
export class SeriesEngineError extends Error {
  readonly code: SeriesEngineErrorCode

  constructor(code: SeriesEngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SeriesEngineError'
    this.code = code
  }
}
