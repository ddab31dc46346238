import { createHash, randomInt, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, unshareGroup } from '@headwater/groups/contract'
import {
  startTestServer,
  upload,
  type Session,
  type TestServer,
  type Upload,
} from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import {
  administratorFileTypes,
  createFile,
  deleteFile,
  file as fileSchema,
  fileTypes,
  getFile,
  getFileSize,
  listFileVersions,
  searchFiles,
  transferOwnership,
  updateFile,
} from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
})
afterAll(() => server.stop())

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

async function newGroup(session: Session, extra: object = {}): Promise<string> {
  const name = `group ${randomUUID()}`
  await session.call(createGroup, { body: { name, ...extra } })
  return name
}

const announce = (session: Session, { content: _content, ...body }: Upload) =>
  session.call(createFile, { body: { fileName: 'a.csv', ...body } as never })

const put = (location: string, content: RequestInit['body'], headers: Record<string, string> = {}) =>
  fetch(location, { method: 'PUT', body: content ?? null, headers })

const findNames = async (session: Session, query: Record<string, unknown>) =>
  (await session.call(searchFiles, { query })).items.map((item) => item.fileName)

async function refused(
  call: Promise<unknown>,
): Promise<{ status: number; body: { code: string; message?: string } }> {
  return call.then(
    () => expect.unreachable('the call was not refused'),
    (error) => error,
  )
}

test('DP-065 DP-067 DP-105 DP-139 DP-140 DP-141 DP-142 a file is announced, then its content is sent to the returned location', async () => {
  const groupName = await newGroup(anna)
  const announced = await anna.fetch('/file', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      groupName,
      fileName: 'prices.csv',
      fileType: 'MARKDOWN',
      fields: [{ name: 'Desk', value: 'oil' }],
      zipped: true,
    }),
  })
  expect(announced.status).toBe(200)
  const jobId = announced.headers.get('X-KH-JOB-ID')
  expect(jobId).toMatch(/^[0-9a-f-]{36}$/)
  const { location, fileId } = (await announced.json()) as { location: string; fileId: string }
  expect(location.startsWith(`${server.url}/file/${fileId}/`)).toBe(true)
  expect(await findNames(anna, { query: `uuid=${fileId}` })).toEqual([])

  const sent = await put(location, 'a,b\n1,2\n', { 'Content-Type': 'application/octet-stream' })
  expect(sent.status).toBe(200)
  expect(await sent.json()).toEqual({
    fileId,
    jobId,
    size: 8,
    sha256: sha256('a,b\n1,2\n'),
    status: 'READY',
    message: '',
  })

  const page = await anna.call(searchFiles, { query: { size: 1, from: 0, query: `uuid=${fileId}` } })
  expect(page.totalSize).toBe(1)
  expect(page.files).toEqual(page.items)
  expect(fileSchema.parse(page.items[0])).toMatchObject({
    fid: fileId,
    id: fileId,
    fileName: 'prices.csv',
    name: 'prices.csv',
    groupName,
    fileType: 'MARKDOWN',
    size: 8,
    zipped: true,
    owner: 'anna@example.com',
    fields: { Desk: 'oil' },
    version: 1,
    latest: true,
    jobId,
  })
  expect(page.items[0]?.arrivalTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
})

