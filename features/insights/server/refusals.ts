import { AppError } from '@headwater/contract'

/** What was asked for; undefined when it is not there or not for the caller. Every other failure stays one. */
export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof AppError && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}
