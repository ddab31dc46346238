import { ApiError } from '@headwater/web-kit'

const code = 'notForVisitors'

/** Creates the error for data that are not part of a public view. */
export function notForVisitors(what: string): ApiError {
  return new ApiError({
    status: 403,
    code,
    message: `${what} is not part of the public view. Log in to see more.`,
  })
}

/** Whether an error is {@link notForVisitors}. A retry does not help. */
export function isNotForVisitors(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === code
}
