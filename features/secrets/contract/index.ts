export * from './errors.ts'
export * from './routes.ts'
export * from './secret.ts'
