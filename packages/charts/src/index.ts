export * from './chart-spec.ts'
export type * from './chart-handle.ts'
