import { randomUUID } from 'node:crypto'
import { AppError, commonErrors, publicBodyBytes, type ErrorShape } from '@headwater/contract'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { explainDatabaseError } from './database-errors.ts'
import { httpErrors, invalidRequest } from './http-errors.ts'

/** The request during which an error happened. */
export interface ErrorContext {
  /** HTTP method of the request. */
  method: string
  /** Path of the route; undefined if no route matched. */
  path: string | undefined
  /** Maximum body size of the route, in bytes; default: the limit of public routes. */
  bodyBytes?: number
}

/**
 * Returns the body of an error response: the error itself if it is meant for the caller, otherwise only an id that also
 * appears in the log.
 */
export function errorBody(
  error: unknown,
  at: ErrorContext,
  { log, clock }: { log: Log; clock: Clock },
): ErrorShape {
  const timestamp = timestampOf(clock)
  const known = asAppError(error, at)
  if (known !== undefined && known.status >= 500 && known !== error)
    log.error({ error, path: at.path }, known.message)
  if (known !== undefined) return errorShapeOf(known, timestamp)
  const errorId = randomUUID()
  log.error({ errorId, error, method: at.method, path: at.path }, 'unexpected error')
  return {
    timestamp,
    status: 500,
    code: 'unexpected',
    message: `The server could not process the request. Give the error id ${errorId} to an administrator.`,
    errorId,
  }
}

/** Returns the body of an error that is meant for the caller. */
export function errorShapeOf(
  { status, code, message, validationErrors, retryAfterSeconds }: AppError,
  timestamp: string,
): ErrorShape {
  return {
    timestamp,
    status,
    code,
    message,
    ...(validationErrors === undefined ? {} : { validationErrors }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

/** Formats the time of an error for the response. */
export function timestampOf(clock: Clock): string {
  return clock.now().toISOString().slice(0, 23)
}

function asAppError(error: unknown, { bodyBytes = publicBodyBytes }: ErrorContext): AppError | undefined {
  if (error instanceof AppError) return error
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return commonErrors.bodyTooLarge({ limitBytes: bodyBytes })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return httpErrors.contentTypeNotKnown()
  if (code === 'FST_ERR_BAD_URL') return httpErrors.invalidUrl()
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return invalidRequest(statusCode, message ?? 'The request could not be read.')
  return explainDatabaseError(error)
}
