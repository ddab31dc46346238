import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '@headwater/accounts/contract'
import { createGroup, shareGroups, unshareGroup } from '@headwater/groups/contract'
import { silentLog } from '@headwater/server-kit/testing'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { createFormula, dataQuery } from '../contract/index.ts'

let server: TestServer
let anna: Session
/** Errors that the server logged. */
const errors: unknown[] = []
const seriesCount = 40
const pointCount = 10_000

beforeAll(async () => {
  server = await startTestServer({
    log: { ...silentLog(), error: (...entry: unknown[]) => errors.push(entry) },
  })
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Large' } })
  const lines = ['Code,Date,Open,Close,Comment(S)\n']
  for (let series = 0; series < seriesCount; series++)
    for (let point = 0; point < pointCount; point++)
      lines.push(
        `S${series},${new Date(point * 3_600_000).toISOString()},${point}.25,${point}.5,a word to fill the line\n`,
      )
  const receipt = await upload(anna, { groupName: 'Large', fileType: 'NCSV', content: lines.join('') })
  expect(receipt).toMatchObject({
    status: 'READY',
    message: 'Ingested 400,000 rows of 40 symbols.',
  })
})
afterAll(() => server.stop())

function sendQuery(init: RequestInit = {}, session = anna): Promise<Response> {
  return session.fetch('/ts/stream', {
    method: 'POST',
    body: JSON.stringify({ groupName: 'Large' }),
    headers: { 'Content-Type': 'application/json' },
    ...init,
  })
}

async function countLines(response: Response): Promise<number> {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
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

test('returns every point of a large group, and buffers little for a slow reader', async () => {
  const response = await sendQuery()
  const reader = response.body!.getReader()
  await reader.read()
  const before = process.memoryUsage().rss
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  reader.releaseLock()
  expect(await countLines(await sendQuery())).toBe(seriesCount * pointCount + 1)
  await response.body!.cancel()
})

test('a caller who disconnects does not affect the next caller', async () => {
  for (let round = 0; round < 20; round++) {
    const controller = new AbortController()
    const response = await sendQuery({ signal: controller.signal })
    await response.body!.getReader().read()
    controller.abort()
  }
  expect(await countLines(await sendQuery())).toBe(seriesCount * pointCount + 1)
})

test('while one user runs more queries than the engine executes concurrently, and does not read the results, a query of another user completes', async () => {
  const flood = new AbortController()
  let finishedCount = 0
  const requested = Array.from({ length: 24 }, async () => {
    await sendQuery({ signal: flood.signal }).catch(() => {})
    finishedCount += 1
  })
  await expect.poll(() => finishedCount).toBeGreaterThan(0)
  const response = await server.admin.fetch('/ts/stream', {
    method: 'POST',
    body: JSON.stringify({
      keys: [{ groupName: 'Large', symbols: { Code: 'S7' }, columns: ['Open'] }],
      size: 1,
    }),
    headers: { 'Content-Type': 'application/json' },
  })
  expect(await countLines(response)).toBe(2)
  expect(finishedCount).toBeLessThan(requested.length)
  flood.abort()
  await Promise.all(requested)
})

test('a response in progress ends when the share ends, is limited to a range, or the account is deactivated, and continues when the share is extended', async () => {
  const ben = await server.createUser({ email: 'ben@example.com' })
  const share = { email: ben.userName, access: 'R', groupName: 'Large' } as const
  const send = (dates: object = {}) =>
    anna.call(shareGroups, { body: { sharesList: [{ ...share, ...dates }] } })
  const rest = async (change: () => Promise<unknown>, session = ben) => {
    // Compressed, the whole response fits into the buffers of the connection.
    const headers = { 'Content-Type': 'application/json', 'Accept-Encoding': 'identity' }
    return readThrough(await sendQuery({ headers }, session), change)
  }
  const whole = await rest(async () => {}, anna)
  await send()
  const whileOpen = [
    () => anna.call(unshareGroup, { body: { groupName: 'Large', emails: [ben.userName] } }),
    () => send({ dataStart: '1970-01-01', dataEnd: '1970-12-31' }),
  ]
  for (const change of whileOpen) {
    await expect(rest(change)).rejects.toThrow('terminated')
    await send()
  }
  await send({ dataStart: '1970-01-01', dataEnd: '1999-12-31' })
  expect(await rest(() => send({ dataStart: '1969-01-01', dataEnd: '1999-12-31' }))).toBe(whole)
  expect(await rest(() => send())).toBe(whole)
  const deactivate = () =>
    server.admin.call(updateUser, { params: { userName: ben.userName }, body: { active: false } })
  await expect(rest(deactivate)).rejects.toThrow('terminated')
  expect(errors).toEqual([])
})

/** Reads a response to its end and makes a change after its beginning. */
async function readThrough(response: Response, change: () => Promise<unknown>): Promise<number> {
  const reader = response.body!.getReader()
  let bytes = (await reader.read()).value!.length
  await change()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytes
    bytes += value.length
  }
}

