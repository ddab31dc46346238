import { defineErrors } from '@headwater/contract'

/** Message for a data prep that does not exist or that the user cannot read. */
export const noPrepMessage = 'User is not authorized to the data prep or the data prep does not exist.'

/** Errors of tiles. */
export const tileErrors = defineErrors({
  tileNotFound: {
    status: 404,
    message: () => 'This version of the insight has no such tile. Reload the page.',
  },
  tileWithoutQuery: {
    status: 400,
    message: ({ problem }: { problem: string }) => problem,
  },
  tilePrepNotFound: {
    status: 404,
    message: () => noPrepMessage,
  },
  codeCannotRun: {
    status: 409,
    message: ({ reason }: { reason: string }) => reason,
  },
})
