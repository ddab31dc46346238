export * from './errors.ts'
export * from './routes.ts'
