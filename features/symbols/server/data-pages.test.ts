import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import { removeSymbols, type DataQueryInput } from '../contract/index.ts'

let server: TestServer
let anna: Session
let now = Date.parse('2024-05-08T12:00:00Z')

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => new Date(now) } })
  anna = await server.createUser({ email: 'anna@example.com' })
})
afterAll(() => server.stop())

/** A group with this many days of A and B from 1 May 2024 on. */
async function makeGroup(name: string, days = 5): Promise<void> {
  await anna.call(createGroup, { body: { name } })
  const lines = Array.from({ length: days }, (_, at) => [
    `A,2024-05-${String(at + 1).padStart(2, '0')},${at + 1}`,
    `B,2024-05-${String(at + 1).padStart(2, '0')},${(at + 1) * 10}`,
  ])
  await upload(name, ['Code,Date,Close', ...lines.flat(), ''].join('\n'))
}

function upload(groupName: string, content: string): Promise<string> {
  now += 1000
  return uploadSeries(anna, { groupName, content })
}

function runQuery(body: unknown, { session = anna, path = '/ts' } = {}): Promise<Response> {
  return session.fetch(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
}

interface PageResponse {
  status: number
  header: string
  rows: string[]
  token: string
}

async function page(
  body: DataQueryInput,
  options?: { session?: Session; path?: string },
): Promise<PageResponse> {
  const response = await runQuery(body, options)
  const [header = '', ...rows] = (await response.text()).replaceAll('T00:00:00', '').trimEnd().split('\n')
  const token = response.headers.get('x-kh-next-page-token') ?? ''
  return { status: response.status, header, rows, token }
}

/** Returns all pages from a given one. Calls `between` after each page. */
async function pagesFrom(
  query: DataQueryInput,
  first: PageResponse,
  between: () => Promise<unknown> = async () => {},
): Promise<PageResponse[]> {
  const pages = [first]
  for (let { rows, token } = first; rows.length === query.size;) {
    await between()
    const next = await page({ ...query, nextPageToken: token })
    expect(next.status).toBe(200)
    pages.push(next)
    rows = next.rows
    token = next.token
  }
  return pages
}

test('all pages together contain each row once; the last page is not full', async () => {
  await makeGroup('Pages')
  for (const order of ['asc', 'desc']) {
    for (const size of [1, 3, 4, 100]) {
      const query = { groupName: 'Pages', order, size }
      const pages = await pagesFrom(query, await page(query))
      const whole = await page({ groupName: 'Pages', order, sortSymbols: false })
      expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows)
      expect(new Set(pages.map(({ header }) => header))).toEqual(new Set([whole.header]))
    }
  }
})

test('an upload between pages does not affect them', async () => {
  await makeGroup('Steady')
  const query: DataQueryInput = { groupName: 'Steady', order: 'desc', size: 3, metadata: true }
  const before = await page({ ...query, size: -1, sortSymbols: false })
  let at = 0
  const pages = await pagesFrom(query, await page(query), async () => {
    at++
    await upload(
      'Steady',
      `Code,Kind,Date,Close,High${at}\nA,,2024-05-03,${at}00,1\nA,,2024-06-0${at},7,\n0${at},new,2024-05-04,5,6\n`,
    )
  })
  expect(at).toBe(3)
  expect(pages.flatMap(({ rows }) => rows)).toEqual(before.rows)
  expect(pages.map(({ header }) => header)).toEqual(pages.map(() => 'Code,Date(UTC),Close'))
  const after = await page({ ...query, size: -1 })
  expect(after.header).toBe('Code,Kind,Date(UTC),Close,High1,High2,High3')
})

test('“now” has the same value on all pages', async () => {
  await anna.call(createGroup, { body: { name: 'Clock' } })
  const minute = (minutes: number) => new Date(now + minutes * 60_000).toISOString().slice(0, 19)
  const [soon, later] = [minute(1), minute(2)]
  await upload('Clock', `Code,Date,Close\nA,${soon},1\nA,${later},2\n`)
  const query: DataQueryInput = {
    groupName: 'Clock',
    range: 'NEXT',
    lastType: 'HOURS',
    lastTypeAmount: 1,
    size: 1,
  }
  const first = await page(query)
  expect(first.rows).toEqual([`A,${soon},1`])
  now += 5 * 60_000
  expect((await page({ ...query, nextPageToken: first.token })).rows).toEqual([`A,${later},2`])
  expect((await page(query)).rows).toEqual([])
})

test('accepts the token in the URL, and a changed page size', async () => {
  await makeGroup('Address')
  const { token } = await page({ groupName: 'Address', size: 2 })
  const path = `/ts/stream?size=3&nextPageToken=${encodeURIComponent(token)}`
  const second = await page({ groupName: 'Address' }, { path })
  expect(second.rows).toEqual(['A,2024-05-02,2', 'B,2024-05-02,20', 'A,2024-05-03,3'])
  expect(second.token).not.toBe('')
})

