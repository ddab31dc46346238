import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { type Session, type TestServer, startTestServer, uploadSeries } from '@headwater/server/testing'
import { streamDataBatch, type DataBatchFrame } from '../contract/index.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices' } })
  const rows = Array.from({ length: 20_000 }, (_, at) => `${at % 2 ? 'B' : 'A'},${dayOf(at)},${at}`)
  await uploadSeries(anna, { groupName: 'Prices', content: `Code,Date,Close\n${rows.join('\n')}\n` })
})
afterAll(async () => server.stop())

function dayOf(at: number): string {
  return new Date(Date.UTC(1990, 0, 1) + Math.floor(at / 2) * 86_400_000).toISOString().slice(0, 10)
}

function queryOf(Code: string, more: object = {}) {
  return {
    query: { size: -1, order: 'desc' },
    body: { keys: [{ groupName: 'Prices', symbols: { Code } }], range: 'ALL', formatType: 'NCSV', ...more },
  }
}

/** Returns the results of a batch: text, or the status of the error, and whether each is complete. */
async function runBatch(queries: readonly object[]) {
  const response = await fetch(`${server.url}${streamDataBatch.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${anna.token}` },
    body: JSON.stringify({ queries }),
  })
  let rest = Buffer.from(await response.arrayBuffer())
  const results = queries.map(() => ({
    text: '',
    contentType: '',
    done: false,
    status: 0,
    message: '',
    pageToken: '',
    totalRows: undefined as number | undefined,
  }))
  while (rest.length > 0) {
    const end = rest.indexOf('\n')
    const frame = JSON.parse(rest.subarray(0, end).toString()) as DataBatchFrame
    rest = rest.subarray(end + 1)
    const result = results[frame.query]!
    result.contentType = frame.contentType ?? result.contentType
    result.text += rest.subarray(0, frame.length ?? 0).toString()
    rest = rest.subarray(frame.length ?? 0)
    result.done ||= frame.done === true
    result.totalRows ??= frame.totalRows
    result.pageToken = frame.nextPageToken ?? result.pageToken
    if (frame.error) Object.assign(result, { status: frame.error.status, message: frame.error.message })
  }
  return { status: response.status, results }
}

test('a batch returns the same result for each query as a single request', async () => {
  const queries = [queryOf('A'), queryOf('B', { range: 'LAST', lastTypeAmount: 3 }), queryOf('A,B')]
  const { status, results } = await runBatch(queries)
  expect(status).toBe(200)
  for (const [index, requested] of queries.entries()) {
    const alone = await fetch(`${server.url}/ts/stream?size=-1&order=desc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${anna.token}` },
      body: JSON.stringify(requested.body),
    })
    expect(results[index]).toMatchObject({
      text: await alone.text(),
      done: true,
      contentType: alone.headers.get('content-type'),
    })
  }
  expect(results[0]!.text.split('\n').length).toBeGreaterThan(10_000)
})

test('a query with pages in a batch returns the token of the next page', async () => {
  const page = (nextPageToken?: string) => ({
    ...queryOf('A'),
    query: { size: 6_000, order: 'desc', nextPageToken },
  })
  const [first] = (await runBatch([page()])).results
  expect(first!.pageToken).not.toBe('')
  const [second, other] = (await runBatch([page(first!.pageToken), queryOf('B')])).results
  expect(second!.text.split('\n').length).toBe(4_002)
  expect(other!.pageToken).toBe('')
})

test('a query in a batch returns the total number of rows on request', async () => {
  const [counted, drawn, plain] = (
    await runBatch([
      { ...queryOf('A', { countRows: true }), query: { size: 6_000 } },
      { ...queryOf('B', { drawPoints: 400 }), query: { absoluteSize: 1_000 } },
      queryOf('A'),
    ])
  ).results
  expect([counted!.totalRows, drawn!.totalRows, plain!.totalRows]).toEqual([10_000, 10_000, undefined])
  expect(drawn!.text.split('\n').length).toBeLessThanOrEqual(402)
})

test('an invalid query and an inaccessible group do not affect other queries', async () => {
  const { results } = await runBatch([
    queryOf('A', { range: 'SOMETIMES' }),
    queryOf('B', { range: 'LAST', lastTypeAmount: 1 }),
    { body: { keys: [{ groupName: 'Nowhere', symbols: {} }] } },
    { query: 'odd', body: 7 },
  ])
  expect(results.map(({ status, done }) => [status, done])).toEqual([
    [400, false],
    [0, true],
    [404, false],
    [400, false],
  ])
  expect(results[0]!.message).not.toBe('')
})

test.each([
  ['no query', { queries: [] }],
  ['too many', { queries: Array.from({ length: 201 }, () => ({ body: {} })) }],
  ['no list', { queries: 'all' }],
])('rejects a batch with %s as a whole', async (_name, body) => {
  const response = await fetch(`${server.url}/ts/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${anna.token}` },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(400)
})

test('the server continues after a caller disconnects during a batch', async () => {
  for (let round = 0; round < 5; round++) {
    const controller = new AbortController()
    const response = await fetch(`${server.url}/ts/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${anna.token}` },
      body: JSON.stringify({ queries: Array.from({ length: 50 }, () => queryOf('A')) }),
      signal: controller.signal,
    })
    await response.body!.getReader().read()
    controller.abort()
  }
  const { results } = await runBatch([queryOf('B', { range: 'LAST', lastTypeAmount: 2 })])
  expect(results[0]).toMatchObject({ done: true })
})
