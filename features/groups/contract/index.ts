export * from './errors.ts'
export * from './group.ts'
export * from './routes.ts'
