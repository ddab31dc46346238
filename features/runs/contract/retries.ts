/** Classes of the errors of steps. An error can belong to several. */
export const errorClasses = ['timeout', 'connection', 'unavailable', 'script', 'other'] as const
/**
 * Class of the error of a step. `timeout`: the step, or another server, took too long. `connection`: another
 * server was not found or the connection failed. `unavailable`: another server responded with the status 429,
 * or 500 and higher. `script`: a script ended with an exception or an exit code. `other`: none of these.
 */
export type ErrorClass = (typeof errorClasses)[number]

/** Rules for the retries of a step. */
export interface RetryRules {
  /** Number of retries after an ERROR. Default 0. */
  retries?: number
  /** Maximum pause before the first retry, in seconds. Default 10. */
  retryDelay?: number
  /** Factor by which the pause grows with each retry. Default 2. */
  retryBackoff?: number
  /** Maximum pause before any retry, in seconds. Default 3600. */
  retryMaxDelay?: number
  /** Share of the pause that is random, from 0 to 1: a pause is shorter by at most this share. Default 0.5. */
  retryJitter?: number
  /** Classes of the errors that are retried. Default: every error. */
  retryOn?: readonly ErrorClass[]
}

/** Returns the rules, with defaults for those that are not set. */
export function completeRetryRules(rules: {
  [Name in keyof RetryRules]: RetryRules[Name] | undefined
}): Required<RetryRules> {
  return {
    retries: rules.retries ?? 0,
    retryDelay: rules.retryDelay ?? 10,
    retryBackoff: rules.retryBackoff ?? 2,
    retryMaxDelay: rules.retryMaxDelay ?? 3600,
    retryJitter: rules.retryJitter ?? 0.5,
    retryOn: rules.retryOn ?? errorClasses,
  }
}
