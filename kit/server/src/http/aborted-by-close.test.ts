import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { abortedByClose } from './aborted-by-close.ts'

test('a response counts as closed when the caller disconnected before the check', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
    const closed = once(response, 'close')
    socket.destroy()
    await closed
    expect(abortedByClose(response).signal.aborted).toBe(true)
  } finally {
    server.close()
  }
})
