import { ApiError } from '@headwater/web-kit'

const code = 'notForVisitors'

/** Creates the error for a function that visitors cannot use. */
export function notForVisitors(what: string): ApiError {
  return new ApiError({
    status: 403,
    code,
    message: `Visitors cannot use ${what}. Log in to use it.`,
  })
}

/** Returns whether an error is {@link notForVisitors}. A retry does not help. */
export function isNotForVisitors(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === code
}
