export * from './errors.ts'
export * from './job.ts'
export * from './routes.ts'
export * from './job-status.ts'
