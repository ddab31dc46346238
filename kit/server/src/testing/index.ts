export * from './open-test-database.ts'
export * from './test-database.ts'
export { startS3Server, type S3Server } from './s3-server.ts'
