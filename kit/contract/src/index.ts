export * from './error.ts'
export * from './page.ts'
export * from './route.ts'
