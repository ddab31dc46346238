import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { silentLog } from '../log.ts'
import { createApp } from './app.ts'

test('a connection that never sent a request does not keep the application from closing', async () => {
  const app = await createApp({ log: silentLog(), clock: systemClock })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const accepted = once(app.server, 'connection')
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  await accepted
  const ended = once(socket, 'close')
  await app.close()
  await ended
  expect(socket.destroyed).toBe(true)
})
