export * from './approval-routes.ts'
export * from './errors.ts'
export * from './unable-approvers.ts'
