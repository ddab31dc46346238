import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RunAttempt } from '@headwater/server-kit'
import { createFileLinks } from './file-links.ts'

const running = new Set<string>()
const textOf = ({ runId, eId, attempt }: RunAttempt) => `${runId} ${eId} ${attempt}`
const links = createFileLinks('secret', async (run) => running.has(textOf(run)))
const now = new Date('2026-03-01T12:00:00Z')
const ends = new Date('2026-03-01T13:00:00Z')
const token = links.sign('upload', 'file-1', { userId: 7, ends })

test('a permit is valid until its expiry and no longer', async () => {
  expect(await links.verify('upload', 'file-1', token, now)).toMatchObject({ userId: 7 })
  expect(await links.verify('upload', 'file-1', token, new Date(ends.getTime() - 1))).toMatchObject({
    userId: 7,
  })
  expect(await links.verify('upload', 'file-1', token, ends)).toBe(undefined)
})

test('a permit is valid for only one file, one action, one user and one installation', async () => {
  expect(await links.verify('download', 'file-1', token, now)).toBe(undefined)
  expect(await links.verify('upload', 'file-2', token, now)).toBe(undefined)
  const others = createFileLinks('other', async () => true)
  const ofOther = token.replace('.u7.', '.u8.')
  expect(await links.verify('upload', 'file-1', ofOther, now)).toBe(undefined)
  expect(await others.verify('upload', 'file-1', token, now)).toBe(undefined)
})

test('a permit for a run expires with the attempt of the run, which the signature includes', async () => {
  const run = { runId: randomUUID(), eId: randomUUID(), attempt: 2 }
  running.add(textOf(run))
  const given = links.sign('upload', 'file-1', { userId: 7, ends, run })
  expect(await links.verify('upload', 'file-1', given, now)).toEqual({ userId: 7, runId: run.runId })
  expect(await links.verify('upload', 'file-1', given, ends)).toBe(undefined)
  running.delete(textOf(run))
  expect(await links.verify('upload', 'file-1', given, now)).toBe(undefined)
  const other = { runId: randomUUID(), eId: randomUUID(), attempt: 3 }
  running.add(textOf({ ...run, attempt: 3 }))
  running.add(textOf({ ...run, runId: other.runId }))
  running.add(textOf({ ...run, eId: other.eId }))
  const changed = [
    given.replace(`.${run.runId}.${run.eId}.2`, ''),
    given.replace('.2.', '.3.'),
    given.replace('.u7.', '.u8.'),
    given.replace(run.runId, other.runId),
    given.replace(run.eId, other.eId),
  ]
  for (const text of changed) expect(await links.verify('upload', 'file-1', text, now), text).toBe(undefined)
})

test.each(['', '.', token.slice(0, -1), `${token}x`, `1${token}`, token.replace('.', '..'), 'é'.repeat(50)])(
  'a modified permit gives no access: %s',
  async (changed) => {
    expect(await links.verify('upload', 'file-1', changed, now)).toBe(undefined)
  },
)
