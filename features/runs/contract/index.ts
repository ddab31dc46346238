export * from './errors.ts'
export * from './packages.ts'
export * from './references.ts'
export * from './retries.ts'
