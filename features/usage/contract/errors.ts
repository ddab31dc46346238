import { defineErrors } from '@headwater/contract'

/** Errors of usage. */
export const usageErrors = defineErrors({
  usedObjectNotFound: {
    status: 404,
    message: ({ what }: { what: string }) =>
      `There is no ${what} that you can read. It may have been deleted, moved or renamed. Reload the list.`,
  },
  tooManyFiles: {
    status: 400,
    message: ({ max }: { max: number }) =>
      `A request can have at most ${max} ids of files. Request the others separately.`,
    field: 'fids',
  },
  tooManyUsageRequests: {
    status: 429,
    message: () => 'Too many of your requests for usage are waiting. Wait for their results.',
  },
})
