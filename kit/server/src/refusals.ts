import { AppError } from '@headwater/contract'

/** Whether an error says that something is not there, or not for the caller. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && (error.status === 403 || error.status === 404)
}

/** What was asked for; undefined when it is not there or not for the caller. Every other failure stays one. */
export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
