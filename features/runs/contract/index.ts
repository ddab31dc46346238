export * from './packages.ts'
export * from './references.ts'
