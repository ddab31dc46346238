import { AppError } from '@headwater/contract'
import { completeRetryRules, type ErrorClass, type RetryRules } from '../contract/index.ts'

const classes: Readonly<Record<string, ErrorClass>> = {
  egressTimedOut: 'timeout',
  egressHostNotFound: 'connection',
  egressConnectionFailed: 'connection',
}

/** Returns the class of a thrown error. */
export function errorClassOf(error: unknown): ErrorClass {
  return (error instanceof AppError ? classes[error.code] : undefined) ?? 'other'
}

/** Returns whether an HTTP status means that the remote server is unavailable: 429, or 500 and higher. */
export function isUnavailableStatus(status: number): boolean {
  return status === 429 || status >= 500
}

/** A pause before a retry, in seconds. */
export interface RetryPause {
  /** Maximum pause. */
  atMost: number
  /** Actual pause. */
  seconds: number
}

/**
 * Returns the pause before the next attempt of a failed step; undefined if it is not retried.
 * @param failures number of attempts that failed before this one
 * @param errors classes of the error; empty means `other`
 * @param random returns a random number from 0 to 1. Thus steps that failed at the same time do not retry at the same time
 */
export function retryPause(
  rules: RetryRules,
  failures: number,
  errors: readonly ErrorClass[],
  random: () => number,
): RetryPause | undefined {
  const { retries, retryDelay, retryBackoff, retryMaxDelay, retryJitter, retryOn } = completeRetryRules(rules)
  if (failures >= retries) return undefined
  const own: readonly ErrorClass[] = errors.length === 0 ? ['other'] : errors
  if (!own.some((each) => retryOn.includes(each))) return undefined
  const atMost = Math.min(retryDelay * retryBackoff ** failures, retryMaxDelay)
  return { atMost, seconds: atMost * (1 - retryJitter * random()) }
}
