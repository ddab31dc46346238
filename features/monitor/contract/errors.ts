import { cutText, defineErrors } from '@headwater/contract'

/** Errors of the monitor and of backfills. */
export const monitorErrors = defineErrors({
  runNotReadable: {
    status: 404,
    message: ({ jobId }: { jobId: string }) =>
      `There is no run ${cutText(jobId)} that you can read. It may have been deleted.`,
    field: 'jobId',
  },
  backfillNotFound: {
    status: 404,
    message: () => 'This backfill does not exist, or another user started it.',
  },
  backfillRunning: {
    status: 409,
    message: () => 'Another backfill of this pipeline is running. Wait until it has ended, or cancel it.',
  },
  backfillEmpty: {
    status: 400,
    message: () => 'No date in this range can run. Start a dry run to see why.',
    field: 'from',
  },
})
