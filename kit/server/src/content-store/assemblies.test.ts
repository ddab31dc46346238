import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Assemblies, ContentStore } from './content-store.ts'
import { openFolderContentStore } from './folder-content-store.ts'

let folder: string
let store: ContentStore
let assemblies: Assemblies

const open = async () => {
  store = await openFolderContentStore(folder)
  assemblies = store.assemblies!
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-assemblies-'))
  await open()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const partBytes = 700_000
const parts = Array.from({ length: 4 }, () => randomBytes(partBytes))
const whole = Buffer.concat(parts)
const hash = createHash('sha256').update(whole).digest('hex')
const content = { hash, sizeBytes: whole.length }

async function write(id: string, order: readonly number[]): Promise<void> {
  for (const part of order) {
    expect(await assemblies.write(id, part * partBytes, parts[part]!)).toBe(true)
    await assemblies.settle(id, part * partBytes, parts[part]!)
  }
}

const paths = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test.each([[[0, 1, 2, 3]], [[2, 0, 3, 1]], [[3, 2, 1, 0]]])(
  'parts written in the order %j become one content without a copy',
  async (order) => {
    const id = randomUUID()
    await write(id, order)
    expect(await assemblies.hash(id, whole.length)).toBe(hash)
    // A client repeats the completion after an error.
    expect(await assemblies.hash(id, whole.length)).toBe(hash)
    const [path] = await paths()
    const { ino } = await stat(path!)
    await assemblies.publish(id, content)
    await assemblies.publish(id, content)
    await assemblies.remove(id)
    expect((await buffer(await store.read(hash))).equals(whole)).toBe(true)
    const [published, ...others] = await paths()
    expect(others).toEqual([])
    expect((await stat(published!)).ino).toBe(ino)
    expect(await assemblies.list()).toEqual([])
  },
)

test('an assembly survives a restart, and bytes behind the end are discarded', async () => {
  const id = randomUUID()
  await write(id, [0, 2])
  await assemblies.write(id, 9 * partBytes, Buffer.from('never recorded'))
  await open()
  expect(await assemblies.list()).toEqual([id])
  await write(id, [1, 3])
  const part = await assemblies.read(id, { start: partBytes, end: 2 * partBytes - 1 })
  expect((await buffer(part)).equals(parts[1]!)).toBe(true)
  expect(await assemblies.hash(id, whole.length)).toBe(hash)
  await assemblies.publish(id, content)
  expect((await buffer(await store.read(hash))).equals(whole)).toBe(true)
})

test('a published assembly takes no bytes, so that its content never changes', async () => {
  const id = randomUUID()
  await write(id, [0, 1, 2, 3])
  await assemblies.publish(id, content)
  expect(await assemblies.write(id, 0, Buffer.from('other'))).toBe(false)
  expect((await buffer(await store.read(hash))).equals(whole)).toBe(true)
})

test('two assemblies with equal bytes become one content', async () => {
  const ids = [randomUUID(), randomUUID()]
  for (const id of ids) {
    await write(id, [0, 1, 2, 3])
    await assemblies.publish(id, content)
    await assemblies.remove(id)
  }
  expect(await paths()).toHaveLength(1)
})

test('accepts ids only as names of assemblies', async () => {
  await expect(assemblies.write('../x', 0, Buffer.from('x'))).rejects.toMatchObject({ code: 'not-found' })
})
