import { defineErrors } from '@headwater/contract'

/** Errors of statuses. */
export const statusErrors = defineErrors({
  jobNotFound: {
    status: 404,
    message: ({ jobId }: { jobId: string }) => `There is no job ${jobId} that you can write a status to.`,
    field: 'jobId',
  },
  jobIdNotValid: {
    status: 400,
    message: () => 'The id of a job is a UUID. Omit jobId to start a new job for the status.',
    field: 'jobId',
  },
})
