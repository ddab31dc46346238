export * from './open-test-database.ts'
export * from './test-database.ts'
