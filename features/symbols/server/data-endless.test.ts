import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let anna: Session
/**
 * Each series has a point at a different time. With fills, each has a row at the time of every other one: more than
 * 10^9 rows.
 */
const seriesCount = 32_000
/** Number of statements that the series store runs concurrently. */
const statements = 12

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Wide' } })
  const lines = Array.from(
    { length: seriesCount },
    (_, at) => `S${at},${new Date(at * 60_000).toISOString()},${at}\n`,
  )
  await uploadSeries(anna, { groupName: 'Wide', content: `Code,Date,Close\n${lines.join('')}` })
})
afterAll(() => server.stop())

function runQuery(body: object, signal?: AbortSignal): Promise<Response> {
  return anna.fetch('/ts/stream', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
    ...(signal === undefined ? {} : { signal }),
  })
}

const filled = { keys: [{ groupName: 'Wide', fillType: 'ZERO' }] }
/** A subset of the series: 36 million rows, which is allowed but takes long. */
const long = {
  keys: [{ groupName: 'Wide', pattern: true, symbols: { Code: 'S1*' }, fillType: 'ZERO' }],
  symbolSize: 6000,
}

test('rejects a query that would produce a billion rows, with a message', async () => {
  for (const query of [filled, { ...filled, sortSymbols: false }, { ...filled, formatType: 'PANDAS' }]) {
    const response = await runQuery(query)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'queryRefused',
      message: expect.stringContaining('Request fewer series or a shorter range.') as string,
    })
  }
})

test('stops queries whose callers have disconnected, so that the store becomes idle', async () => {
  const gone = Array.from({ length: statements + 4 }, async (_, at) => {
    const controller = new AbortController()
    const requested = runQuery({ ...long, sortSymbols: at % 2 === 0 }, controller.signal)
      .then((response) => response.text())
      .catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 20 * at))
    controller.abort()
    await requested
  })
  await Promise.all(gone)
  await expect.poll(isAtRest).toBe(true)
  const response = await runQuery({ keys: [{ groupName: 'Wide', symbols: { Code: 'S7' } }] })
  expect(await response.text()).toBe('Code,Date(UTC),Close\nS7,1970-01-01T00:07:00,7\n')
})

/** Returns whether the processes of the store use less than one second of CPU time in three seconds. */
async function isAtRest(): Promise<boolean> {
  const before = engineTimes()
  await new Promise((resolve) => setTimeout(resolve, 3000))
  return before === engineTimes()
}

function engineTimes(): string {
  const list = execFileSync('ps', ['-o', 'time=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  const lines = list.split('\n').filter((line) => line.includes('engine-process'))
  expect(lines).toHaveLength(1)
  return lines[0]!.trim().split(/\s+/)[0]!
}
