export * from './job-queue.ts'
export type { Executor, JobState } from './transitions.ts'
export type { JobHandler, RunningJob } from './worker.ts'
export type { Lane } from './lane.ts'