test('DP-069 DP-124 a file definition is JSON with a Location header that opens the content without credentials', async () => {
  const groupName = await newGroup(anna)
  const fileName = 'Zürich “1”.csv'
  const fields = [{ name: 'Desk', value: 'oil' }]
  const { fileId } = await upload(anna, { groupName, fileName, fields, content: 'hello world' })
  const response = await anna.fetch(`/file/${fileId}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toContain('application/json')
  expect(await response.json()).toMatchObject({
    fid: fileId,
    fileName,
    groupName,
    fileType: 'SOURCE',
    fields: { Desk: 'oil' },
    size: 11,
  })
  const location = response.headers.get('Location') ?? ''
  expect(location.startsWith(server.url)).toBe(true)

  const content = await fetch(location)
  expect(content.status).toBe(200)
  expect(await content.text()).toBe('hello world')
  expect(content.headers.get('Content-Length')).toBe('11')
  expect(content.headers.get('Content-Disposition')).toBe(
    `attachment; filename="Z_rich _1_.csv"; filename*=UTF-8''Z%C3%BCrich%20%E2%80%9C1%E2%80%9D.csv`,
  )
  expect(content.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(content.headers.get('Content-Security-Policy')).toContain('sandbox')
  expect(content.headers.get('Content-Type')).toBe('application/octet-stream')

  const direct = await anna.fetch(`/file/${fileId}/download`)
  expect(await direct.text()).toBe('hello world')
})

test.each([
  ['bytes=0-4', 206, 'hello', 'bytes 0-4/11'],
  ['bytes=6-', 206, 'world', 'bytes 6-10/11'],
  ['bytes=-3', 206, 'rld', 'bytes 8-10/11'],
  ['bytes=6-99', 206, 'world', 'bytes 6-10/11'],
  ['bytes=0-1,3-4', 200, 'hello world', null],
  ['bytes=9-2', 200, 'hello world', null],
  ['lines=1-2', 200, 'hello world', null],
])('part of the content can be read: %s', async (range, status, content, contentRange) => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, { groupName, content: 'hello world' })
  const response = await anna.fetch(`/file/${fileId}/download`, { headers: { Range: range } })
  expect(response.status).toBe(status)
  expect(await response.text()).toBe(content)
  expect(response.headers.get('Content-Range')).toBe(contentRange)
})

test('a range outside the content returns 416 with the size; the range is ignored if the content changed', async () => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, { groupName, content: 'hello' })
  const outside = await anna.fetch(`/file/${fileId}/download`, { headers: { Range: 'bytes=5-' } })
  expect(outside.status).toBe(416)
  expect(outside.headers.get('Content-Range')).toBe('bytes */5')
  const other = await anna.fetch(`/file/${fileId}/download`, {
    headers: { Range: 'bytes=0-1', 'If-Range': '"another"' },
  })
  expect([other.status, await other.text()]).toEqual([200, 'hello'])
  const head = await anna.fetch(`/file/${fileId}/download`, { method: 'HEAD' })
  expect([head.status, head.headers.get('Content-Length')]).toEqual([200, '5'])
})

test('DP-127 the size of a file can be queried', async () => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, { groupName, content: 'x'.repeat(1234) })
  expect(await anna.call(getFileSize, { params: { fid: fileId } })).toEqual({ size: 1234 })
})

test('an empty file can be uploaded with length 0 or chunked', async () => {
  const groupName = await newGroup(anna)
  const first = await announce(anna, { groupName, fileName: 'empty.csv' })
  expect((await put(first.location, '')).status).toBe(200)
  const second = await announce(anna, { groupName, fileName: 'empty.csv' })
  const chunked = await fetch(second.location, {
    method: 'PUT',
    body: new ReadableStream({ start: (controller) => controller.close() }),
    duplex: 'half',
  } as RequestInit)
  expect(await chunked.json()).toMatchObject({ status: 'READY', size: 0, sha256: sha256('') })
  expect(await findNames(anna, { groupName })).toEqual(['empty.csv', 'empty.csv'])
})

test('truncated content is not stored and can be sent again', async () => {
  const groupName = await newGroup(anna)
  const { location } = await announce(anna, { groupName })
  const aborting = new AbortController()
  const broken = fetch(location, {
    method: 'PUT',
    signal: aborting.signal,
    duplex: 'half',
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('first half'))
        setTimeout(() => aborting.abort(), 50)
      },
    }),
  } as RequestInit)
  await expect(broken).rejects.toThrow('abort')
  expect(await findNames(anna, { groupName })).toEqual([])
  expect((await put(location, 'first half and second half')).status).toBe(200)
  expect(await findNames(anna, { groupName })).toEqual(['a.csv'])
})

test('content is checked against the announced checksum, and can be sent again after a mismatch', async () => {
  const groupName = await newGroup(anna)
  const { location } = await announce(anna, { groupName })
  const right = sha256('right')
  const base64 = Buffer.from(right, 'hex').toString('base64')
  const wrong = await put(location, 'wrong', { 'X-Content-SHA256': right })
  expect(wrong.status).toBe(400)
  expect(await wrong.json()).toMatchObject({ code: 'digestWrong' })
  const unreadable = await put(location, 'right', { 'Content-Digest': 'sha-256=:abc:' })
  expect(await unreadable.json()).toMatchObject({ code: 'digestNotValid' })
  expect(await findNames(anna, { groupName })).toEqual([])

  const taken = await put(location, 'right', { 'Content-Digest': `sha-256=:${base64}:` })
  expect(taken.status).toBe(200)
  expect(taken.headers.get('X-Content-SHA256')).toBe(right)
})

test('sending the same content again gets the same response, and other content is rejected', async () => {
  const groupName = await newGroup(anna)
  const { location } = await announce(anna, { groupName })
  const first = await (await put(location, 'one')).json()
  expect(await (await put(location, 'one')).json()).toEqual(first)
  const other = await put(location, 'two')
  expect([other.status, await other.json()]).toMatchObject([409, { code: 'contentThere' }])
  expect(await findNames(anna, { groupName })).toEqual(['a.csv'])
})

test('the same name in the same group creates a new version; latest marks the newest version', async () => {
  const groupName = await newGroup(anna)
  const ids: string[] = []
  for (const content of ['one', 'two', 'three'])
    ids.push((await upload(anna, { groupName, fileName: 'v.csv', content })).fileId)
  const versions = await anna.call(listFileVersions, { params: { fid: ids[0]! }, query: {} })
  expect(versions.items.map(({ fid, version, latest }) => [fid, version, latest])).toEqual([
    [ids[2], 3, true],
    [ids[1], 2, false],
    [ids[0], 1, false],
  ])
  const latest = await anna.call(searchFiles, { query: { query: `groupName=${groupName}&latest=true` } })
  expect(latest.items.map((item) => item.fid)).toEqual([ids[2]])
  const byName = await anna.call(searchFiles, {
    query: { query: `name=v.csv&groupName=${groupName}`, size: 1 },
  })
  expect([byName.totalSize, byName.items[0]?.fid]).toEqual([3, ids[2]])

  await anna.call(deleteFile, { params: { fid: ids[2]! } })
  expect((await anna.call(getFile, { params: { fid: ids[1]! } })).latest).toBe(true)
})

test('concurrent uploads of one name all become versions', async () => {
  const groupName = await newGroup(anna)
  const receipts = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      upload(anna, { groupName, fileName: 'race.csv', content: `${n % 2}` }),
    ),
  )
  const { items } = await anna.call(listFileVersions, {
    params: { fid: receipts[0]!.fileId },
    query: {},
  })
  expect(items.map((item) => item.version)).toEqual([6, 5, 4, 3, 2, 1])
  expect(items.filter((item) => item.latest)).toHaveLength(1)
})

test('DP-070 DP-135 DP-136 DP-137 DP-138 name/value pairs become a metadata map without the markers and the data range', async () => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, {
    groupName,
    fields: [
      { name: 'Desk', value: 'oil' },
      { name: 'Count', value: 3 },
      { name: 'PARTIAL_UPDATE', value: 'true' },
      { name: 'AVOID_DUPLICATES', value: 'False' },
      { name: 'SKIP_METADATA', value: true },
      { name: 'dataStart', value: '1514764800000' },
      { name: 'dataEnd', value: 1546300799999 },
    ],
  })
  const { fields, dataStart, dataEnd } = await anna.call(getFile, { params: { fid: fileId } })
  expect(fields).toEqual({ Desk: 'oil', Count: '3' })
  expect(dataStart).toBe(Date.parse('2018-01-01T00:00:00Z'))
  expect(dataEnd).toBe(Date.parse('2018-12-31T23:59:59.999Z'))
})

test('metadata is checked against the fields of the group, and default values are added', async () => {
  const groupName = await newGroup(anna, {
    fields: [
      { name: 'Count', type: 'int' },
      { name: 'Price', type: 'float', defaultValue: '1.5' },
      { name: 'Day', type: 'date' },
      { name: 'Tags', type: 'array', defaultValue: 'x, y' },
    ],
  })
  const fields = [
    { name: 'Count', value: '-7' },
    { name: 'Day', value: '2026-01-31' },
  ]
  const { fileId } = await upload(anna, { groupName, fields })
  expect((await anna.call(getFile, { params: { fid: fileId } })).fields).toEqual({
    Count: '-7',
    Day: '2026-01-31',
    Price: '1.5',
    Tags: ['x', 'y'],
  })
  for (const [name, value] of [
    ['Count', '1.5'],
    ['Price', 'much'],
    ['Day', 'yesterday'],
  ]) {
    const error = await refused(announce(anna, { groupName, fields: [{ name: name!, value }] }))
    expect(error).toMatchObject({ status: 400, body: { validationErrors: [{ field: 'fields' }] } })
  }
})

test('metadata is changed field by field; an empty value removes a field', async () => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, {
    groupName,
    fields: ['a', 'b'].map((name) => ({ name, value: `old ${name}` })),
  })
  const changed = await anna.call(updateFile, {
    params: { fid: fileId },
    body: {
      fields: [
        { name: 'a', value: 'new' },
        { name: 'b', value: '' },
        { name: 'c', value: 'third' },
      ],
    },
  })
  expect(changed.fields).toEqual({ a: 'new', c: 'third' })
  expect(await findNames(anna, { query: 'fields.c=third', groupName })).toEqual(['a.csv'])
})

test('one of two concurrent changes that are based on the same metadata is saved, and the other is rejected', async () => {
  const groupName = await newGroup(anna)
  const { fileId: fid } = await upload(anna, { groupName, fields: [{ name: 'Desk', value: 'oil' }] })
  const change = (value: string, basedOn?: number) =>
    anna.call(updateFile, { params: { fid }, body: { fields: [{ name: 'Desk', value }], basedOn } })
  const stored = async () => {
    const { fields, metadataVersion, version } = await anna.call(getFile, { params: { fid } })
    return { ...fields, metadataVersion, version }
  }
  expect(await stored()).toEqual({ Desk: 'oil', metadataVersion: 1, version: 1 })
  const results = await Promise.allSettled(['gas', 'coal', 'power'].map((value) => change(value, 1)))
  const saved = results.filter((result) => result.status === 'fulfilled')
  expect(saved.map(({ value }) => value.metadataVersion)).toEqual([2])
  expect(await stored()).toEqual({ ...saved[0]!.value.fields, metadataVersion: 2, version: 1 })
  for (const refusal of results.filter((result) => result.status === 'rejected'))
    expect(refusal.reason).toMatchObject({
      status: 409,
      body: {
        code: 'metadataChanged',
        message:
          'Another user saved version 2 of the metadata of “a.csv” while you were editing it. Your changes have not been saved. Reload the file, then repeat them.',
      },
    })
  await change('wind', 2)
  expect(await stored()).toEqual({ Desk: 'wind', metadataVersion: 3, version: 1 })
  await change('wind', 3)
  expect(await stored()).toEqual({ Desk: 'wind', metadataVersion: 3, version: 1 })
  // Programs that do not name a version change the newest one.
  await change('solar')
  expect(await stored()).toEqual({ Desk: 'solar', metadataVersion: 4, version: 1 })
})

test.each([
  ['PARTIAL_UPDATE', 'perhaps', 'flagNotValid'],
  ['dataStart', 'today', 'rangeNotValid'],
  ['dataEnd', '1.5', 'rangeNotValid'],
])('an unreadable flag or range is rejected: %s = %s', async (name, value, code) => {
  const groupName = await newGroup(anna)
  expect(await refused(announce(anna, { groupName, fields: [{ name, value }] }))).toMatchObject({
    status: 400,
    body: { code },
  })
})

test('DP-068 the file types are SOURCE, NCSV, D-NCSV, MARKDOWN, CONFIG and COMMAND_JSON; programs can send others', async () => {
  expect(fileTypes).toEqual(['SOURCE', 'NCSV', 'D-NCSV', 'MARKDOWN'])
  expect(administratorFileTypes).toEqual(['CONFIG', 'COMMAND_JSON'])
  const groupName = await newGroup(anna)
  for (const fileType of ['source', 'markdown', 'Config', 'command_json', 'JUPYTER'])
    await upload(anna, { groupName, fileName: `${fileType}.x`, fileType })
  for (const fileType of ['ncsv', 'd-ncsv']) {
    const content = `Code,Date,Close\n${fileType},2026-01-01,1\n`
    const { status } = await upload(anna, { groupName, fileName: `${fileType}.x`, fileType, content })
    expect(status).toBe('READY')
  }
  const { items } = await anna.call(searchFiles, { query: { groupName, sortBy: 'fileType' } as never })
  expect(items.map((item) => item.fileType)).toEqual([
    'COMMAND_JSON',
    'CONFIG',
    'D-NCSV',
    'JUPYTER',
    'MARKDOWN',
    'NCSV',
    'SOURCE',
  ])
  expect(await findNames(anna, { query: `type=jupyter&groupName=${groupName}` })).toEqual(['JUPYTER.x'])
})

test('DP-096 a file counts as zipped by its extension unless the sender sets the field', async () => {
  const groupName = await newGroup(anna)
  const zippedOf = async (what: Partial<Upload>) => {
    const { fileId } = await upload(anna, { groupName, ...what })
    return (await anna.call(getFile, { params: { fid: fileId } })).zipped
  }
  for (const fileName of ['a.zip', 'a.ZIP', 'a.gz', 'a.tgz', 'a.bz2', 'a.xz', 'a.7z', 'a.zst'])
    expect([fileName, await zippedOf({ fileName })]).toEqual([fileName, true])
  for (const fileName of ['a.csv', 'zip', 'zip.csv'])
    expect([fileName, await zippedOf({ fileName })]).toEqual([fileName, false])
  expect(await zippedOf({ fileName: 'a.csv', zipped: true })).toBe(true)
})

test('file search supports every key of the query language, in the query or as parameters', async () => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, {
    groupName,
    fileName: 'Brent_2026 100%.csv',
    fileType: 'NEWS',
    fields: [{ name: 'Data Desk', value: 'North & South=All' }],
  })
  await upload(anna, { groupName, fileName: 'other.txt' })
  const inGroup = (query: string) => findNames(anna, { query, groupName, size: 5 })

  expect(await inGroup(`uuid=${fileId}`)).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup(fileId.toUpperCase())).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('*brent*')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('north & south')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('north*')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('outh*')).toEqual([])
  expect(await inGroup('name=Brent_2026 100%.csv')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('name=brent*.csv')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('name=brent')).toEqual([])
  const { items } = await anna.call(searchFiles, { query: { groupName, extensions: 'png, CSV' } })
  expect(items.map(({ fileName }) => fileName)).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('name=*_2026*%.csv')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('name=Brent-2026*')).toEqual([])
  expect(await inGroup('fields.Data Desk=North & South=All')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('fields.Data Desk=*south*&type=NEWS')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('fields.Data Desk=North')).toEqual([])
  expect(await inGroup('type=NEWS,MARKDOWN')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup(`arrivalTime=${new Date().getUTCFullYear()}&type=NEWS`)).toEqual([
    'Brent_2026 100%.csv',
  ])
  expect(await inGroup('arrivalTime=..2001-02-03')).toEqual([])
  expect(await inGroup('*brent*&arrivalTime=2001..')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('br')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('*0%*')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('%%')).toEqual([])
  expect(await inGroup('%')).toEqual(['Brent_2026 100%.csv'])
  expect(await inGroup('*')).toEqual(['other.txt', 'Brent_2026 100%.csv'])
  await upload(anna, { groupName, fileName: 'other.txt' })
  expect(await findNames(anna, { query: `groupName=${groupName}&type=SOURCE` })).toEqual([
    'other.txt',
    'other.txt',
  ])
  expect(await findNames(anna, { query: `groupName=${groupName}&type=SOURCE&latest=true` })).toEqual([
    'other.txt',
  ])
  expect(await findNames(anna, { query: `groupName=${groupName}`, size: 1 })).toEqual(['other.txt'])

  const stray = await anna.fetch(
    `/file/search?query=name=*&groupName=${encodeURIComponent(groupName)}&fields.Data%20Desk=North*&size=1`,
  )
  expect(((await stray.json()) as { items: unknown[] }).items).toHaveLength(1)
})

test('an invalid search is a 400, never a server error', async () => {
  expect(await refused(anna.call(searchFiles, { query: { query: 'arrivalTime=soon' } }))).toMatchObject({
    status: 400,
    body: { code: 'queryNotValid' },
  })
  for (const query of [
    `sortBy=drop`,
    'size=0',
    'size=1001',
    'from=-1',
    'sortOrder=up',
    'query=%00',
    'latest=perhaps',
  ])
    expect([query, (await anna.fetch(`/file/search?${query}`)).status]).toEqual([query, 400])
  for (const query of [
    "query=' or 1=1 --",
    'query=name=%25%5C_*',
    'query=uuid=x',
    'query=fields.=a',
    'query=&&&===',
    "fields.a'b=c",
    'query=' + '*a'.repeat(500),
  ])
    expect([query, (await anna.fetch(`/file/search?${query}`)).status]).toEqual([query, 200])
})

test('files are listed newest first, in pages, and sorted by the allowed keys', async () => {
  const groupName = await newGroup(anna)
  for (const [fileName, content] of [
    ['b.csv', 'xxx'],
    ['a.csv', 'x'],
    ['c.csv', 'xx'],
  ])
    await upload(anna, { groupName, fileName: fileName!, content: content! })
  expect(await findNames(anna, { groupName })).toEqual(['c.csv', 'a.csv', 'b.csv'])
  expect(await findNames(anna, { groupName, size: 1, from: 1 })).toEqual(['a.csv'])
  expect(await findNames(anna, { groupName, from: 50 })).toEqual([])
  expect(await findNames(anna, { groupName, sortBy: 'name' })).toEqual(['a.csv', 'b.csv', 'c.csv'])
  expect(await findNames(anna, { groupName, sortBy: 'size' })).toEqual(['b.csv', 'c.csv', 'a.csv'])
  expect(await findNames(anna, { groupName, sortBy: 'arrivalTime', sortOrder: 'ASC' })).toEqual([
    'b.csv',
    'a.csv',
    'c.csv',
  ])
})

test('IN-392 a file search returns the ingest status only with withStatus', async () => {
  const groupName = await newGroup(anna)
  await upload(anna, { groupName })
  const [item] = (await anna.call(searchFiles, { query: { groupName, withStatus: true } as never })).items
  expect(item?.status).toEqual({ status: 'INFO', message: expect.stringMatching(/./) })
  const [plain] = (await anna.call(searchFiles, { query: { groupName } as never })).items
  expect(plain).not.toHaveProperty('status')
})

test('DP-120 a deleted file is no longer listed and its Location no longer works', async () => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, { groupName })
  const location = (await anna.fetch(`/file/${fileId}`)).headers.get('Location') ?? ''
  await anna.call(deleteFile, { params: { fid: fileId } })
  expect(await findNames(anna, { groupName })).toEqual([])
  expect((await fetch(location)).status).toBe(404)
  expect(await refused(anna.call(deleteFile, { params: { fid: fileId } }))).toMatchObject({ status: 404 })
})

test('DP-120 a DELETE request without a body can have a content type', async () => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, { groupName })
  const headers = { 'Content-Type': 'application/json' }
  expect((await anna.fetch(`/file/${fileId}`, { method: 'DELETE', headers })).status).toBe(200)
  expect(await findNames(anna, { groupName })).toEqual([])
})

test('DP-128 DP-129 IN-038 only the owner transfers files: either exactly the named files, atomically, or all files', async () => {
  const [mine, theirs] = [await newGroup(anna), await newGroup(ben)]
  const first = await upload(anna, { groupName: mine })
  const foreign = await upload(ben, { groupName: theirs })
  const transfer = (session: Session, fileIds: string[], more: object = {}) =>
    session.call(transferOwnership, {
      body: { fileIds, currentOwnerUser: anna.userName, targetOwnerUser: ben.userName, ...more },
    })
  const ownerOf = async (session: Session, fid: string) =>
    (await session.call(getFile, { params: { fid } })).owner

  expect(await refused(transfer(ben, [first.fileId]))).toMatchObject({
    status: 403,
    body: { code: 'notOwner' },
  })
  await grantWriting(mine, ben)
  for (const session of [ben, server.admin]) {
    expect(await refused(transfer(session, [first.fileId]))).toMatchObject({
      status: 403,
      body: { code: 'notOwner' },
    })
    expect(await refused(transfer(session, [], { transferAll: true }))).toMatchObject({
      status: 403,
      body: { code: 'notOwner' },
    })
    const asOwner = transfer(session, [first.fileId], { currentOwnerUser: session.userName })
    expect(await refused(asOwner)).toMatchObject({ status: 403, body: { code: 'notOwner' } })
  }
  expect(await refused(transfer(anna, [first.fileId, foreign.fileId]))).toMatchObject({ status: 403 })
  expect(await refused(transfer(anna, [first.fileId], { targetOwnerUser: 'x@y.z' }))).toMatchObject({
    status: 400,
    body: { validationErrors: [{ field: 'targetOwnerUser' }] },
  })
  expect(await refused(transfer(anna, [first.fileId], { currentOwnerUser: ben.userName }))).toMatchObject({
    status: 403,
    body: { code: 'notOwner' },
  })
  expect(await refused(transfer(anna, [first.fileId], { currentOwnerUser: undefined }))).toMatchObject({
    status: 400,
    body: { validationErrors: [{ field: 'currentOwnerUser' }] },
  })
  expect(await ownerOf(anna, first.fileId)).toBe(anna.userName)
  expect(await transfer(anna, [first.fileId, first.fileId])).toEqual({ transferred: 1 })
  expect(await ownerOf(anna, first.fileId)).toBe(ben.userName)

  const carl = await server.createUser()
  const own = await newGroup(carl)
  for (let n = 0; n < 3; n++) await upload(carl, { groupName: own })
  const fromCarl = { currentOwnerUser: carl.userName }
  expect(await transfer(carl, [], fromCarl)).toEqual({ transferred: 0 })
  // Otherwise a user could fill the storage of another one with files that this user cannot see.
  expect(await refused(transfer(carl, [], { ...fromCarl, transferAll: true }))).toMatchObject({
    status: 409,
    body: { code: 'recipientCannotRead', validationErrors: [{ field: 'targetOwnerUser' }] },
  })
  await grantWriting(own, ben)
  expect(await transfer(carl, [], { ...fromCarl, transferAll: true })).toEqual({ transferred: 3 })
  const { items } = await carl.call(searchFiles, { query: { groupName: own } as never })
  expect(items.map(({ owner }) => owner)).toEqual(Array.from({ length: 3 }, () => ben.userName))
})

test('an owner without access to the group cannot transfer a file, and learns neither the name of the group nor its readers', async () => {
  const dora = await server.createUser()
  const [lost, own] = [await newGroup(anna), await newGroup(dora)]
  await grantWriting(lost, dora)
  const { fileId: hidden } = await upload(dora, { groupName: lost })
  const { fileId: visible } = await upload(dora, { groupName: own })
  await grantWriting(own, ben)
  await anna.call(unshareGroup, { body: { groupName: lost, emails: [dora.userName] } })
  const transfer = (body: object) =>
    dora.call(transferOwnership, {
      body: { currentOwnerUser: dora.userName, targetOwnerUser: ben.userName, ...body },
    })
  for (const targetOwnerUser of [anna.userName, ben.userName, dora.userName, 'nobody@example.com'])
    for (const fileIds of [[hidden], [visible, hidden]])
      expect(await refused(transfer({ fileIds, targetOwnerUser }))).toMatchObject({
        status: 404,
        body: { code: 'fileNotFound', message: expect.not.stringContaining(lost) },
      })
  expect(await transfer({ transferAll: true })).toEqual({ transferred: 1 })
  const ownerOf = async (session: Session, fid: string) =>
    (await session.call(getFile, { params: { fid } })).owner
  expect([await ownerOf(anna, hidden), await ownerOf(ben, visible)]).toEqual([dora.userName, ben.userName])
})

test('a malformed id matches no file', async () => {
  for (const fid of ['zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz', randomUUID()]) {
    const params = { fid }
    for (const call of [
      () => anna.call(getFile, { params }),
      () => anna.call(getFileSize, { params }),
      () => anna.call(listFileVersions, { params, query: {} }),
      () => anna.call(updateFile, { params, body: { fields: [] } }),
      () => anna.call(deleteFile, { params }),
    ])
      expect(await refused(call())).toMatchObject({ status: 404, body: { code: 'fileNotFound' } })
    expect((await anna.fetch(`/file/${fid}/download`)).status).toBe(404)
  }
  const body = {
    fileIds: ['zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz'],
    currentOwnerUser: anna.userName,
    targetOwnerUser: ben.userName,
  }
  expect(await refused(anna.call(transferOwnership, { body }))).toMatchObject({
    status: 404,
    body: { code: 'fileNotFound' },
  })
})

test('a user who has no files to transfer does not learn whether another user exists', async () => {
  const dora = await server.createUser()
  const foreign = await upload(anna, { groupName: await newGroup(anna) })
  const responses = async (targetOwnerUser: string) => {
    const give = (body: object) =>
      dora.call(transferOwnership, {
        body: { currentOwnerUser: dora.userName, targetOwnerUser, ...body },
      })
    return [
      await give({ fileIds: [] }),
      await give({ transferAll: true }),
      await refused(give({ fileIds: [foreign.fileId] })).then(({ status, body }) => [status, body.code]),
    ]
  }
  expect(await responses('nobody@example.com')).toEqual(await responses(ben.userName))

  const { fileId } = await upload(dora, { groupName: await newGroup(dora) })
  const body = {
    fileIds: [fileId],
    currentOwnerUser: dora.userName,
    targetOwnerUser: 'nobody@example.com',
  }
  expect(await refused(dora.call(transferOwnership, { body }))).toMatchObject({
    status: 400,
    body: { code: 'userNotFound' },
  })
  expect((await dora.call(getFile, { params: { fid: fileId } })).owner).toBe(dora.userName)
})

test('content that is shorter than announced, or cut off by a broken connection, is not stored', async () => {
  const groupName = await newGroup(anna)
  const { location } = await announce(anna, { groupName })
  const { hostname, port, pathname, search } = new URL(location)
  const socket = connect(Number(port), hostname)
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 100\r\n\r\nonly this`,
  )
  socket.end()
  for await (const _chunk of socket) socket.unref()
  expect(await findNames(anna, { groupName })).toEqual([])
  expect(await (await put(location, 'all of it')).json()).toMatchObject({ status: 'READY', size: 9 })
})

