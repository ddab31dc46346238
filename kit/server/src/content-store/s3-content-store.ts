import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Location } from '../config.ts'
import { ContentStoreError, type ByteRange, type ContentStore, type StoredContent } from './content-store.ts'
import { contentPath, openSpool } from './spool.ts'

/** Options of {@link openS3ContentStore}. */
export interface S3ContentStoreOptions {
  /** Bucket and address. */
  location: S3Location
  /** Folder of this process for uploads in progress. Files left by a killed process are removed. */
  spoolFolder: string
  /** Part size of multipart uploads in bytes, default 8 MiB; S3 requires at least 5 MiB. */
  partBytes?: number
}

/** Maximum number of parts that S3 accepts. */
const maxParts = 10_000
/** Number of parts of one upload that are sent concurrently. Each of them is held in memory. */
const partsAtOnce = 4
const maxConnections = 200

/**
 * Opens the content store in a bucket: each piece of content is the object `<prefix>ab/cd/<hash>`. Several processes
 * can use the bucket. An upload is first written to a local file, because the name of the object contains the hash, which is
 * known only at the end. Thus failed parts can be sent again, and an object is complete when it becomes visible.
 */
export async function openS3ContentStore(options: S3ContentStoreOptions): Promise<ContentStore> {
  const { location, spoolFolder } = options
  const spool = await openSpool(spoolFolder)
  const client = createClient(location)
  try {
    await client.send(new HeadBucketCommand({ Bucket: location.bucket }))
  } catch (error) {
    client.destroy()
    throw unreachable(error as Error, location)
  }
  const objects = createObjects(client, location, options.partBytes ?? 8 * 1024 * 1024)

  return {
    write: (source, writeOptions = {}) =>
      spool.receive(source, { ...writeOptions, isDurable: false }, (path, content) =>
        objects.upload(path, content),
      ),
    read: (hash, range) => objects.read(hash, range),
    has: (hash) => objects.has(hash),
    remove: (hash) => objects.remove(hash),
    // A bucket has no size limit, but every upload passes through the local disk.
    freeBytes: () => spool.freeBytes(),
    async close() {
      client.destroy()
    },
  }
}

function createClient({ endpoint, region, credentials }: S3Location): S3Client {
  return new S3Client({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: 4,
    // Signatures already cover the bytes, and stores other than AWS reject additional checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 10_000,
      httpAgent: { maxSockets: maxConnections, keepAlive: true },
      httpsAgent: { maxSockets: maxConnections, keepAlive: true },
    },
  })
}

/** The objects of the bucket by hash. */
function createObjects(client: S3Client, { bucket, prefix }: S3Location, minPartBytes: number) {
  function objectOf(hash: string): { Bucket: string; Key: string } {
    return { Bucket: bucket, Key: `${prefix}${contentPath(hash)}` }
  }

  async function uploadParts(file: FileHandle, { hash, sizeBytes }: StoredContent): Promise<void> {
    const object = objectOf(hash)
    const partBytes = Math.max(minPartBytes, Math.ceil(sizeBytes / maxParts))
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
    try {
      const parts: { PartNumber: number; ETag: string | undefined }[] = []
      let next = 0
      async function sendParts(): Promise<void> {
        for (let start = next * partBytes; start < sizeBytes; start = next * partBytes) {
          const number = (next += 1)
          const body = await readPart(file, start, Math.min(partBytes, sizeBytes - start))
          const { ETag } = await client.send(
            new UploadPartCommand({ ...object, UploadId, PartNumber: number, Body: body }),
          )
          parts[number - 1] = { PartNumber: number, ETag }
        }
      }
      // Waits for all senders before it aborts the upload. A late part would otherwise remain in the bucket.
      const outcomes = await Promise.allSettled(Array.from({ length: partsAtOnce }, sendParts))
      const failure = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failure !== undefined) throw failure.reason as Error
      await client.send(
        new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts: parts } }),
      )
    } catch (error) {
      // If this fails, a lifecycle rule of the bucket removes the parts.
      await client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => {})
      throw error
    }
  }

  return {
    async upload(path: string, content: StoredContent): Promise<void> {
      const file = await open(path, 'r')
      try {
        if (content.sizeBytes > minPartBytes) return await uploadParts(file, content)
        const body = await readPart(file, 0, content.sizeBytes)
        await client.send(new PutObjectCommand({ ...objectOf(content.hash), Body: body }))
      } catch (error) {
        throw storageFull(error) ?? error
      } finally {
        await file.close()
      }
    },
    async read(hash: string, range: ByteRange = {}): Promise<Readable> {
      try {
        const { Body } = await client.send(
          new GetObjectCommand({ ...objectOf(hash), ...(isWhole(range) ? {} : { Range: rangeText(range) }) }),
        )
        return Body as Readable
      } catch (error) {
        if (isStatus(error, 404)) throw notFound(hash, error)
        // A range beyond the end is empty, as in a file.
        if (isStatus(error, 416)) return Readable.from([])
        throw error
      }
    },
    async has(hash: string): Promise<boolean> {
      try {
        await client.send(new HeadObjectCommand(objectOf(hash)))
        return true
      } catch (error) {
        if (isStatus(error, 404)) return false
        throw error
      }
    },
    async remove(hash: string): Promise<void> {
      await client.send(new DeleteObjectCommand(objectOf(hash)))
    },
  }
}

async function readPart(file: FileHandle, start: number, sizeBytes: number): Promise<Buffer> {
  const part = Buffer.allocUnsafe(sizeBytes)
  for (let filled = 0; filled < sizeBytes;) {
    const { bytesRead } = await file.read(part, filled, sizeBytes - filled, start + filled)
    if (bytesRead === 0) throw new Error('The local copy of the content is shorter than the content.')
    filled += bytesRead
  }
  return part
}

function isWhole({ start, end }: ByteRange): boolean {
  return start === undefined && end === undefined
}

function rangeText({ start = 0, end }: ByteRange): string {
  return `bytes=${start}-${end ?? ''}`
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}

function notFound(hash: string, cause?: unknown): ContentStoreError {
  return new ContentStoreError('not-found', `There is no content ${hash}.`, { cause })
}

/** Error codes of S3 stores that are full. */
const fullNames = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage']

function storageFull(error: unknown): ContentStoreError | undefined {
  const isFull = isStatus(error, 507) || fullNames.includes((error as Error).name)
  return isFull ? new ContentStoreError('storage-full', 'The S3 store is full.', { cause: error }) : undefined
}

/** Explains why a start failed. The message must not contain the keys. */
function unreachable(error: Error, { bucket, endpoint }: S3Location): Error {
  const name = endpoint === undefined ? 'S3 of AWS' : `the S3 store at ${new URL(endpoint).host}`
  const [reason, advice] = isStatus(error, 404)
    ? [`it has no bucket “${bucket}”`, 'Create the bucket, or correct HEADWATER_S3_URL.']
    : isStatus(error, 403) || isStatus(error, 401)
      ? [
          `the keys do not grant access to the bucket “${bucket}”`,
          'Check the keys in HEADWATER_S3_URL and their policy.',
        ]
      : [error.message || error.name, 'Check host, port and keys in HEADWATER_S3_URL.']
  return new Error(`Cannot use ${name}: ${reason}. ${advice}`, { cause: error })
}
