import { expect, test } from 'vitest'
import { createFileLinks } from './file-links.ts'

const links = createFileLinks('secret')
const now = new Date('2026-03-01T12:00:00Z')
const ends = new Date('2026-03-01T13:00:00Z')
const token = links.sign('upload', 'file-1', ends)

test('a permit holds until its end and not longer', () => {
  expect(links.verify('upload', 'file-1', token, now)).toBe(true)
  expect(links.verify('upload', 'file-1', token, new Date(ends.getTime() - 1))).toBe(true)
  expect(links.verify('upload', 'file-1', token, ends)).toBe(false)
})

test('a permit is for one file, one action and one installation', () => {
  expect(links.verify('download', 'file-1', token, now)).toBe(false)
  expect(links.verify('upload', 'file-2', token, now)).toBe(false)
  expect(createFileLinks('other').verify('upload', 'file-1', token, now)).toBe(false)
})

test.each(['', '.', token.slice(0, -1), `${token}x`, `1${token}`, token.replace('.', '..'), 'é'.repeat(50)])(
  'a permit that was changed opens nothing: %s',
  (changed) => {
    expect(links.verify('upload', 'file-1', changed, now)).toBe(false)
  },
)