test('an invalid Host header is not repeated in a Location header', async () => {
  const groupName = await newGroup(anna)
  const { hostname, port, host } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify({ groupName, fileName: 'a.csv' })
  const head = ['POST /file HTTP/1.1', 'Host: "<x>', `Authorization: Bearer ${anna.token}`]
  head.push('Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close')
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  expect(await text(socket)).toContain(`"location":"http://${host}/file/`)
})

test('another user can neither see, read, change nor delete a file in a group without access', async () => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, { groupName })
  const params = { fid: fileId }
  expect(await findNames(ben, { groupName })).toEqual([])
  expect(await findNames(ben, { query: `uuid=${fileId}` })).toEqual([])
  for (const call of [
    () => ben.call(getFile, { params }),
    () => ben.call(getFileSize, { params }),
    () => ben.call(listFileVersions, { params, query: {} }),
    () => ben.call(updateFile, { params, body: { fields: [] } }),
    () => ben.call(deleteFile, { params }),
  ])
    expect(await refused(call())).toMatchObject({ status: 404, body: { code: 'fileNotFound' } })
  expect((await ben.fetch(`/file/${fileId}/download`)).status).toBe(404)
  expect(await refused(announce(ben, { groupName }))).toMatchObject({ status: 404 })
  expect((await server.nobody.fetch(`/file/${fileId}`)).status).toBe(401)
  expect((await server.nobody.fetch('/file/search')).status).toBe(401)
  expect(await findNames(server.admin, { groupName })).toEqual(['a.csv'])
})