test('a result without a size has no token', async () => {
  await makeGroup('Whole')
  for (const size of [-1, 0, undefined]) expect((await page({ groupName: 'Whole', size })).token).toBe('')
})

test('rejects a token of another query or user, and a modified token', async () => {
  await makeGroup('Guarded')
  const query: DataQueryInput = { groupName: 'Guarded', size: 2 }
  const { token } = await page(query)
  const refused = async (body: DataQueryInput, session = anna) => {
    const response = await runQuery(body, { session })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({
        code: 'pageTokenNotValid',
        validationErrors: [expect.objectContaining({ field: 'nextPageToken' })],
      }),
    ])
  }
  await refused({ ...query, order: 'desc', nextPageToken: token })
  await refused({ ...query, groupName: 'Pages', nextPageToken: token })
  await refused({ ...query, nextPageToken: token }, server.admin)
  // One bit of the nonce, the content or the tag is flipped.
  for (const at of [0, 20, -1]) {
    const bytes = Buffer.from(token, 'base64url')
    bytes.writeUInt8(bytes.at(at)! ^ 1, at < 0 ? bytes.length + at : at)
    await refused({ ...query, nextPageToken: bytes.toString('base64url') })
  }
  await refused({ ...query, nextPageToken: `${token}x` })
  await refused({ ...query, nextPageToken: 'x' })
  expect((await page({ ...query, nextPageToken: token })).status).toBe(200)
})

test('pages whose data were deleted return an error that explains what to do', async () => {
  await makeGroup('Deleted')
  const extra = await upload('Deleted', 'Code,Date,Close\nC,2024-05-01,1\n')
  const query: DataQueryInput = { groupName: 'Deleted', size: 2 }
  const { token } = await page(query)
  await anna.call(deleteFile, { params: { fid: extra } })
  const response = await runQuery({ ...query, nextPageToken: token })
  expect([response.status, await response.json()]).toMatchObject([
    409,
    {
      code: 'pagesGone',
      message: expect.stringContaining('without nextPageToken'),
    },
  ])
  expect((await page(query)).status).toBe(200)
})

test('after the deletion of a file no response contains its values, however often files are added and deleted', async () => {
  await makeGroup('Fleeting', 1)
  const keys = [{ groupName: 'Fleeting', symbols: { Code: 'A' } }]
  const queries: DataQueryInput[] = [
    { groupName: 'Fleeting' },
    { keys, lastTypeAmount: 1 },
    { keys, formatType: 'UI' },
    { keys, resample: { unit: 'DAYS', functions: ['MAX'] } },
    { keys, corrections: 'history' },
  ]
  const results = () => Promise.all(queries.map(async (query) => (await runQuery(query)).text()))
  for (let round = 0; round < 3; round++) {
    const before = await results()
    const fid = await upload(
      'Fleeting',
      `Code,Date,Close\nA,2024-05-01,77\nA,2024-05-02,77\nZ,2024-05-02,77\n`,
    )
    for (const text of await results()) expect(text).toContain('77')
    // Another file is being uploaded meanwhile.
    const [other] = await Promise.all([
      upload('Fleeting', 'Code,Date,Close\nB,2024-05-09,5\n'),
      anna.call(deleteFile, { params: { fid } }).then(async () => {
        for (const text of await results()) expect(text).not.toContain('77')
      }),
    ])
    await anna.call(deleteFile, { params: { fid: other } })
    expect((await results()).slice(1)).toEqual(before.slice(1))
  }
})

test('pages of a group from which a symbol was removed return an error', async () => {
  await makeGroup('Removed')
  const query: DataQueryInput = { groupName: 'Removed', size: 2 }
  const { token } = await page(query)
  await anna.call(removeSymbols, {
    body: { groupName: 'Removed', symbols: [{ Code: 'A' }], checkTimeSeries: false },
  })
  expect((await page({ ...query, nextPageToken: token })).status).toBe(409)
})

test('a query of several groups or of named symbols returns the same pages each time', async () => {
  await makeGroup('East')
  await makeGroup('West')
  const query: DataQueryInput = {
    keys: [
      { groupName: 'East', symbols: { Code: 'A' } },
      { groupName: 'West', symbols: { Code: 'B' } },
    ],
    size: 4,
  }
  const first = await page(query)
  const pages = await pagesFrom(query, first, () => upload('West', 'Code,Date,Close\nB,2024-05-01,77\n'))
  expect(pages.flatMap(({ rows }) => rows)).toEqual([
    'A,2024-05-01,1',
    'B,2024-05-01,10',
    'A,2024-05-02,2',
    'B,2024-05-02,20',
    'A,2024-05-03,3',
    'B,2024-05-03,30',
    'A,2024-05-04,4',
    'B,2024-05-04,40',
    'A,2024-05-05,5',
    'B,2024-05-05,50',
  ])
})
