import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, testPassword, type Session, type TestServer } from '@headwater/server/testing'

/** The requests of the Python client libraries, byte for byte, with data shaped like daily oil prices. */
let server: TestServer
let anna: Session
let authorization: string
/** The file that `upload_data` creates. */
let fileId: string

// Content that `upload_data` writes: symbols, DateTime, the other columns, CRLF line endings.
const prices = [
  'Commodity,DateTime,Price',
  'Brent,1987-05-20,18.63',
  'Brent,1987-05-21,18.45',
  'Brent,2022-03-08,133.18',
  'WTI,1986-01-02,25.56',
  'WTI,2020-04-20,-36.98',
  '',
].join('\r\n')

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  authorization = `Basic ${Buffer.from(`anna@example.com:${testPassword}`).toString('base64')}`
  await anna.call(createGroup, { body: { name: 'Oil prices' } })
  fileId = await uploadData(prices)
})
afterAll(() => server.stop())

/** Sends a request as the libraries do with `requests`. */
function request(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: {
      Authorization: authorization,
      'User-Agent': 'NG_PythonSDK_V0.1.14',
      Accept: '*/*',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Encodes like Python's `quote`, which leaves `/` and some marks unchanged. */
function quote(text: string): string {
  return encodeURIComponent(text)
    .replace(/%2F/g, '/')
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

async function uploadData(content: string): Promise<string> {
  const announced = await request('POST', '/file', {
    groupName: 'Oil prices',
    fileName: 'temp.csv',
    fileType: 'NCSV',
    fields: [],
  })
  const { location, fileId } = (await announced.json()) as { location: string; fileId: string }
  const put = await fetch(location, {
    method: 'PUT',
    body: content,
    headers: { 'Content-Type': 'application/octet-stream', 'User-Agent': 'NG_PythonSDK_V0.1.14' },
  })
  expect(put.status).toBe(200)
  return fileId
}

function retrieve(body: object, path = '/ts/stream'): Promise<Response> {
  return request('POST', path, {
    startDate: null,
    endDate: null,
    keys: [{ symbols: { Commodity: 'Brent' }, groupName: 'Oil prices', columns: [null], pattern: false }],
    corrections: 'false',
    delta: false,
    formatType: 'NCSV',
    metadata: false,
    ...body,
  })
}

test('after upload_data the symbols and the data exist', async () => {
  const search = await request('GET', `/file/search?size=1&from=0&query=${quote(`uuid=${fileId}`)}`)
  expect(await search.json()).toMatchObject({ items: [{ fid: fileId, fileName: 'temp.csv' }] })

  const symbols = await request(
    'GET',
    `/ts/symbol/search?size=1000&from=0&query=${quote('symbols.commodity=Br*&groupName.keyword=Oil prices')}`,
  )
  expect(await symbols.json()).toMatchObject({ totalSize: 1, items: [{ symbols: { Commodity: 'Brent' } }] })
  const all = await request(
    'GET',
    `/ts/symbol/search?size=200&from=0&query=${quote('*&groupName.keyword=Oil prices')}`,
  )
  expect(await all.json()).toMatchObject({ totalSize: 2 })

  const csv = await retrieve({})
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(await csv.text()).toBe(
    'Commodity,Date(UTC),Price\nBrent,1987-05-20T00:00:00,18.63\nBrent,1987-05-21T00:00:00,18.45\nBrent,2022-03-08T00:00:00,133.18\n',
  )
})

test('retrieve_data_as_csv accepts dates, a time zone, wildcards and metadata', async () => {
  const all = {
    keys: [{ symbols: { Commodity: '*' }, groupName: 'Oil prices', columns: ['Price'], pattern: true }],
    timeZone: 'America/New_York',
    metadata: true,
  }
  const between = await retrieve({ ...all, startDate: '2020-01-01T00:00:00', endDate: '2022-12-31T23:59:59' })
  expect(await between.text()).toBe(
    'Commodity,Date(America/New_York),Price\nBrent,2022-03-07T19:00:00,133.18\nWTI,2020-04-19T20:00:00,-36.98\n',
  )
})

test('retrieve_data_as_json reads PANDAS, STANDARD and UI from /ts and /ts/stream', async () => {
  const range = { startDate: '2022-01-01T00:00:00' }
  for (const path of ['/ts', '/ts/stream']) {
    const pandas = await retrieve({ ...range, formatType: 'PANDAS' }, path)
    expect(await pandas.json()).toEqual({ data: { '2022-03-08T00:00:00': { Brent_Price: 133.18 } } })
    for (const formatType of ['STANDARD', 'UI']) {
      const body = (await (await retrieve({ ...range, formatType }, path)).json()) as Record<
        string,
        unknown[]
      >
      expect(body.values).toHaveLength(1)
      expect(body.data).toEqual(body.values)
      expect(body.symbols).toEqual([{ Commodity: 'Brent' }])
    }
  }
})

test('after a failed read the symbols of the group can still be listed', async () => {
  const failed = await retrieve({ timeZone: 'Nowhere/Land', formatType: 'PANDAS' })
  expect(failed.status).toBe(400)
  expect(await failed.json()).toMatchObject({
    message: expect.stringContaining('Nowhere/Land'),
    timestamp: expect.any(String),
  })
  const listed = await request('GET', `/ts/symbol/search?size=1000&from=0&query=${quote('Oil prices')}`)
  expect(await listed.json()).toMatchObject({
    items: [{ symbols: { Commodity: 'Brent' } }, { symbols: { Commodity: 'WTI' } }],
  })
  const stream = await request('GET', `/ts/symbol/search/stream?query=${quote('groupName=Oil prices')}`)
  expect(await stream.json()).toMatchObject({
    items: [{ symbols: { Commodity: 'Brent' } }, { symbols: { Commodity: 'WTI' } }],
  })
})
