import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ContentStore } from './content-store.ts'

/** SHA-256 of a string. */
export const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
/** A stream of texts. */
export const stream = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))

/** The store under test. The caller opens a new one for each test. */
export interface StoreUnderTest {
  /** The store. */
  store: ContentStore
  /** Returns the names of all objects or files of the store, including uploads in progress. */
  files(): Promise<string[]>
}

/** Defines the tests that every adapter must pass. */
export function testContentStore(current: () => StoreUnderTest): void {
  test('stores content under its hash and reads it back, whole or in part', async () => {
    const stored = await current().store.write(stream('hello ', 'world'))
    expect(stored).toEqual({ hash: sha256('hello world'), sizeBytes: 11 })
    expect(await text(await current().store.read(stored.hash))).toBe('hello world')
    expect(await text(await current().store.read(stored.hash, { start: 6, end: 8 }))).toBe('wor')
    expect(await text(await current().store.read(stored.hash, { start: 9 }))).toBe('ld')
  })

  test('stores empty content', async () => {
    const stored = await current().store.write(stream())
    expect(stored).toEqual({ hash: sha256(''), sizeBytes: 0 })
    expect(await text(await current().store.read(stored.hash))).toBe('')
  })

  test('stores equal content once, even when two uploads of it run concurrently', async () => {
    await Promise.all(Array.from({ length: 5 }, () => current().store.write(stream('same'))))
    expect(await current().files()).toEqual([sha256('same')])
  })

  test.each([
    ['size-mismatch', { expectedSize: 3 }],
    ['hash-mismatch', { expectedHash: sha256('other') }],
  ])('leaves nothing behind when content differs from the expectation: %s', async (code, options) => {
    await expect(current().store.write(stream('ab', 'cd'), options)).rejects.toMatchObject({ code })
    expect(await current().files()).toEqual([])
  })

  test('a hook that runs before content is stored can prevent it', async () => {
    const hash = sha256('content')
    const seen: boolean[] = []
    await current().store.write(stream('content'), {
      beforeStore: async (content) => {
        expect(content).toEqual({ hash, sizeBytes: 7 })
        seen.push(await current().store.has(hash))
      },
    })
    expect([...seen, await current().store.has(hash)]).toEqual([false, true])
    const refused = current().store.write(stream('refused'), {
      beforeStore: () => Promise.reject(new Error('no')),
    })
    await expect(refused).rejects.toThrow('no')
    expect(await current().files()).toEqual([hash])
  })

  test('leaves nothing behind when the source fails', async () => {
    const source = new Readable({ read() {} })
    source.push('begin')
    setImmediate(() => source.destroy())
    await expect(current().store.write(source)).rejects.toMatchObject({ code: 'cut-off' })
    expect(await current().files()).toEqual([])
  })

  test('removes content while active readers still receive all of it', async () => {
    const { hash } = await current().store.write(stream('going'))
    const reader = await current().store.read(hash)
    await current().store.remove(hash)
    await current().store.remove(hash)
    expect(await text(reader)).toBe('going')
    expect(await current().store.has(hash)).toBe(false)
    await expect(current().store.read(hash)).rejects.toMatchObject({ code: 'not-found' })
  })

  test.each(['../../etc/passwd', '', 'A'.repeat(64)])('looks up hashes only: %j', async (hash) => {
    await expect(current().store.read(hash)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('stores and reads content that consists of many chunks', async () => {
    const chunks = Array.from({ length: 100 }, () => randomBytes(130_001))
    const all = Buffer.concat(chunks)
    const stored = await current().store.write(Readable.from(chunks))
    expect(stored).toEqual({ hash: sha256(all), sizeBytes: all.length })
    const { store } = current()
    expect((await buffer(await store.read(stored.hash))).equals(all)).toBe(true)
    const start = all.length - 6_000_000
    const part = await buffer(await store.read(stored.hash, { start, end: start + 5_999_998 }))
    expect(part.equals(all.subarray(start, start + 5_999_999))).toBe(true)
    expect(await current().files()).toEqual([stored.hash])
  })

  test('a reader that is destroyed early leaves the store usable', async () => {
    const { store } = current()
    const { hash } = await store.write(Readable.from([randomBytes(3_000_000)]))
    for (let count = 0; count < 5; count += 1) {
      const reader = await store.read(hash)
      reader.destroy()
    }
    expect((await buffer(await store.read(hash))).length).toBe(3_000_000)
  })

  test('frees the memory of written chunks only if nothing else uses them', async () => {
    const write = async (ownsChunks: boolean) => {
      const shared = randomBytes(100_000)
      const chunks = [randomBytes(600_000), shared.subarray(0, 50_000), randomBytes(70_000)]
      const content = Buffer.concat(chunks)
      const seenBytes: number[] = []
      const { hash } = await current().store.write(Readable.from(chunks), {
        ownsChunks,
        onChunk: async (chunk) => {
          await nextTurn()
          seenBytes.push(chunk.length)
        },
      })
      expect(seenBytes).toEqual([600_000, 50_000, 70_000])
      expect((await buffer(await current().store.read(hash))).equals(content)).toBe(true)
      return chunks.map(({ length }) => length)
    }
    expect(await write(true)).toEqual([0, 50_000, 0])
    expect(await write(false)).toEqual([600_000, 50_000, 70_000])
  })

  test('passes each chunk to the hook before the next one arrives', async () => {
    const seen: string[] = []
    await current().store.write(stream('a', 'b'), {
      onChunk: async (chunk) => {
        seen.push(`begin ${chunk.toString()}`)
        await nextTurn()
        seen.push(`end ${chunk.toString()}`)
      },
    })
    expect(seen).toEqual(['begin a', 'end a', 'begin b', 'end b'])
    const refused = current().store.write(stream('a', 'b'), {
      onChunk: () => Promise.reject(new Error('no')),
    })
    await expect(refused).rejects.toThrow('no')
    expect(await current().files()).toEqual([sha256('ab')])
  })
}
