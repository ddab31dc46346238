import { expect, test } from 'vitest'
import { createPasswordHasher } from './password-hasher.ts'

test('passwords are hashed with argon2id, with 19 MiB, two passes and a unique salt', async () => {
  const hasher = createPasswordHasher()
  const hashes = await Promise.all([hasher.hash('the same password'), hasher.hash('the same password')])
  for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(hashes[0]).not.toBe(hashes[1])
})

test('accepts the right password, rejects a wrong one, and rejects any password if no hash is stored', async () => {
  const hasher = createPasswordHasher()
  const hash = await hasher.hash('correct horse')
  expect(await hasher.verify(hash, 'correct horse')).toBe(true)
  expect(await hasher.verify(hash, 'correct horse ')).toBe(false)
  expect(await hasher.verify(undefined, 'correct horse')).toBe(false)
})

test('the same password in another Unicode normalization form matches', async () => {
  const hasher = createPasswordHasher()
  const hash = await hasher.hash('caf\u00e9 au lait')
  expect(await hasher.verify(hash, 'cafe\u0301 au lait')).toBe(true)
})

test('a burst above the concurrency limit completes', async () => {
  const hasher = createPasswordHasher({ concurrency: 1 })
  const hash = await hasher.hash('right')
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) => hasher.verify(hash, i % 2 === 0 ? 'right' : 'wrong')),
  )
  expect(responses.filter(Boolean)).toHaveLength(6)
})