test('a permit works for its own file and action only, and cannot be modified', async () => {
  const groupName = await newGroup(anna)
  const mine = await announce(anna, { groupName })
  const other = await announce(anna, { groupName })
  const token = new URL(mine.location).searchParams.get('token') ?? ''
  const [seconds, signature] = token.split('.') as [string, string]
  const at = (fid: string, permit: string) => `${server.url}/file/${fid}/content?token=${permit}`
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
  for (const location of [
    at(other.fileId, token),
    at(mine.fileId, `${Number(seconds) + 3600}.${signature}`),
    at(mine.fileId, `${seconds}.${flipped}`),
    at(mine.fileId, ''),
    at(mine.fileId, 'x.y'),
    at(randomUUID(), token),
  ]) {
    const response = await put(location, 'stolen')
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'linkNotValid' }])
  }
  expect((await put(mine.location, 'mine')).status).toBe(200)
  expect((await fetch(mine.location)).status).toBe(403)
  const download = (await anna.fetch(`/file/${mine.fileId}`)).headers.get('Location') ?? ''
  expect((await put(download, 'overwritten')).status).toBe(403)
  expect(await findNames(anna, { groupName })).toEqual(['a.csv'])
})

test.each([
  ['../../etc/passwd'],
  ['a/b.csv'],
  ['a\\b.csv'],
  ['..'],
  ['.'],
  [''],
  ['   '],
  ['a\r\nSet-Cookie: x=1'],
  ['a\u0000b'],
  ['a\u2028b'],
  ['\ud800'],
  ['x'.repeat(256)],
])('a name that is a path, a header or empty is rejected: %j', async (fileName) => {
  const groupName = await newGroup(anna)
  expect(await refused(announce(anna, { groupName, fileName }))).toMatchObject({ status: 400 })
})

