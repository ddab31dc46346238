export * from './errors.ts'
export * from './pipeline.ts'
export * from './routes.ts'
export * from './run-order.ts'
