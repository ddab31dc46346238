import { cutText, defineErrors } from '@headwater/contract'

/** Errors of statuses. */
export const statusErrors = defineErrors({
  jobNotFound: {
    status: 404,
    message: ({ jobId }: { jobId: string }) => `There is no job ${jobId} that you can send a status to.`,
    field: 'jobId',
  },
  jobNotReadable: {
    status: 404,
    message: ({ jobId }: { jobId: string }) => `There is no job ${cutText(jobId)} that you can read.`,
    field: 'jobId',
  },
  tooManySteps: {
    status: 409,
    message: ({ max }: { max: number }) =>
      `Scripts have added ${max} steps to this job, which is the maximum. Send further statuses with the eId of one of its steps.`,
    field: 'eId',
  },
  tooManySentJobs: {
    status: 409,
    message: ({ max }: { max: number }) =>
      `Your statuses have started ${max} jobs within 24 hours, which is the maximum. Send further statuses with the jobId of one of them.`,
    field: 'jobId',
  },
  jobIdNotValid: {
    status: 400,
    message: () => 'A job id must be a UUID. Omit jobId to start a new job for the status.',
    field: 'jobId',
  },
})
