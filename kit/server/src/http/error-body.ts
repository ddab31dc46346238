import { randomUUID } from 'node:crypto'
import { AppError, commonErrors, type ErrorShape } from '@headwater/contract'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { explainDatabaseError } from './database-errors.ts'
import { contentTypeNotKnown } from './read-text.ts'

/** The largest JSON or text body; content of files travels as a stream and has no such limit. */
export const bodyLimitBytes = 16 * 1024 * 1024

/** The answer to an error: the error itself when it is meant for the caller, else an id that stands in the log. */
export function errorBody(
  error: unknown,
  at: { method: string; path: string | undefined },
  { log, clock }: { log: Log; clock: Clock },
): ErrorShape {
  const timestamp = timestampOf(clock)
  const known = asAppError(error)
  if (known !== undefined && known.status >= 500 && known !== error)
    log.error({ error, path: at.path }, known.message)
  if (known !== undefined) return errorShapeOf(known, timestamp)
  const errorId = randomUUID()
  log.error({ errorId, error, ...at }, 'unexpected error')
  return {
    timestamp,
    status: 500,
    code: 'unexpected',
    message: `Something unexpected happened. It has been logged with the id ${errorId}; tell an administrator.`,
    errorId,
  }
}

/** An error that is meant for the caller, as it travels. */
export function errorShapeOf(
  { status, code, message, validationErrors }: AppError,
  timestamp: string,
): ErrorShape {
  return { timestamp, status, code, message, ...(validationErrors === undefined ? {} : { validationErrors }) }
}

/** The moment of an error, as it travels. */
export function timestampOf(clock: Clock): string {
  return clock.now().toISOString().slice(0, 23)
}

function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return commonErrors.bodyTooLarge({ limitBytes: bodyLimitBytes })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return contentTypeNotKnown()
  if (code === 'FST_ERR_BAD_URL')
    return new AppError(
      'invalidUrl',
      400,
      'The address holds a % that does not begin an encoded UTF-8 character.',
    )
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('invalidRequest', statusCode, message ?? 'The request could not be read.')
  return explainDatabaseError(error)
}
