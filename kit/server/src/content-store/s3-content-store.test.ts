import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { S3Location } from '../config.ts'
import { sha256, stream, testContentStore } from './content-store-suite.ts'
import { startS3Server, type S3Server } from '../testing/s3-server.ts'
import type { ContentStore } from './content-store.ts'
import { openS3ContentStore } from './s3-content-store.ts'

const mib = 1024 * 1024

let base: string
let s3: S3Server
let proxy: Server
let endpoint: string
/** Requests that reached the store: method, path and query. */
let requests: string[] = []
/** Returns the status with which the proxy responds itself, or undefined to forward a request to the store. */
let refuse: (method: string, path: string) => number | undefined = () => undefined

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'headwater-s3-'))
  s3 = await startS3Server()
  const { port } = s3
  // Requests pass through this proxy, which simulates network faults.
  proxy = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    requests.push(`${method} ${url}`)
    const status = refuse(method, url)
    if (status !== undefined) {
      incoming.resume().once('end', () => outgoing.writeHead(status).end())
      return
    }
    const forwarded = request({ port, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    forwarded.once('error', () => outgoing.destroy())
    outgoing.once('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await s3.stop()
  await rm(base, { recursive: true, force: true })
})

let location: S3Location
let spoolFolder: string
let store: ContentStore
let count = 0

beforeEach(async () => {
  count += 1
  refuse = () => undefined
  const { credentials } = s3
  location = { bucket: `bucket-${count}`, prefix: 'lake/', endpoint, region: 'us-east-1', credentials }
  spoolFolder = join(base, `spool-${count}`)
  await s3.createBucket(location.bucket)
  store = await openS3ContentStore({ location, spoolFolder, partBytes: 5 * mib })
  requests = []
})
afterEach(() => store.close())

/** Names of objects in the bucket and of files in the spool folder. */
async function files(): Promise<string[]> {
  const objects = (await readdir(join(s3.folder, location.bucket), { recursive: true }))
    .filter((name) => name.endsWith('._S3rver_object'))
    .map((name) => name.replace('._S3rver_object', ''))
  for (const name of objects) expect(name).toMatch(/^lake\/(..)\/(..)\/\1\2/)
  return [...objects.map((name) => name.split('/').at(-1) ?? ''), ...(await readdir(spoolFolder))]
}

testContentStore(() => ({ store, files }))

const partsOf = (sent: readonly string[]) =>
  sent.filter((each) => each.startsWith('PUT') && each.includes('partNumber='))

test('sends larger content in parts, and smaller content in one request', async () => {
  const content = randomBytes(12 * mib)
  const { hash } = await store.write(Readable.from([content]))
  expect(partsOf(requests)).toHaveLength(3)
  expect((await buffer(await store.read(hash))).equals(content)).toBe(true)
  requests = []
  await store.write(Readable.from([content.subarray(0, 5 * mib)]))
  expect(partsOf(requests)).toHaveLength(0)
})

test('sends a part again after a network error', async () => {
  let faults = 0
  refuse = (method, path) =>
    method === 'PUT' && path.includes('partNumber=2') && faults++ < 2 ? 503 : undefined
  const content = randomBytes(11 * mib)
  const { hash } = await store.write(Readable.from([content]))
  expect(faults).toBeGreaterThanOrEqual(2)
  expect((await buffer(await store.read(hash))).equals(content)).toBe(true)
})

test('aborts the upload when a part is rejected, and leaves nothing behind', async () => {
  refuse = (method, path) => (method === 'PUT' && path.includes('partNumber=2') ? 400 : undefined)
  const content = randomBytes(12 * mib)
  await expect(store.write(Readable.from([content]))).rejects.toThrow()
  const aborts = requests.filter((each) => each.startsWith('DELETE') && each.includes('uploadId='))
  expect(aborts).toHaveLength(1)
  // No request follows the abort.
  expect(requests.at(-1)).toBe(aborts[0])
  expect(await files()).toEqual([])
  expect(await store.has(sha256(content))).toBe(false)
})

test('reports a full store', async () => {
  refuse = (method) => (method === 'PUT' ? 507 : undefined)
  await expect(store.write(stream('content'))).rejects.toMatchObject({ code: 'storage-full' })
  expect(await files()).toEqual([])
})

test('reports an unreachable store as an error and not as missing content', async () => {
  const { hash } = await store.write(stream('content'))
  refuse = () => 500
  await expect(store.has(hash)).rejects.toThrow()
  const error: unknown = await store.read(hash).catch((problem: unknown) => problem)
  expect(error).not.toMatchObject({ code: 'not-found' })
})

test('several processes use one bucket', async () => {
  const other = await openS3ContentStore({ location, spoolFolder: `${spoolFolder}-other` })
  const { hash } = await store.write(stream('shared'))
  expect(await text(await other.read(hash))).toBe('shared')
  await other.remove(hash)
  expect(await store.has(hash)).toBe(false)
  await other.close()
})

test('a range beyond the end is empty, as in a file', async () => {
  const { hash } = await store.write(stream('short'))
  expect(await text(await store.read(hash, { start: 100 }))).toBe('')
  expect(await text(await store.read(hash, { end: 1 }))).toBe('sh')
})

test('removes files of a killed process at the next start', async () => {
  await writeFile(join(spoolFolder, 'left'), 'half')
  const next = await openS3ContentStore({ location, spoolFolder })
  expect(await readdir(spoolFolder)).toEqual([])
  await next.close()
})

test.each<[string, Partial<S3Location>, RegExp]>([
  ['a bucket that does not exist', { bucket: 'missing' }, /it has no bucket “missing”\. Create the bucket/],
  [
    'wrong keys',
    { credentials: { accessKeyId: 'UNKNOWN', secretAccessKey: 'hidden' } },
    /the keys do not grant access to the bucket “bucket-\d+”\. Check the keys/,
  ],
  [
    'a port without a server',
    { endpoint: 'http://127.0.0.1:9' },
    /Cannot use the S3 store at 127\.0\.0\.1:9: .*Check host/,
  ],
])('fails to start with %s, with a message that explains what to do', async (_name, change, message) => {
  const opening = openS3ContentStore({ location: { ...location, ...change }, spoolFolder })
  await expect(opening).rejects.toThrow(message)
  await expect(opening).rejects.not.toThrow('hidden')
})
