import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContextPool } from './context-pool.ts'
import { openBrowser } from './open-browser.ts'

let server: Server
let home: string
beforeAll(async () => {
  server = createServer((_request, response) => response.end('<title>x</title>')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const stored = async () => [document.cookie, localStorage.length, (await indexedDB.databases()).length]

test('a reused context has empty storage, even if its pages were closed earlier', async () => {
  const pool = createContextPool(await openBrowser(), [home])
  const first = await pool.take({})
  const page = await first.newPage()
  await page.goto(home)
  await page.evaluate(async () => {
    document.cookie = 'a=1'
    localStorage.setItem('token', 'secret')
    await new Promise((resolve) => {
      indexedDB.open('files').onsuccess = resolve
    })
  })
  expect(await page.evaluate(stored)).toEqual(['a=1', 1, 1])
  await page.close()
  await pool.reset()
  const second = await pool.take({})
  expect(second).toBe(first)
  const next = await second.newPage()
  await next.goto(home)
  expect(await next.evaluate(stored)).toEqual(['', 0, 0])
  await pool.close()
})

test('does not reuse a context with a clock, a route or other options', async () => {
  const pool = createContextPool(await openBrowser(), [home])
  const clocked = await pool.take({})
  await (await clocked.newPage()).clock.install()
  await pool.reset()
  const routed = await pool.take({})
  expect(routed).not.toBe(clocked)
  await routed.route('**/*', (route) => route.abort())
  await pool.reset()
  const plain = await pool.take({})
  expect(plain).not.toBe(routed)
  await pool.reset()
  expect(await pool.take({ locale: 'de-DE' })).not.toBe(plain)
  expect(await pool.take({})).toBe(plain)
  await pool.close()
})
