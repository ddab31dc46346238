import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('a client whose request is rejected before its body arrives gets the whole response and no error', async () => {
  const socket = connect({ path: join(server.dataFolder, 'run', 'api.sock'), allowHalfOpen: true })
  const events: string[] = []
  let response = ''
  socket.on('error', ({ message }) => events.push(message))
  const head = Promise.withResolvers<void>()
  socket.on('data', (chunk) => {
    response += String(chunk)
    head.resolve()
  })
  const ended = new Promise((resolve) => socket.on('close', resolve))
  socket.on('end', () => events.push('end'))
  socket.write(
    'POST /auth/apiKeys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\nConnection: close\r\n\r\n',
  )
  await head.promise
  await new Promise((resolve) => socket.write('{"label":', resolve))
  await new Promise((resolve) => socket.write('"a"} ', resolve))
  socket.end()
  await ended
  expect(response).toMatch(/^HTTP\/1\.1 40[13] /)
  expect(events).toEqual(['end'])
})
