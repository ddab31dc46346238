import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

/** Types of the parts of s3rver that are used here, because the package has none. */
interface S3rver {
  run(): Promise<{ address: string; port: number }>
  close(): Promise<void>
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: {
  port: number
  address: string
  silent: boolean
  directory: string
}) => S3rver

/** An S3 server on loopback that stores objects in a temporary folder. */
export interface S3Server {
  /** Address of the server. */
  endpoint: string
  /** TCP port of the server. */
  port: number
  /** Keys of the server. */
  credentials: { accessKeyId: string; secretAccessKey: string }
  /** Folder with a folder for each bucket. */
  folder: string
  /** Creates a bucket. */
  createBucket(name: string): Promise<void>
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

/** Starts an S3 server without buckets. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-s3-'))
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder })
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  // Every s3rver has these keys.
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const administrator = new S3Client({ endpoint, forcePathStyle: true, region: 'us-east-1', credentials })
  return {
    endpoint,
    port,
    credentials,
    folder,
    async createBucket(name) {
      await administrator.send(new CreateBucketCommand({ Bucket: name }))
    },
    async stop() {
      administrator.destroy()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
