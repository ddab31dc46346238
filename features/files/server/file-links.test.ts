import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFileLinks } from './file-links.ts'

const running = new Set<string>()
const links = createFileLinks('secret', (runId) => running.has(runId))
const now = new Date('2026-03-01T12:00:00Z')
const ends = new Date('2026-03-01T13:00:00Z')
const token = links.sign('upload', 'file-1', { ends })

test('a permit holds until its end and not longer', () => {
  expect(links.verify('upload', 'file-1', token, now)).toBe(true)
  expect(links.verify('upload', 'file-1', token, new Date(ends.getTime() - 1))).toBe(true)
  expect(links.verify('upload', 'file-1', token, ends)).toBe(false)
})

test('a permit is for one file, one action and one installation', () => {
  expect(links.verify('download', 'file-1', token, now)).toBe(false)
  expect(links.verify('upload', 'file-2', token, now)).toBe(false)
  expect(createFileLinks('other', () => true).verify('upload', 'file-1', token, now)).toBe(false)
})

test('a permit of a run ends with the run, whose id is part of the signature', () => {
  const runId = randomUUID()
  running.add(runId)
  const given = links.sign('upload', 'file-1', { ends, runId })
  expect(links.verify('upload', 'file-1', given, now)).toBe(true)
  expect(links.verify('upload', 'file-1', given, ends)).toBe(false)
  running.delete(runId)
  expect(links.verify('upload', 'file-1', given, now)).toBe(false)
  expect(links.verify('upload', 'file-1', given.replace(`.${runId}`, ''), now)).toBe(false)
  const other = randomUUID()
  running.add(other)
  expect(links.verify('upload', 'file-1', given.replace(runId, other), now)).toBe(false)
})

test.each(['', '.', token.slice(0, -1), `${token}x`, `1${token}`, token.replace('.', '..'), 'é'.repeat(50)])(
  'a permit that was changed opens nothing: %s',
  (changed) => {
    expect(links.verify('upload', 'file-1', changed, now)).toBe(false)
  },
)
