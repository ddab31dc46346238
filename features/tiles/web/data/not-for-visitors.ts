import { ApiError } from '@headwater/web-kit'

const code = 'notForVisitors'

/** The refusal of something that the visitors of a public insight cannot have. */
export function notForVisitors(what: string): ApiError {
  return new ApiError({
    status: 403,
    code,
    message: `${what} is not part of the public view. Log in to see more.`,
  })
}

/** Whether this is {@link notForVisitors}: it stays so, however often one asks. */
export function isNotForVisitors(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === code
}
