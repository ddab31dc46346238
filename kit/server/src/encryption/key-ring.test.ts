import { expect, test } from 'vitest'
import { createEncryptionKey, createKeyRing, type EncryptionKey } from './key-ring.ts'

/** @param others keys in the file that the ring has not loaded */
function ringOf(keys: EncryptionKey[], others: EncryptionKey[] = []) {
  return createKeyRing({
    keys: () => keys,
    addKey: async () => {
      keys.unshift(createEncryptionKey())
    },
    reload: async () => {
      keys.push(...others.splice(0))
    },
  })
}

test('a text can be decrypted only in the same context, and each encryption differs', async () => {
  const ring = ringOf([createEncryptionKey()])
  const encrypted = ring.encrypt('Pässword 🔑', 'group 1 api-key')
  expect(encrypted).not.toContain('ssword')
  expect(ring.encrypt('Pässword 🔑', 'group 1 api-key')).not.toBe(encrypted)
  expect(await ring.decrypt(encrypted, 'group 1 api-key')).toBe('Pässword 🔑')
  await expect(ring.decrypt(encrypted, 'group 2 api-key')).rejects.toThrow()
})

test('a modified text is rejected', async () => {
  const ring = ringOf([createEncryptionKey()])
  const [version, id, content = ''] = ring.encrypt('a secret', 'x').split('.')
  const bytes = Buffer.from(content, 'base64url')
  for (const index of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[index]! ^= 1
    await expect(ring.decrypt(`${version}.${id}.${changed.toString('base64url')}`, 'x')).rejects.toThrow()
  }
  await expect(
    ring.decrypt(`${version}.${id}.${bytes.subarray(0, 20).toString('base64url')}`, 'x'),
  ).rejects.toThrow()
  await expect(ring.decrypt('', 'x')).rejects.toThrow('The encryption key  is missing in secrets.json.')
})

test('older keys still decrypt, and the error names a missing key', async () => {
  const keys = [createEncryptionKey()]
  const ring = ringOf(keys)
  const before = ring.encrypt('a secret', 'x')
  expect(ring.isOutdated(before)).toBe(false)
  await ring.addKey()
  expect(ring.isOutdated(before)).toBe(true)
  expect(await ring.decrypt(before, 'x')).toBe('a secret')
  expect(ring.isOutdated(ring.encrypt('a secret', 'x'))).toBe(false)
  const { id } = keys.pop()!
  await expect(ring.decrypt(before, 'x')).rejects.toThrow(
    `The encryption key ${id} is missing in secrets.json.`,
  )
})

test('a missing key is reloaded', async () => {
  const [first, second] = [createEncryptionKey(), createEncryptionKey()]
  const encrypted = ringOf([second, first]).encrypt('a secret', 'x')
  expect(await ringOf([first], [second]).decrypt(encrypted, 'x')).toBe('a secret')
})
