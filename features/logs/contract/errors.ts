import { defineErrors } from '@headwater/contract'

/** Errors of logs. */
export const logErrors = defineErrors({
  tooManySearches: {
    status: 429,
    message: () => 'Too many of your log searches are waiting. Wait for their results, then try again.',
  },
})
