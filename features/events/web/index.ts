export { subscribeToJobs, type JobEvent } from './job-events.ts'
export { useJobRefresh } from './use-job-refresh.ts'
