import { ApiError } from '../call/api-error.ts'
import { message, toastError } from './toasts.ts'

/** Shows an error as toasts, one for each invalid field. */
export function toastErrors(error: unknown): void {
  if (error instanceof ApiError && error.validationErrors.length > 0)
    for (const { message: text } of error.validationErrors) message(text, 'error')
  else toastError(error)
}
