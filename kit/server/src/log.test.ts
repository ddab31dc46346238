import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { createLog } from './log.ts'

test('logs an error with its message and stack, and removes secrets by name', () => {
  const destination = new PassThrough()
  const log = createLog({ destination })
  const secrets = ['password', 'currentPassword', 'token', 'refreshToken', 'key', 'authorization', 'cookie']
  const hidden = Object.fromEntries(secrets.map((name) => [name, 'abc']))
  log.error(
    { error: new Error('the disk is full'), ...hidden, body: hidden, request: { headers: hidden } },
    'it failed',
  )
  const text = String(destination.read())
  const line = JSON.parse(text) as Record<string, unknown>
  expect(text).not.toContain('abc')
  expect(line).toMatchObject({
    msg: 'it failed',
    token: '[removed]',
    error: { message: 'the disk is full', stack: expect.stringContaining('log.test.ts') },
  })
})

test('reports once that the log cannot be written, for example on a full disk, and continues', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-log-'))
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    // A device that is always full. On systems without it, a folder, which also cannot be written.
    const log = createLog({ destination: existsSync('/dev/full') ? '/dev/full' : folder })
    log.info('one')
    await expect.poll(() => printed.mock.calls.length).toBe(1)
    log.info('two')
    log.info('three')
    await new Promise((resolve) => log.flush(resolve))
    expect(printed.mock.calls).toEqual([[expect.stringContaining('cannot be written')]])
  } finally {
    printed.mockRestore()
    await rm(folder, { recursive: true })
  }
})
