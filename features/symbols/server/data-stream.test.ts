import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let anna: Session
const seriesCount = 40
const pointCount = 10_000

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Large' } })
  const lines = ['Code,Date,Open,Close,Comment(S)\n']
  for (let series = 0; series < seriesCount; series++)
    for (let point = 0; point < pointCount; point++)
      lines.push(
        `S${series},${new Date(point * 3_600_000).toISOString()},${point}.25,${point}.5,a word to fill the line\n`,
      )
  const ticket = await anna.call(createFile, {
    body: { groupName: 'Large', fileName: 'large.csv', fileType: 'NCSV' },
  })
  const response = await fetch(ticket.location, { method: 'PUT', body: lines.join('') })
  expect(await response.json()).toMatchObject({
    status: 'READY',
    message: 'Ingested 400,000 rows of 40 symbols.',
  })
})
afterAll(() => server.stop())

function ask(init: RequestInit = {}): Promise<Response> {
  return anna.fetch('/ts/stream', {
    method: 'POST',
    body: JSON.stringify({ groupName: 'Large' }),
    headers: { 'Content-Type': 'application/json' },
    ...init,
  })
}

async function countLines(response: Response): Promise<number> {
  let lines = 0
  for await (const chunk of response.body!) for (const byte of chunk) if (byte === 10) lines++
  return lines
}

function enginePids(): number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  return list
    .split('\n')
    .filter((line) => line.includes('engine'))
    .map((line) => Number(line.trim().split(/\s+/)[0]))
}

test('every point of a large group arrives, and the server holds little of it while a reader is slow', async () => {
  const response = await ask()
  const reader = response.body!.getReader()
  await reader.read()
  const before = process.memoryUsage().rss
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  reader.releaseLock()
  expect(await countLines(await ask())).toBe(seriesCount * pointCount + 1)
  await response.body!.cancel()
})

test('a caller who goes away does not disturb the next one', async () => {
  for (let round = 0; round < 20; round++) {
    const controller = new AbortController()
    const response = await ask({ signal: controller.signal })
    await response.body!.getReader().read()
    controller.abort()
  }
  expect(await countLines(await ask())).toBe(seriesCount * pointCount + 1)
})

test('when the engine dies in the middle the connection breaks off, and the next question is answered', async () => {
  const response = await ask()
  const reader = response.body!.getReader()
  await reader.read()
  const pids = enginePids()
  expect(pids).toHaveLength(1)
  process.kill(pids[0]!, 'SIGKILL')
  const rest = async () => {
    for (;;) {
      const { done } = await reader.read()
      if (done) return
    }
  }
  await expect(rest()).rejects.toThrow()
  await expect
    .poll(async () => countLines(await ask()), { timeout: 20_000 })
    .toBe(seriesCount * pointCount + 1)
})
