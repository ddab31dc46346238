import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ContentStore } from './content-store.ts'
import { openFolderContentStore } from './folder-content-store.ts'

let folder: string
let store: ContentStore

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-content-'))
  store = await openFolderContentStore(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
const stream = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
const files = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

test('stores content under its hash and reads it back, whole or in part', async () => {
  const stored = await store.write(stream('hello ', 'world'))
  expect(stored).toEqual({ hash: sha256('hello world'), sizeBytes: 11 })
  expect(await text(await store.read(stored.hash))).toBe('hello world')
  expect(await text(await store.read(stored.hash, { start: 6, end: 8 }))).toBe('wor')
  expect(await text(await store.read(stored.hash, { start: 9 }))).toBe('ld')
})

test('stores empty content', async () => {
  const stored = await store.write(stream())
  expect(stored).toEqual({ hash: sha256(''), sizeBytes: 0 })
  expect(await text(await store.read(stored.hash))).toBe('')
})

test('stores equal content once, also when it arrives twice at the same time', async () => {
  await Promise.all(Array.from({ length: 5 }, () => store.write(stream('same'))))
  expect(await files()).toEqual([sha256('same')])
})

test.each([
  ['size-mismatch', { expectedSize: 3 }],
  ['hash-mismatch', { expectedHash: sha256('other') }],
])('leaves nothing behind when content differs from the expectation: %s', async (code, options) => {
  await expect(store.write(stream('ab', 'cd'), options)).rejects.toMatchObject({ code })
  expect(await files()).toEqual([])
})

test('a hook that runs before content is stored can prevent it', async () => {
  const hash = sha256('content')
  const seen: boolean[] = []
  await store.write(stream('content'), {
    beforeStore: async (content) => {
      expect(content).toEqual({ hash, sizeBytes: 7 })
      seen.push(await store.has(hash))
    },
  })
  expect([...seen, await store.has(hash)]).toEqual([false, true])
  const refused = store.write(stream('refused'), { beforeStore: () => Promise.reject(new Error('no')) })
  await expect(refused).rejects.toThrow('no')
  expect(await files()).toEqual([hash])
})

test('leaves nothing behind when the source breaks', async () => {
  const source = new Readable({ read() {} })
  source.push('begin')
  setImmediate(() => source.destroy())
  await expect(store.write(source)).rejects.toMatchObject({ code: 'cut-off' })
  expect(await files()).toEqual([])
})

test('reports a full disk and leaves nothing behind', async () => {
  const script = `
    import { Readable } from 'node:stream'
    import { openFolderContentStore } from ${JSON.stringify(new URL('./folder-content-store.ts', import.meta.url).href)}
    const store = await openFolderContentStore(process.argv[1])
    const chunk = Buffer.alloc(65536)
    const error = await store.write(Readable.from([chunk, chunk, chunk, chunk])).catch((error) => error)
    console.log(error.code)`
  // An unprivileged test cannot fill a disk, but it can limit the file size.
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -f 200; exec "$@"',
    'sh',
    process.execPath,
    '--input-type=module',
    '--eval',
    script,
    folder,
  ])
  expect(stdout.trim()).toBe('storage-full')
  expect(await files()).toEqual([])
})

test('removes half-written files of a killed process at the next start', async () => {
  await writeFile(join(folder, 'unfinished', 'left'), 'half')
  const stored = await store.write(stream('whole'))
  await openFolderContentStore(folder)
  expect(await files()).toEqual([stored.hash])
})

test('removes content; a reader that has started still receives all of it', async () => {
  const { hash } = await store.write(stream('going'))
  const reader = await store.read(hash)
  await store.remove(hash)
  await store.remove(hash)
  expect(await text(reader)).toBe('going')
  expect(await store.has(hash)).toBe(false)
  await expect(store.read(hash)).rejects.toMatchObject({ code: 'not-found' })
})

test.each(['../../etc/passwd', '', 'A'.repeat(64)])('looks up hashes only: %j', async (hash) => {
  await expect(store.read(hash)).rejects.toMatchObject({ code: 'not-found' })
})
