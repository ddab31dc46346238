export * from './public-routes.ts'
export * from './publishing-errors.ts'
export * from './sharing-routes.ts'
