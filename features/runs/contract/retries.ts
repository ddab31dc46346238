/** Classes of step errors. An error can belong to several. */
export const errorClasses = ['timeout', 'connection', 'unavailable', 'script', 'other'] as const
/**
 * Class of a step error. `timeout`: the step, or a remote server, took too long. `connection`: a remote server was not found or
 * the connection failed. `unavailable`: a remote server responded with the status 429, or 500 and higher. `script`: a script
 * ended with an exception or an exit code. `other`: none of these.
 */
export type ErrorClass = (typeof errorClasses)[number]

/** Retry rules of a step. */
export interface RetryRules {
  /** Number of retries after an ERROR. Default 0. */
  retries?: number
  /** Maximum pause before the first retry, in seconds. Default 10. */
  retryDelay?: number
  /** Factor by which the pause grows with each retry. Default 2. */
  retryBackoff?: number
  /** Maximum pause before any retry, in seconds. Default 3600. */
  retryMaxDelay?: number
  /** Random fraction of each pause, from 0 to 1: the pause is shortened by at most this fraction. Default 0.5. */
  retryJitter?: number
  /** Error classes that are retried. Default: every error. */
  retryOn?: readonly ErrorClass[]
}

/** Returns the rules with defaults for missing values. */
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
