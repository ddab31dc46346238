import { AppError } from '@headwater/contract'

/** Returns whether an error means that an object does not exist or that the caller has no access to it. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && (error.status === 403 || error.status === 404)
}

/**
 * Returns whether the request or the data of the user caused an error. If so, the message is meant for the user, and a retry
 * cannot succeed.
 */
export function isClientError(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500
}

/**
 * Returns the result of a request; undefined if the object does not exist or the caller has no access to it. Throws all
 * other errors.
 */
export async function unlessRefused<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
