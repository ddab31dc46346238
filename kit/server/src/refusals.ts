import { AppError } from '@headwater/contract'

/** Returns whether an error means that an object does not exist or that the caller has no access to it. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && (error.status === 403 || error.status === 404)
}

/**
 * Returns whether the request or the data of the user caused an error. In that case the message helps the user and a
 * retry is pointless.
 */
export function isClientError(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500
}

/** Returns the result of a request; undefined when the object does not exist or the caller has no access. Rethrows other errors. */
export async function unlessRefused<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
