export { subscribeToJobs, type JobEvent } from './job-events.ts'
export { useJobRefetch, useJobRefresh } from './use-job-refresh.ts'
