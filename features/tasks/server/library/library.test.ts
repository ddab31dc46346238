import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { getLog } from '@headwater/logs/contract'
import { putSecret } from '@headwater/secrets/contract'
import {
  startTestServer,
  upload,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { searchSymbols } from '@headwater/symbols/contract'
import { listTaskDefinitions } from '../../contract/index.ts'
import { visibleParams } from '../../core/index.ts'
import { taskRuns, type TaskRuns } from './testing/task-runs.ts'

let server: TestServer
let owner: Session
let run: TaskRuns
let web: Server
let base: string
/** Requests that the web server has received. */
const received: (Pick<IncomingMessage, 'headers' | 'rawHeaders'> & {
  method: string
  url: string
  body: string
})[] = []
const secret = 'a secret with 30 characters ..'

beforeAll(async () => {
  web = createServer((request, response) => void respond(request, response))
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  server = await startTestServer({ env: { HEADWATER_INTERNAL_HOSTS: base.replace('http://', '') } })
  owner = await server.createUser({ role: 'Pipeline builder' })
  run = taskRuns(owner, 'Flows')
  for (const name of ['Flows', 'Prices']) await owner.call(createGroup, { body: { name } })
  await owner.call(putSecret, { params: { name: 'key' }, body: { value: secret, groupName: 'Flows' } })
})
afterAll(async () => {
  web.closeAllConnections()
  web.close()
  await server.stop()
})

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers, rawHeaders } = request
  received.push({ method, url, headers, rawHeaders, body: await text(request) })
  if (url === '/missing')
    response.writeHead(404).end(`<html>\n<p>no ${headers.authorization ?? 'key'}</p>\n</html>\n`)
  else if (url === '/metadata') response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end()
  else if (url === '/unchanged') response.writeHead(304).end()
  else if (url === '/gzip') response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('Code,Date'))
  else response.end('Code,Date,Close\nBRENT,2026-01-01,70.5\nBRENT,2026-01-02,71\n')
}

let count = 0
async function contentOf(file: string | undefined): Promise<string> {
  const { id } = JSON.parse(file!) as { id: string }
  const response = await owner.fetch(`/file/${id}/download`)
  return response.text()
}

const csv = (content: string, fileName = `f${++count}.csv`) =>
  upload(owner, { groupName: 'Prices', fileName, fileType: 'SOURCE', content })
const fileParam = async (content: string) => JSON.stringify({ id: (await csv(content)).fileId })

test('HTTP request sends its secret and stores the response as a file, which the next task ingests as series', async () => {
  const { steps, value } = await run(
    {
      task: 'http-request',
      params: {
        URL: `${base}/prices.csv?day=1`,
        Headers: 'Accept: text/csv',
        Authentication: 'bearer',
        Secret: 'key',
        'Store response in': 'Prices',
      },
      outputs: ['File', 'Status'],
    },
    {
      task: 'store-series',
      params: { 'File to store': '<t0.File>', Group: 'Prices', 'File name': 'brent.csv' },
    },
  )
  expect(steps).toEqual([
    { status: 'INFO', message: 'Stored prices.csv (0.06 KB) in Prices.' },
    {
      status: 'INFO',
      message: 'Stored brent.csv (0.06 KB) in Prices. Ingested 2 rows of 1 symbol.',
    },
  ])
  expect(received.at(-1)).toMatchObject({
    method: 'GET',
    url: '/prices.csv?day=1',
    headers: { accept: 'text/csv', authorization: `Bearer ${secret}` },
  })
  expect(value('t0.Status')).toBe('200')
  expect(await contentOf(value('t0.File'))).toContain('BRENT,2026-01-02,71')
  const symbols = await owner.call(searchSymbols, { query: { query: 'groupName.keyword=Prices' } })
  expect(symbols.items.map(({ symbols: keys }) => keys)).toEqual([{ Code: 'BRENT' }])
})

test('HTTP request can send headers and secrets under names of object properties', async () => {
  const params = { URL: `${base}/unchanged`, Headers: '__proto__: 1\nconstructor: 2' }
  await run({ task: 'http-request', params })
  const headerOf = (name: string) =>
    received.at(-1)!.rawHeaders[received.at(-1)!.rawHeaders.indexOf(name) + 1]
  expect(['__proto__', 'constructor'].map(headerOf)).toEqual(['1', '2'])
  const header = { Authentication: 'header', 'Header name': '__proto__', Secret: 'key' }
  await run({ task: 'http-request', params: { URL: `${base}/unchanged`, ...header } })
  expect(headerOf('__proto__')).toBe(secret)
})

