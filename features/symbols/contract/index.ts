export * from './data-query.ts'
export * from './errors.ts'
export * from './routes.ts'
export * from './symbol.ts'
