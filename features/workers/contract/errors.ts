import { defineErrors } from '@headwater/contract'

/** Errors of workers. */
export const workerErrors = defineErrors({
  workerNotFound: {
    status: 404,
    message: () => 'This process has left the list of workers. Reload the list.',
  },
})