test.each(
  Array.from('\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069', (mark) => [mark]),
)('a name that only looks like another one is rejected: %j', async (mark) => {
  const groupName = await newGroup(anna)
  const refusal = await refused(announce(anna, { groupName, fileName: `invoice${mark}xcod.exe` }))
  expect([refusal.status, refusal.body.message]).toEqual([
    400,
    expect.stringContaining('invisible characters'),
  ])
})

test.each([
  ['é'.repeat(255)],
  ['تقرير.csv'],
  ['日本語 💧.csv'],
  [`"quotes'; --.csv`],
  ['%2e%2e%2f.csv'],
  ['CONSOLE.csv'],
])('any other name is stored unchanged and is encoded in headers: %j', async (fileName) => {
  const groupName = await newGroup(anna)
  const { fileId } = await upload(anna, { groupName, fileName })
  expect(await findNames(anna, { query: `name=${fileName}`, groupName })).toEqual([fileName])
  const disposition = (await anna.fetch(`/file/${fileId}/download`)).headers.get('Content-Disposition') ?? ''
  const [, encoded = ''] = /filename\*=UTF-8''([\w%.~!$&+^`|-]+)$/.exec(disposition) ?? []
  expect(decodeURIComponent(encoded)).toBe(fileName)
})

test('metadata has limits, and invalid metadata returns 400', async () => {
  const groupName = await newGroup(anna)
  const pairs = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `f${n}`, value: 'v' }))
  for (const fields of [
    pairs(10_000),
    [{ name: 'x'.repeat(129), value: '' }],
    [{ name: 'a', value: 'x'.repeat(4001) }],
    Array.from({ length: 20 }, (_, n) => ({ name: `f${n}`, value: 'x'.repeat(4000) })),
    [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
    ],
    [{ name: 'a', value: { deep: true } }],
    [{ name: 'a', value: 'a\u0000b' }],
    [{ name: 'a', value: '\ud800' }],
    [{ name: '__proto__', value: 'p' }],
    'nonsense',
  ])
    expect(await refused(announce(anna, { groupName, fields: fields as never }))).toMatchObject({
      status: 400,
    })
  const { fileId } = await upload(anna, { groupName, fields: pairs(1000) })
  expect(Object.keys((await anna.call(getFile, { params: { fid: fileId } })).fields)).toHaveLength(1000)
})

test('DP-076 a file requires an existing group; the error names the field', async () => {
  for (const groupName of [null, undefined, '', '  '])
    expect(await refused(announce(anna, { groupName: groupName as never }))).toMatchObject({
      status: expect.toSatisfy((status) => status === 400 || status === 404),
      body: { validationErrors: [{ field: 'groupName' }] },
    })
  expect(await refused(announce(anna, { groupName: null as never }))).toMatchObject({
    status: 400,
    body: { code: 'groupNeeded', validationErrors: [{ field: 'groupName' }] },
  })
  expect(await refused(announce(anna, { groupName: 'no such group' }))).toMatchObject({
    status: 404,
    body: { code: 'groupNotFound', validationErrors: [{ field: 'groupName' }] },
  })
})

test('an upload joins the job that the caller names, and uses its group by default', async () => {
  const groupName = await newGroup(anna)
  const jobId = randomUUID()
  const send = (session: Session, body: object) =>
    session.fetch('/file', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-KH-JOB-ID': jobId },
      body: JSON.stringify({ fileName: 'a.csv', fields: null, ...body }),
    })
  const first = await send(anna, { groupName })
  expect(first.headers.get('X-KH-JOB-ID')).toBe(jobId)
  const second = await send(anna, { groupName: null })
  const { location, fileId } = (await second.json()) as { location: string; fileId: string }
  await put(location, 'x')
  expect((await anna.call(getFile, { params: { fid: fileId } })).groupName).toBe(groupName)

  const foreign = await newGroup(ben)
  const other = await send(ben, { groupName: foreign })
  expect(other.headers.get('X-KH-JOB-ID')).not.toBe(jobId)
  const { items } = await anna.call(searchStatuses, { query: { jobId } })
  expect(items[0]?.componentStatuses.map(({ payload, status }) => [payload.fileId, status])).toContainEqual([
    fileId,
    'INFO',
  ])
  expect(items[0]?.componentStatuses).toHaveLength(2)
})

test('a Location header uses the configured address, or else the host that the client used', async () => {
  const groupName = await newGroup(anna)
  const { location } = await announce(anna, { groupName })
  expect(new URL(location).origin).toBe(server.url)
  const named = await startTestServer({ env: { HEADWATER_PUBLIC_URL: 'https://lake.example.com/api/' } })
  try {
    const own = await newGroup(named.admin)
    const ticket = await announce(named.admin, { groupName: own })
    expect(ticket.location.startsWith(`https://lake.example.com/api/file/${ticket.fileId}/`)).toBe(true)
  } finally {
    await named.stop()
  }
})

test.each([
  ['SOURCE', (n: number) => `text ${n}`],
  ['NCSV', (n: number) => `Code,Date,Close\nA,2026-01-01,${n}\n`],
])(
  'one of many versions of type %s based on the same one is stored, and the others are rejected',
  async (fileType, textOf) => {
    const groupName = await newGroup(anna)
    const base = await upload(anna, { groupName, fileType, content: textOf(0) })
    async function save(n: number, basedOn: string): Promise<[number, string]> {
      const { location, fileId } = await announce(anna, { groupName, fileType })
      const response = await put(`${location}&basedOn=${basedOn}`, textOf(n))
      const { code = '' } = (await response.json()) as { code?: string }
      return [response.status, code || fileId]
    }
    const outcomes = await Promise.all([1, 2, 3, 4].map((n) => save(n, base.fileId)))
    expect(outcomes.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    expect(outcomes.filter(([, code]) => code === 'notNewestVersion')).toHaveLength(3)
    const [, stored] = outcomes.find(([status]) => status === 200)!
    const versions = async () =>
      (await anna.call(listFileVersions, { params: { fid: base.fileId } })).items.map(({ fid }) => fid)
    await expect.poll(versions).toEqual([stored, base.fileId])
    expect(await save(5, base.fileId)).toEqual([409, 'notNewestVersion'])
    expect((await save(6, stored))[0]).toBe(200)
    const { items } = await anna.call(searchStatuses, { query: { groupName, size: 100 } })
    expect(items.filter(({ status }) => status === 'PENDING')).toEqual([])
  },
)

async function grantWriting(groupName: string, { userName }: Session): Promise<void> {
  await server.grantGroup({ groupName, userName, access: 'RW' })
}

async function takeGrant(groupName: string, { userName }: Session): Promise<void> {
  await server.running.platform.database.pool.query(
    `delete from group_grants using groups, users where groups.id = group_id and users.id = user_id
       and groups.name = $1 and users.user_name = $2`,
    [groupName, userName],
  )
}

test('a user who has lost write access to a group cannot send announced content', async () => {
  const groupName = await newGroup(anna)
  await grantWriting(groupName, ben)
  const early = await announce(ben, { groupName, fileName: 'early.txt', fileType: 'SOURCE', content: '' })
  const late = await announce(ben, { groupName, fileName: 'late.txt', fileType: 'SOURCE', content: '' })
  expect((await put(early.location, 'in time')).status).toBe(200)
  await takeGrant(groupName, ben)
  for (const content of ['too late', 'x'.repeat(2_000_000)]) {
    const response = await put(late.location, content)
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'linkNotValid' }])
  }
  expect(await findNames(anna, { groupName })).toEqual(['early.txt'])
})