test('a CSV file that is not in NCSV format is not stored as series; the message names the task that can convert it', async () => {
  const params = { 'File to store': await fileParam('Date,Close\n2026-01-02,71\n'), Group: 'Prices' }
  const { steps } = await run({ task: 'store-series', params })
  expect(steps[0]!.status).toBe('ERROR')
  expect(steps[0]!.message).toMatch(
    /no symbol column.*first convert it to NCSV with the task Convert file\.$/s,
  )
})

test('a failed request ends the task with one sentence; the log contains the response as one entry with the secret redacted', async () => {
  const params = { URL: `${base}/missing`, Authentication: 'bearer', Secret: 'key' }
  const { steps, jobId } = await run({ task: 'http-request', params })
  expect(steps).toEqual([{ status: 'ERROR', message: 'The server responded with the status 404.' }])
  const { items } = await owner.call(getLog, { params: { jobId } })
  expect(items.map(({ level, text }) => `${level} ${text}`)).toEqual([
    'ERROR The server responded with the status 404.',
    'INFO Response: <html> <p>no Bearer [secret]</p> </html>',
  ])
  expect(received.at(-1)!.headers.authorization).toBe(`Bearer ${secret}`)
})

test.each([
  ['/unchanged', 'The server responded with the status 304.'],
  ['/gzip', expect.stringContaining('compressed its response (gzip)') as string],
])('the task fails if the response is not a plain success: %s', async (path, message) => {
  const params = { URL: base + path, 'Store response in': 'Prices' }
  const { steps } = await run({ task: 'http-request', params })
  expect(steps).toEqual([{ status: 'ERROR', message }])
})

test('requests cannot reach disallowed internal hosts or metadata services, even through redirects', async () => {
  for (const [task, url] of [
    ['http-request', 'http://127.0.0.1:1/'],
    ['webhook', 'http://localhost/'],
    ['http-request', 'http://10.0.0.1/'],
    ['webhook', `${base}/metadata`],
    ['http-request', `${base}/metadata`],
  ] as const) {
    const { steps } = await run({ task, params: { URL: url } })
    expect(steps[0]!.status, `${task} ${url}`).toBe('ERROR')
  }
  const { steps } = await run({ task: 'http-request', params: { URL: 'http://169.254.169.254/' } })
  expect(steps[0]!.message).toMatch(/169\.254\.169\.254/)
})

test('webhook posts signed JSON', async () => {
  const body = '{"done": true}'
  const { steps } = await run({ task: 'webhook', params: { URL: `${base}/hook`, Body: body, Secret: 'key' } })
  expect(steps).toEqual([{ status: 'INFO', message: 'Delivered with the status 200.' }])
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  expect(received.at(-1)).toMatchObject({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-signature-256': `sha256=${signature}` },
  })
})

test('CSV is converted to JSON and back', async () => {
  const content = 'Code;Text;Value\nA;"x, ""y""";1.5\nB;007;\n'
  const { steps, value } = await run(
    {
      task: 'convert-file',
      params: { 'File to convert': await fileParam(content), Group: 'Prices' },
      outputs: ['File'],
    },
    {
      task: 'convert-file',
      params: {
        'File to convert': '<t0.File>',
        Conversion: 'JSON to CSV',
        Group: 'Prices',
        'File name': 'back.csv',
      },
      outputs: ['File'],
    },
  )
  expect(steps.map(({ status }) => status)).toEqual(['INFO', 'INFO'])
  expect(JSON.parse(await contentOf(value('t0.File')))).toEqual([
    { Code: 'A', Text: 'x, "y"', Value: 1.5 },
    { Code: 'B', Text: '007', Value: null },
  ])
  expect(await contentOf(value('t1.File'))).toBe('Code,Text,Value\nA,"x, ""y""",1.5\nB,007,\n')
})

