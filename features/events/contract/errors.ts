import { defineErrors } from '@headwater/contract'

/** Errors of events. */
export const eventErrors = defineErrors({
  tooManyStreams: {
    status: 429,
    message: ({ max }: { max: number }) =>
      `You have ${max} open event streams on this server, which is the maximum. Close one, or poll instead.`,
  },
})
