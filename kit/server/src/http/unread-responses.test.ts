import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { silentLog } from '../testing/silent-log.ts'
import { createApp } from './app.ts'

/** More bytes than the buffers of a loopback connection can hold. */
const bodyBytes = 20_000_000

async function startApp(unreadTimeoutMs: number) {
  const app = await createApp({
    log: silentLog(),
    clock: systemClock,
    connectionLimits: { unreadTimeoutMs },
  })
  app.get('/long', (_request, reply) => {
    const chunks = Array.from({ length: bodyBytes / 50_000 }, () => Buffer.alloc(50_000, 'a'))
    return reply.send(Readable.from(chunks))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

async function request(app: Awaited<ReturnType<typeof startApp>>): Promise<Socket> {
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  socket.write('GET /long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await once(socket, 'readable')
  return socket
}

test('the application closes despite a client that does not read its response', async () => {
  const app = await startApp(200)
  const unread = await request(app)
  await app.close()
  unread.on('error', () => {}).resume()
  await once(unread, 'close')
  expect(unread.bytesRead).toBeLessThan(bodyBytes)
})

test('a client that reads slowly gets its whole response while the application closes', async () => {
  // Reading takes longer than this limit, which a busy machine does not exceed between two steps.
  const app = await startApp(3000)
  const slow = await request(app)
  const closed = app.close()
  const ended = once(slow, 'end')
  while (!slow.readableEnded) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    slow.read()
  }
  await ended
  await closed
  expect(slow.bytesRead).toBeGreaterThan(bodyBytes)
})
