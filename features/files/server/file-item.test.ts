import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight } from '@headwater/insights/contract'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { searchFiles } from '../contract/index.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Reports' } })
})
afterAll(() => server.stop())

test('IN-401 the content of a file is returned as a blob by its id, byte for byte', async () => {
  const content = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7) % 256)
  const { fileId } = await upload(anna, { groupName: 'Reports', fileName: 'picture.bin', content })
  const response = await anna.fetch(`/file/${fileId}/download`)
  const blob = await response.blob()
  expect(new Uint8Array(await blob.arrayBuffer())).toEqual(content)
  expect(response.headers.get('content-disposition')).toContain('attachment')
})

test('IN-402 a file has id, name, group, type, metadata, zipped flag, arrival time and owner', async () => {
  await anna.call(createInsight, {
    body: { insightName: 'Board', groupName: 'Reports', content: emptyContent() },
  })
  const sent = [
    { fileName: 'a.csv', fileType: 'SOURCE', fields: [{ name: 'Desk', value: 'oil' }] },
    { fileName: 'b.md', fileType: 'MARKDOWN', zipped: false },
    { fileName: 'c.zip', zipped: true },
  ]
  const ids = new Map<string, string>()
  const before = Date.now()
  for (const each of sent)
    ids.set(each.fileName, (await upload(anna, { groupName: 'Reports', ...each })).fileId)
  const { items } = await anna.call(searchFiles, { query: { query: 'groupName=Reports' } })
  const itemOf = (name: string) => items.find((item) => item.fileName === name)
  for (const { fileName } of sent) {
    // Arrival times are in UTC and have whole seconds.
    const arrivedAt = Date.parse(`${itemOf(fileName)!.arrivalTime}Z`)
    expect(arrivedAt).toBeGreaterThan(before - 1000)
    expect(arrivedAt).toBeLessThanOrEqual(Date.now())
  }
  const common = {
    groupName: 'Reports',
    owner: 'anna@example.com',
    arrivalTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
  }
  expect(itemOf('a.csv')).toMatchObject({
    ...common,
    fid: ids.get('a.csv'),
    name: 'a.csv',
    fileType: 'SOURCE',
    fields: { Desk: 'oil' },
    zipped: false,
  })
  expect(itemOf('b.md')).toMatchObject({ ...common, fid: ids.get('b.md'), fileType: 'MARKDOWN' })
  expect(itemOf('c.zip')).toMatchObject({ ...common, fid: ids.get('c.zip'), zipped: true })
  expect(itemOf('Board.json')).toMatchObject({
    ...common,
    fid: expect.any(String),
    name: 'Board.json',
    fileType: 'INSIGHT',
    zipped: false,
  })
})