test('a response in progress ends when the share of a group with inputs of its formulas ends or is limited to a range', async () => {
  const eve = await server.createUser({ email: 'eve@example.com' })
  await eve.call(createGroup, { body: { name: 'Computed' } })
  const share = (dates: object = {}) =>
    anna.call(shareGroups, {
      body: { sharesList: [{ email: eve.userName, access: 'R', groupName: 'Large', ...dates }] },
    })
  await share()
  for (let series = 0; series < seriesCount / 2; series++)
    await eve.call(createFormula, {
      body: {
        groupName: 'Computed',
        symbols: { Code: `F${series}`, Note: 'a word to fill the line'.repeat(4) },
        expression: 'x + 1',
        inputs: [{ name: 'x', groupName: 'Large', symbols: { Code: `S${series}` }, column: 'Close' }],
      },
    })
  const send = () =>
    sendQuery(
      {
        body: JSON.stringify({ groupName: 'Computed' }),
        headers: { 'Content-Type': 'application/json', 'Accept-Encoding': 'identity' },
      },
      eve,
    )
  const whole = await readThrough(await send(), async () => {})
  expect(whole).toBeGreaterThan(20_000_000)
  for (const end of [
    () => anna.call(unshareGroup, { body: { groupName: 'Large', emails: [eve.userName] } }),
    () => share({ dataStart: '1970-01-01', dataEnd: '1999-12-31' }),
  ]) {
    await expect(readThrough(await send(), end)).rejects.toThrow('terminated')
    await share()
  }
  expect(await readThrough(await send(), () => share({ endDate: '2099-01-01' }))).toBe(whole)
  expect(errors).toEqual([])
})

describe('a result for server code', () => {
  const share = ({ userName }: Session, groupName: string, dates: object = {}) =>
    anna.call(shareGroups, { body: { sharesList: [{ email: userName, access: 'R', groupName, ...dates }] } })
  const principalOf = async ({ userName }: Session) => {
    const { accounts } = server.running.platform
    return (await accounts.findPrincipal((await accounts.findUserByName(userName))!.userId))!
  }
  const read = async (groupNames: string[], users: Session[], change: () => Promise<unknown>) => {
    const query = dataQuery.parse({ keys: groupNames.map((groupName) => ({ groupName })) })
    const [principal, ...others] = await Promise.all(users.map(principalOf))
    const { stream } = await server.running.platform.symbols.data.run(principal!, query, { others })
    let bytes = 0
    for await (const chunk of stream) {
      if (bytes === 0) await change()
      bytes += chunk.length
    }
    return bytes
  }

  test('continues when a group that it omits is shared with a range', async () => {
    const dan = await server.createUser({ email: 'dan@example.com' })
    await anna.call(createGroup, { body: { name: 'Omitted' } })
    await share(dan, 'Large')
    const change = () => share(dan, 'Omitted', { dataStart: '1970-01-01', dataEnd: '1999-12-31' })
    expect(await read(['Large', 'Omitted'], [dan], change)).toBeGreaterThan(20_000_000)
  })

  test('ends when another user who must be able to read it loses access', async () => {
    const ida = await server.createUser({ email: 'ida@example.com' })
    await share(ida, 'Large')
    expect(await read(['Large'], [anna, ida], async () => {})).toBeGreaterThan(20_000_000)
    const end = () => anna.call(unshareGroup, { body: { groupName: 'Large', emails: [ida.userName] } })
    await expect(read(['Large'], [anna, ida], end)).rejects.toMatchObject({ code: 'accessChanged' })
  })
})

test('when the engine crashes during a response the connection closes, which is logged, and the next query succeeds', async () => {
  // Compressed, the whole response fits into the buffers of the connection, and the engine may have finished before it is killed.
  const response = await sendQuery({
    headers: { 'Content-Type': 'application/json', 'Accept-Encoding': 'identity' },
  })
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
  await expect.poll(() => errors.length).toBe(1)
  expect(errors.splice(0)).toEqual([[expect.anything(), 'a response failed while it was streamed']])
  await expect.poll(async () => countLines(await sendQuery())).toBe(seriesCount * pointCount + 1)
})

test('when the engine crashes before the first byte, the query succeeds or returns an error that the engine is restarting', async () => {
  for (const formatType of ['STANDARD', 'PANDAS']) {
    for (const delay of [0, 30, 60]) {
      const requested = sendQuery({
        body: JSON.stringify({ groupName: 'Large', formatType, range: 'LAST', lastTypeAmount: 1 }),
      })
      await new Promise((resolve) => setTimeout(resolve, delay))
      for (const pid of enginePids()) process.kill(pid, 'SIGKILL')
      const response = await requested
      if (response.status === 200) await response.text().catch(() => {})
      else
        expect([response.status, await response.json()]).toEqual([
          503,
          expect.objectContaining({
            code: 'seriesUnavailable',
            message: 'The series store is restarting. Try again in a few seconds.',
          }),
        ])
    }
  }
  // The engine can also end during a response.
  errors.length = 0
})

test('a caller who disconnects before the first byte causes no server error', async () => {
  for (let delay = 5; delay < 100; delay += 10) {
    const controller = new AbortController()
    const requested = sendQuery({
      body: JSON.stringify({ groupName: 'Large', formatType: 'PANDAS' }),
      signal: controller.signal,
    })
    const ended = requested.then((response) => response.text()).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, delay))
    controller.abort()
    await ended
  }
  await (await sendQuery({ body: JSON.stringify({ groupName: 'Large', size: 1 }) })).text()
  expect(errors).toEqual([])
})

test('callers who disconnect during a batch cause no server error', async () => {
  const queries = Array.from({ length: 40 }, () => ({ body: { groupName: 'Large' } }))
  async function leave(delayMs: number): Promise<void> {
    const controller = new AbortController()
    const requested = anna.fetch('/ts/batch', {
      method: 'POST',
      body: JSON.stringify({ queries }),
      headers: { 'Content-Type': 'application/json' },
      signal: controller.signal,
    })
    const ended = requested.then((response) => response.text()).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    controller.abort()
    await ended
  }
  await Promise.all(Array.from({ length: 20 }, (_, at) => leave(20 + at * 15)))
  await (await sendQuery({ body: JSON.stringify({ groupName: 'Large', size: 1 }) })).text()
  expect(errors).toEqual([])
})