test('each conversion has its own parameters', async () => {
  const { items } = await owner.call(listTaskDefinitions, {})
  const { params } = items.find(({ definitionName }) => definitionName === 'convert-file')!
  const always = ['File to convert', 'Conversion', 'Group', 'File name', 'File']
  const paramsOf = (conversion: string) => {
    const selected = params.map((param) =>
      param.name === 'Conversion' ? { ...param, value: conversion } : param,
    )
    return [...visibleParams(selected)].filter((name) => !always.includes(name))
  }
  const ofTexts = ['Decimal separator', 'Date format', 'Date columns']
  const ofSeries = ['Symbol columns', 'Symbol name', 'Date column', 'Value columns']
  for (const [conversion, expected] of [
    ['CSV to JSON', ofTexts],
    ['CSV to XLSX', ofTexts],
    ['CSV to Parquet', ofTexts],
    ['CSV to NCSV', [...ofTexts, ...ofSeries]],
    ['JSON to CSV', ['Columns']],
    ['XLSX to CSV', ['Sheet', 'Header row', ...ofTexts]],
    ['XLSX to NCSV', ['Sheet', 'Header row', ...ofTexts, ...ofSeries]],
    ['Parquet to CSV', ['Columns']],
    ['Parquet to NCSV', ['Columns', ...ofSeries]],
  ] as const)
    expect(paramsOf(conversion), conversion).toEqual(expected)
})

test('CSV is converted to series, and errors name the row or column', async () => {
  const content = 'Close,Day,Sector,Region\n1,2026-01-01,Oil,EU\n'
  const params = {
    Conversion: 'CSV to NCSV',
    Group: 'Flows',
    'Symbol columns': '["Region","Sector"]',
    'Date column': 'Day',
  }
  const { steps } = await run({
    task: 'convert-file',
    params: { 'File to convert': await fileParam(content), ...params },
  })
  expect(steps[0]!.status).toBe('INFO')
  const symbols = await owner.call(searchSymbols, { query: { query: 'groupName.keyword=Flows' } })
  expect(symbols.items.map(({ symbols: keys }) => keys)).toEqual([{ Region: 'EU', Sector: 'Oil' }])
  const wrong = await run({
    task: 'convert-file',
    params: { 'File to convert': await fileParam('A,B\n1,2\n1\n'), Group: 'Prices' },
  })
  expect(wrong.steps).toEqual([{ status: 'ERROR', message: 'Row 3 has 1 cell, but the header has 2.' }])
  const lacking = await run({
    task: 'convert-file',
    params: { 'File to convert': await fileParam('A\n1\n'), ...params },
  })
  expect(lacking.steps[0]!.message).toBe('The file has no column “Region”. Its columns are A.')
})

test('CSV without a symbol column becomes series with one symbol for all rows', async () => {
  await owner.call(createGroup, { body: { name: 'Constant' } })
  const file = await fileParam('Date,Price,Code\n2026-01-01,70.5,A\n2026-01-02,71,B\n')
  const given = { 'File to convert': file, Conversion: 'CSV to NCSV', Group: 'Constant' }
  const convert = (params: Record<string, string>) =>
    run({ task: 'convert-file', params: { ...given, ...params }, outputs: ['File'] })
  const symbol = { 'Symbol name': 'Commodity', 'Name of the series': 'Brent, dated' }

  const { steps, value } = await convert({ ...symbol, 'Value columns': '["Price"]' })
  expect(steps[0]!.status).toBe('INFO')
  expect(await contentOf(value('t0.File'))).toBe(
    'Commodity,Date,Price\n"Brent, dated",2026-01-01,70.5\n"Brent, dated",2026-01-02,71\n',
  )
  await convert({ ...symbol, 'Symbol columns': '["Code"]', 'File name': 'both.ncsv' })
  const symbols = await owner.call(searchSymbols, { query: { query: 'groupName.keyword=Constant' } })
  const constant = { Commodity: 'Brent, dated' }
  const stored = symbols.items.map(({ symbols: keys }) => keys)
  expect(stored).toHaveLength(3)
  expect(stored).toEqual(
    expect.arrayContaining([constant, { ...constant, Code: 'A' }, { ...constant, Code: 'B' }]),
  )

  const unset = 'Set symbol columns, or a symbol name and the name of the series.'
  expect((await convert({})).steps).toEqual([{ status: 'ERROR', message: unset }])
  const column = await convert({ ...symbol, 'Symbol name': 'Price' })
  expect(column.steps[0]!.message).toBe(
    'The file has a column “Price”, which is also the symbol name. Choose another symbol name.',
  )
  await expect(convert({ 'Symbol name': 'Commodity' })).rejects.toThrow(
    'The task “t0” needs a value for its parameter “Name of the series”.',
  )
  for (const [params, message] of [
    [{ 'Symbol columns': '', 'Symbol name': '' }, unset],
    [{ ...symbol, 'Symbol name': 'date(UTC)' }, 'is the name of a date column, so it cannot be a symbol.'],
    [{ ...symbol, 'Symbol columns': '["Commodity"]' }, 'The symbol “Commodity” is also a symbol column.'],
    [{ ...symbol, 'Name of the series': ' ' }, 'A symbol name requires the name of the series.'],
    [{ ...symbol, 'Name of the series': 'a\nb' }, 'must not contain line breaks.'],
    [{ ...symbol, 'Name of the series': 'a'.repeat(251) }, 'can have at most 250 characters each.'],
  ] as const)
    await expect(convert(params), message).rejects.toThrow(message)
})

