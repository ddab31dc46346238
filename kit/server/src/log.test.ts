import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { createLog } from './log.ts'

test('an error is logged with its message and stack, and secrets are removed by name', () => {
  const destination = new PassThrough()
  const log = createLog({ destination })
  log.error({ error: new Error('the disk is full'), token: 'abc' }, 'it failed')
  const line = JSON.parse(String(destination.read())) as Record<string, unknown>
  expect(line).toMatchObject({
    msg: 'it failed',
    token: '[removed]',
    error: { message: 'the disk is full', stack: expect.stringContaining('log.test.ts') },
  })
})

test('a log that cannot be written, for example on a full disk, is told once and ends nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-log-'))
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    // A device that is always full; where there is none, a folder is no file to write to either.
    const log = createLog({ destination: existsSync('/dev/full') ? '/dev/full' : folder })
    log.info('one')
    await expect.poll(() => told.mock.calls.length).toBe(1)
    log.info('two')
    log.info('three')
    await new Promise((resolve) => log.flush(resolve))
    expect(told.mock.calls).toEqual([[expect.stringContaining('cannot be written')]])
  } finally {
    told.mockRestore()
    await rm(folder, { recursive: true })
  }
})
