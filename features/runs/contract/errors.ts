import { defineErrors } from '@headwater/contract'

/** Errors of runs. */
export const runErrors = defineErrors({
  runNotPaused: {
    status: 409,
    message: () => 'The run is not paused before this task. Reload to see its current state.',
  },
})