test('files with too many columns or keys are rejected immediately', async () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `c${index}`)
  const wide = `${names.join(',')}\n${names.map(() => '1').join(',')}\n`
  const keys = JSON.stringify([Object.fromEntries(names.map((name) => [name, 1]))])
  for (const [content, Conversion] of [
    [wide, 'CSV to JSON'],
    [wide, 'CSV to NCSV'],
    [keys, 'JSON to CSV'],
  ] as const) {
    const { steps } = await run({
      task: 'convert-file',
      params: {
        'File to convert': await fileParam(content),
        Conversion,
        Group: 'Prices',
        ...(Conversion === 'CSV to NCSV' && { 'Symbol columns': '["c0"]' }),
      },
    })
    const message = 'The file has 100,000 columns; at most 16,384 can be converted.'
    expect(steps).toEqual([{ status: 'ERROR', message }])
  }
})

test('CSV becomes XLSX and Parquet, and both become series again', async () => {
  await owner.call(createGroup, { body: { name: 'Tables' } })
  const content = 'Region,Day,Close\nEU,2026-01-01,1.5\nEU,2026-01-02,2\n'
  const params = { Group: 'Tables', 'Symbol columns': '["Region"]', 'Date column': 'Day' }
  const file = await fileParam(content)
  const { steps, value } = await run(
    {
      task: 'convert-file',
      params: { 'File to convert': file, Conversion: 'CSV to XLSX', Group: 'Prices', 'File name': 'a.xlsx' },
      outputs: ['File'],
    },
    {
      task: 'convert-file',
      params: { ...params, 'File to convert': '<t0.File>', Conversion: 'XLSX to NCSV', Sheet: 'Sheet1' },
    },
    {
      task: 'convert-file',
      params: {
        'File to convert': file,
        Conversion: 'CSV to Parquet',
        Group: 'Prices',
        'File name': 'a.parquet',
      },
      outputs: ['File'],
    },
    {
      task: 'convert-file',
      params: {
        'File to convert': '<t2.File>',
        Conversion: 'Parquet to CSV',
        Group: 'Prices',
        Columns: '["Close","Region"]',
      },
      outputs: ['File'],
    },
    {
      task: 'convert-file',
      params: { 'File to convert': '<t2.File>', Conversion: 'XLSX to CSV', Group: 'Prices' },
    },
  )
  expect(steps.map(({ status }) => status)).toEqual(['INFO', 'INFO', 'INFO', 'INFO', 'ERROR'])
  expect(steps.at(-1)!.message).toBe(
    'The file is not an XLSX workbook that can be read: it is not a zip archive.',
  )
  expect(JSON.parse(value('t0.File')!)).toMatchObject({ name: 'a.xlsx', groupName: 'Prices' })
  expect(await contentOf(value('t3.File'))).toBe('Close,Region\n1.5,EU\n2,EU\n')
  const symbols = await owner.call(searchSymbols, { query: { query: 'groupName.keyword=Tables' } })
  expect(symbols.items.map(({ symbols: keys }) => keys)).toEqual([{ Region: 'EU' }])
  const wrong = { 'File to convert': file, Conversion: 'XLSX to CSV', Group: 'Prices', 'Header row': '0' }
  await expect(run({ task: 'convert-file', params: wrong })).rejects.toThrow(
    'The header row must be a number from 1.',
  )
})

