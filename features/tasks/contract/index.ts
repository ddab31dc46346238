export * from './errors.ts'
export * from './requirements.ts'
export * from './routes.ts'
export * from './task.ts'
