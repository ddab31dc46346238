export * from './errors.ts'
export * from './log-line.ts'
export * from './routes.ts'
