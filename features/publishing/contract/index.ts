export * from './public-routes.ts'
export * from './errors.ts'
export * from './sharing-routes.ts'
