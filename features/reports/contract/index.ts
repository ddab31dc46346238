export * from './email-export.ts'
