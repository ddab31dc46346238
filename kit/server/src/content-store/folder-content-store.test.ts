import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ContentStore } from './content-store.ts'
import { stream, testContentStore } from './content-store-suite.ts'
import { openFolderContentStore } from './folder-content-store.ts'

let folder: string
let store: ContentStore

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-content-'))
  store = await openFolderContentStore(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const files = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

testContentStore(() => ({ store, files }))

test('reports a full disk and leaves nothing behind', async () => {
  const script = `
    import { Readable } from 'node:stream'
    import { openFolderContentStore } from ${JSON.stringify(new URL('./folder-content-store.ts', import.meta.url).href)}
    const store = await openFolderContentStore(process.argv[1])
    const chunk = Buffer.alloc(65536)
    const error = await store.write(Readable.from([chunk, chunk, chunk, chunk])).catch((error) => error)
    console.log(error.code)`
  // A test without privileges cannot fill a disk, but it can limit the file size.
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
