export * from './backfill-routes.ts'
export * from './errors.ts'
export * from './monitor-routes.ts'
