import { type NcsvIssue, validateNcsv } from '@headwater/files/contract'
import { ApiError, call } from '@headwater/web-kit'

/** Validates a text as NCSV on the server; `tooLarge` if it has too many rows. */
export async function validateNcsvText(text: string): Promise<NcsvIssue[] | 'tooLarge'> {
  try {
    return await call(validateNcsv, { body: text })
  } catch (error) {
    if (error instanceof ApiError && error.status === 413) return 'tooLarge'
    throw error
  }
}
