import { SeriesEngineError } from '@headwater/timeseries'
import { symbolErrors } from '../contract/index.ts'

/** Returns the error for the caller of a query that failed in the series engine; any other error unchanged. */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof SeriesEngineError)) return error
  if (error.code === 'invalid' || error.code === 'too-large')
    return symbolErrors.queryRefused({ message: error.message })
  if (error.code === 'unavailable' || error.code === 'locked') return symbolErrors.seriesUnavailable()
  if (error.code === 'full') return symbolErrors.seriesStoreFull()
  return error
}
