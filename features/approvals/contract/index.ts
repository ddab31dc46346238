export * from './approval-routes.ts'
export * from './errors.ts'
