export * from './open-test-database.ts'
export * from './test-database.ts'
export { certificate, privateKey } from '../egress/testing-certificate.ts'
export { startS3Server, type S3Server } from './s3-server.ts'