test('values with a decimal comma become numbers on request; symbols remain unchanged', async () => {
  const file = await fileParam('Code;Day;Close\n"1,5";2026-01-01;1.234,5\n')
  const given = { 'File to convert': file, Group: 'Prices', 'Decimal separator': 'comma' }
  const { value } = await run(
    { task: 'convert-file', params: { ...given, Conversion: 'CSV to JSON' }, outputs: ['File'] },
    {
      task: 'convert-file',
      params: { ...given, Conversion: 'CSV to NCSV', 'Symbol columns': '["Code"]', 'Date column': 'Day' },
      outputs: ['File'],
    },
  )
  expect(JSON.parse(await contentOf(value('t0.File')))).toEqual([
    { Code: 1.5, Day: '2026-01-01', Close: 1234.5 },
  ])
  expect(await contentOf(value('t1.File'))).toBe('Code,Date,Close\n"1,5",2026-01-01,1234.5\n')
})

test('German dates become ISO dates in each target format', async () => {
  const file = await fileParam('Code;Day;At;N\nA;31.12.2026;31.12.2026 14:00;1\n')
  const given = { 'File to convert': file, Group: 'Prices', 'Date format': 'detect' }
  const convert = (Conversion: string, params: Record<string, string> = {}) => ({
    task: 'convert-file',
    params: { ...given, Conversion, 'File name': `dates${++count}`, ...params },
    outputs: ['File'],
  })
  const columns = { 'Symbol columns': 'Code', 'Date column': 'At', 'Value columns': 'N' }
  const { steps, value } = await run(
    convert('CSV to JSON'),
    convert('CSV to XLSX'),
    convert('XLSX to CSV', { 'File to convert': '<t1.File>', 'Date format': '' }),
    convert('CSV to Parquet'),
    convert('Parquet to CSV', { 'File to convert': '<t3.File>' }),
    convert('CSV to NCSV', columns),
    convert('CSV to XLSX', { 'Date format': 'unchanged' }),
    convert('XLSX to CSV', { 'File to convert': '<t6.File>', 'Date format': 'dd.MM.yyyy' }),
  )
  expect(steps.map(({ status }) => status)).toEqual(steps.map(() => 'INFO'))
  const at = '2026-12-31T14:00:00'
  expect(JSON.parse(await contentOf(value('t0.File')))).toEqual([
    { Code: 'A', Day: '2026-12-31', At: `${at}.000`, N: 1 },
  ])
  for (const file of ['t2.File', 't4.File'])
    expect(await contentOf(value(file))).toMatch(
      new RegExp(`^Code,Day,At,N\\nA,2026-12-31,${at}(\\.000)?,1\\n$`),
    )
  expect(await contentOf(value('t5.File'))).toBe(`Code,Date,N\nA,${at}.000,1\n`)
  // Strings in a workbook are also converted.
  expect(await contentOf(value('t7.File'))).toBe('Code,Day,At,N\nA,2026-12-31,31.12.2026 14:00,1\n')
})

test('a date in a different format ends the task with its line and column; an unknown format cannot be saved', async () => {
  const params = {
    'File to convert': await fileParam('Day;Value\n31.12.2026;1\n2026-12-31;2\n'),
    Group: 'Prices',
    'Date format': 'dd.MM.yyyy',
  }
  const message =
    'Row 3, column 1 (Day): "2026-12-31" is not a date in the format dd.MM.yyyy, such as 31.12.2026.'
  for (const Conversion of ['CSV to JSON', 'CSV to Parquet', 'CSV to XLSX'])
    expect((await run({ task: 'convert-file', params: { ...params, Conversion } })).steps).toEqual([
      { status: 'ERROR', message },
    ])
  const wrong = { ...params, 'Date format': 'soon' }
  await expect(run({ task: 'convert-file', params: wrong })).rejects.toThrow('“Date format”')
  const lacking = { ...params, 'Date columns': 'Time' }
  expect((await run({ task: 'convert-file', params: lacking })).steps[0]!.message).toBe(
    'The file has no column “Time” for dates.',
  )
})