test.each(['SOURCE', 'NCSV'])(
  'revoking access during an upload of type %s stops it, and nothing is stored',
  async (fileType) => {
    const groupName = await newGroup(anna)
    await grantWriting(groupName, ben)
    const { location } = await announce(ben, { groupName, fileName: 'slow.csv', fileType, content: '' })
    const parts = [`Code,Date,Close\nA,2026-01-01,${randomInt(1_000_000)}\n`, 'A,2026-01-02,2\n']
    const slowly = (async function* () {
      yield Buffer.from(parts[0]!)
      await expect.poll(() => readdir(unfinished())).toHaveLength(1)
      await takeGrant(groupName, ben)
      yield Buffer.from(parts[1]!)
    })()
    const response = await fetch(location, {
      method: 'PUT',
      duplex: 'half',
      body: ReadableStream.from(slowly),
    } as RequestInit)
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'linkNotValid' }])
    expect(await findNames(anna, { groupName })).toEqual([])
    expect(await readdir(unfinished())).toEqual([])
    const hash = sha256(parts.join(''))
    const folder = join(server.dataFolder, 'content', hash.slice(0, 2), hash.slice(2, 4))
    expect(await readdir(folder).catch(() => [])).not.toContain(hash)
  },
)

const unfinished = () => join(server.dataFolder, 'content', 'unfinished')

test('a change of metadata waits for a deletion of the group in progress, and then finds no file', async () => {
  const groupName = 'Deleted meanwhile'
  await anna.call(createGroup, { body: { name: groupName } })
  const { fileId } = await upload(anna, { groupName, fileName: 'a.txt' })
  const { pool } = server.running.platform.database
  const deletion = await pool.connect()
  try {
    await deletion.query('begin')
    await deletion.query('select from groups where name = $1 for update', [groupName])
    await deletion.query(
      `update groups set deleted_at = now(), name = name || ' in the trash' where name = $1`,
      [groupName],
    )
    const change = refused(
      anna.call(updateFile, { params: { fid: fileId }, body: { fields: [{ name: 'Desk', value: 'oil' }] } }),
    )
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length
      })
      .toBe(1)
    await deletion.query('commit')
    expect((await change).status).toBe(404)
  } finally {
    deletion.release()
  }
  const { rows } = await pool.query('select fields_version from files where id = $1', [fileId])
  expect(rows).toEqual([{ fields_version: 1 }])
})
