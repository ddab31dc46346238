import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
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
