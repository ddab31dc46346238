import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { silentLog } from '../testing/silent-log.ts'
import { createApp, type AppOptions } from './app.ts'

const newApp = (connectionLimits?: AppOptions['connectionLimits']) =>
  createApp({ log: silentLog(), clock: systemClock, connectionLimits })

test('the application closes despite a connection that never sent a request', async () => {
  const app = await newApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const accepted = once(app.server, 'connection')
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  await accepted
  const ended = once(socket, 'close')
  await app.close()
  await ended
  expect(socket.destroyed).toBe(true)
})

test('a connection that stays idle after a response is closed', async () => {
  const app = await newApp({ idleTimeoutMs: 100 })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  const ended = once(socket, 'end')
  socket.write('GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [response] = (await once(socket, 'data')) as [Buffer]
  expect(String(response)).toMatch(/^HTTP\/1\.1 404/)
  await ended
  await app.close()
})

test('a running request gets its response while the application closes, and its idle connection does not delay the close', async () => {
  const app = await newApp()
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    begun.resolve()
    await released.promise
    return 'answered'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  let received = ''
  socket.on('data', (bytes) => (received += String(bytes)))
  const ended = once(socket, 'end')
  await begun.promise
  const closed = app.close()
  await expect.poll(() => app.server.listening).toBe(false)
  released.resolve()
  await ended
  await closed
  expect(received).toContain('answered')
})