test('a file check fails or warns, and names each problem', async () => {
  const content =
    'Code,Date,Close\nA,2020-01-01,1\nA,2020-01-01,x\nA,2020-01-09,500\nB,2020-01-10\nC,2020-01-10,\n'
  const params = {
    'File to check': await fileParam(content),
    Columns: '["Code","Unit"]',
    'Minimum rows': '10',
    'Unique columns': '["Code","Date"]',
    'Number column': 'Close',
    Maximum: '100',
    'Date column': 'Date',
    'Longest gap': '2d',
    'Oldest newest date': '30d',
  }
  const { steps } = await run({ task: 'check-file', params })
  expect(steps[0]!.status).toBe('ERROR')
  expect(steps[0]!.message.split('\n')).toEqual([
    expect.stringMatching(/^9 problems in \S+: The file has no column “Unit”\.$/),
    'Row 3 repeats an earlier row: A, 2020-01-01.',
    'Row 3: “x” in “Close” is not a number.',
    'Row 4: 500 in “Close” is greater than 100.',
    'Row 4: 8 days since the previous date.',
    'Row 5 has 2 cells, but the header has 3.',
    'Row 6: “Close” is empty.',
    'The file has 5 rows; at least 10 are required.',
    'The newest date is 2020-01-10, older than 30d.',
  ])
  const warned = await run({ task: 'check-file', params: { ...params, 'On problem': 'warn' } })
  expect(warned.steps[0]!.status).toBe('WARN')
})

test('a file check reads decimal commas and dates in the chosen format', async () => {
  const content =
    'Datum;Preis\n31.08.2026;"1.234,50"\n01.09.2026;88,75\n02.09.2026;-1,5\n2026-09-03;88.75.1\n10.09.2026;90\n'
  const params = {
    'File to check': await fileParam(content),
    'Number column': 'Preis',
    Minimum: '0',
    Maximum: '1000',
    'Decimal separator': 'comma',
    'Date column': 'Datum',
    'Date format': 'dd.MM.yyyy',
    'Longest gap': '2d',
  }
  const { steps } = await run({ task: 'check-file', params })
  expect(steps[0]!.message.split('\n')).toEqual([
    expect.stringMatching(/^5 problems in \S+: Row 2: 1234\.5 in “Preis” is greater than 1000\.$/),
    'Row 4: -1.5 in “Preis” is less than 0.',
    'Row 5: “88.75.1” in “Preis” is not a number.',
    'Row 5: “2026-09-03” is not a date such as 31.12.2026.',
    'Row 6: 8 days since the previous date.',
  ])
})

test('the points of a series are stored as a file', async () => {
  await owner.call(createGroup, { body: { name: 'Storage' } })
  await uploadSeries(owner, {
    groupName: 'Storage',
    fileName: 'a.csv',
    content: 'Code,Date,Close,Open\nA,2026-01-01,1,9\nA,2026-01-02,2,9\nA,2026-01-03,3,9\n',
  })
  const series = JSON.stringify({ groupName: 'Storage', symbols: { Code: 'A' }, column: 'Close' })
  const { steps, value } = await run({
    task: 'query-series',
    params: { Series: series, From: '2026-01-02', Group: 'Prices', 'File name': 'points.csv' },
    outputs: ['File'],
  })
  expect(steps[0]).toMatchObject({ status: 'INFO' })
  const [header = '', ...rows] = (await contentOf(value('t0.File'))).trim().split('\n')
  expect(header).toContain('Close')
  expect(header).not.toContain('Open')
  expect(rows).toHaveLength(2)
})

test('tasks read and store with the access of the user of the run', async () => {
  const other = await server.createUser({ role: 'Pipeline builder' })
  await other.call(createGroup, { body: { name: 'Private' } })
  const hidden = await upload(other, { groupName: 'Private', fileType: 'SOURCE', content: 'a,b\n1,2\n' })
  const params = { 'File to check': JSON.stringify({ id: hidden.fileId }) }
  expect((await run({ task: 'check-file', params })).steps[0]!.status).toBe('ERROR')
  const stored = await run({
    task: 'store-file',
    params: { Content: 'text', Text: 'x', Group: 'Private', 'File name': 'x.txt' },
  })
  expect(stored.steps[0]!.status).toBe('ERROR')
})
