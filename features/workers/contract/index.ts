export * from './errors.ts'
export * from './worker.ts'
