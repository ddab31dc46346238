import { defineErrors } from '@headwater/contract'

/** Errors of workers. */
export const workerErrors = defineErrors({
  workerNotFound: {
    status: 404,
    message: () => 'This process is no longer in the list of workers. Reload the list.',
  },
})
