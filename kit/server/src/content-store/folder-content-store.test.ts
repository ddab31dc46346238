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

test('content is kept under its hash and read back, whole or in part', async () => {
  const stored = await store.write(stream('hello ', 'world'))
  expect(stored).toEqual({ hash: sha256('hello world'), sizeBytes: 11 })
  expect(await text(await store.read(stored.hash))).toBe('hello world')
  expect(await text(await store.read(stored.hash, { start: 6, end: 8 }))).toBe('wor')
  expect(await text(await store.read(stored.hash, { start: 9 }))).toBe('ld')
})

test('empty content is content', async () => {
  const stored = await store.write(stream())
  expect(stored).toEqual({ hash: sha256(''), sizeBytes: 0 })
  expect(await text(await store.read(stored.hash))).toBe('')
})

test('equal content is kept once, also when it comes twice at the same moment', async () => {
  await Promise.all(Array.from({ length: 5 }, () => store.write(stream('same'))))
  expect(await files()).toEqual([sha256('same')])
})

test.each([
  ['size-mismatch', { expectedSize: 3 }],
  ['hash-mismatch', { expectedHash: sha256('other') }],
])('content that is not as expected leaves nothing behind: %s', async (code, options) => {
  await expect(store.write(stream('ab', 'cd'), options)).rejects.toMatchObject({ code })
  expect(await files()).toEqual([])
})

test('who is told before content is kept can still prevent it', async () => {
  const hash = sha256('told')
  const seen: boolean[] = []
  await store.write(stream('told'), {
    beforeKept: async (content) => {
      expect(content).toEqual({ hash, sizeBytes: 4 })
      seen.push(await store.has(hash))
    },
  })
  expect([...seen, await store.has(hash)]).toEqual([false, true])
  const refused = store.write(stream('refused'), { beforeKept: () => Promise.reject(new Error('no')) })
  await expect(refused).rejects.toThrow('no')
  expect(await files()).toEqual([hash])
})

test('a source that breaks leaves nothing behind', async () => {
  const source = new Readable({ read() {} })
  source.push('begin')
  setImmediate(() => source.destroy())
  await expect(store.write(source)).rejects.toMatchObject({ code: 'cut-off' })
  expect(await files()).toEqual([])
})

test('a disk that takes no more is told as such and leaves nothing behind', async () => {
  const script = `
    import { Readable } from 'node:stream'
    import { openFolderContentStore } from ${JSON.stringify(new URL('./folder-content-store.ts', import.meta.url).href)}
    const store = await openFolderContentStore(process.argv[1])
    const chunk = Buffer.alloc(65536)
    const error = await store.write(Readable.from([chunk, chunk, chunk, chunk])).catch((error) => error)
    console.log(error.code)`
  // The limit of the size of a file is what an unprivileged test can set to make a disk refuse bytes.
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

test('files that a killed process left half-written are gone at the next start', async () => {
  await writeFile(join(folder, 'unfinished', 'left'), 'half')
  const kept = await store.write(stream('whole'))
  await openFolderContentStore(folder)
  expect(await files()).toEqual([kept.hash])
})

test('removed content is gone; a reader that has begun still gets all of it', async () => {
  const { hash } = await store.write(stream('going'))
  const reader = await store.read(hash)
  await store.remove(hash)
  await store.remove(hash)
  expect(await text(reader)).toBe('going')
  expect(await store.has(hash)).toBe(false)
  await expect(store.read(hash)).rejects.toMatchObject({ code: 'not-found' })
})

test.each(['../../etc/passwd', '', 'A'.repeat(64)])('only a hash is looked up: %j', async (hash) => {
  await expect(store.read(hash)).rejects.toMatchObject({ code: 'not-found' })
})
