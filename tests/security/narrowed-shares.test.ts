import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFile } from '@headwater/files/contract'
import { createGroup, shareGroups } from '@headwater/groups/contract'
import { createInsight } from '@headwater/insights/contract'
import { shareInsight, updatePublicStatus } from '@headwater/publishing/contract'
import {
  startTestServer,
  upload,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { createFormula } from '@headwater/symbols/contract'
import { emptyContent } from '@headwater/tile-data/contract'

let server: TestServer
let owner: Session
let author: Session
let viewer: Session
let noteId: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ email: 'owner@example.com' })
  author = await server.createUser({ email: 'author@example.com' })
  viewer = await server.createUser({ email: 'viewer@example.com' })
  await owner.call(createGroup, { body: { name: 'Lent' } })
  await author.call(createGroup, { body: { name: 'Own' } })
  await uploadSeries(owner, {
    groupName: 'Lent',
    content: 'Code,Date,Close\nA,2026-01-10,777001\nA,2026-03-10,12\n',
  })
  noteId = (await upload(owner, { groupName: 'Lent', fileName: 'note.md', content: '# 777002' })).fileId
})
afterAll(() => server.stop())

const share = (more: object) =>
  owner.call(shareGroups, {
    body: { sharesList: [{ email: author.userName, groupName: 'Lent', access: 'RWS', ...more }] } as never,
  })

const march = { access: 'R', dataStart: '2026-03-01', dataEnd: '2026-03-31' }
const send = async (session: Session, path: string, body: unknown): Promise<string> => {
  const response = await session.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return `${response.status} ${await response.text()}`
}

test('after a share is limited to a range, public views, formulas, uploads and URLs of its user reveal nothing outside the range', async () => {
  await share({})
  const series = { groupName: 'Lent', symbols: { Code: 'A' } }
  const source = { type: 'FILE', value: { groupName: 'Lent', fileName: 'note.md' } }
  const content = {
    ...emptyContent(),
    tiles: [
      { id: 't', title: 'Prices', type: 'Table', range: 'ALL' },
      { id: 'n', title: 'Note', type: 'Text', source },
    ],
    datapreps: { t: { symbols: [series] } },
  } as never
  const names = { groupName: 'Own', insightName: 'Prices' }
  await author.call(createInsight, { body: { ...names, content } })
  await author.call(updatePublicStatus, { body: { ...names, isPublic: true } })
  const inputs = [{ name: 'x', ...series, column: 'Close' }]
  const formula = { groupName: 'Own', symbols: { Code: 'F' }, expression: 'x', inputs }
  await author.call(createFormula, { body: formula })
  const { location } = await author.call(createFile, { body: { groupName: 'Lent', fileName: 'late.txt' } })
  const address = (await author.fetch(`/file/${noteId}`)).headers.get('location')!
  const opened = (await (await server.nobody.fetch('/insight/public/proxy/Own/Prices.json')).json()) as {
    version: string
    content: { tiles: { source?: { value: { groupName: string } } }[] }
  }
  const token = opened.content.tiles[1]!.source!.value.groupName

  const paths: [string, () => Promise<string>][] = [
    [
      'tile of a visitor',
      () =>
        send(server.nobody, '/insight/public/data/Own/Prices.json', {
          version: opened.version,
          tiles: [{ id: 't' }],
        }),
    ],
    [
      'file of a visitor',
      async () =>
        (
          await server.nobody.fetch(
            `/insight/public/file/Own/Prices.json?${new URLSearchParams({ group: token, name: 'note.md' }).toString()}`,
          )
        ).text(),
    ],
    ['formula', () => send(author, '/ts', { keys: [{ groupName: 'Own' }], range: 'ALL' })],
    ['address of a file', async () => (await fetch(address)).text()],
    ['series', () => send(author, '/ts', { keys: [{ groupName: 'Lent' }], range: 'ALL' })],
    ['tile', () => send(author, '/insight/draft/data', { content, tiles: [{ id: 't' }] })],
  ]
  for (const [name, path] of paths)
    expect({ name, text: await path() }).toMatchObject({
      text: expect.stringMatching(/77700[12]/) as unknown,
    })
  await share(march)
  for (const [name, path] of paths)
    expect({ name, text: await path() }).toMatchObject({
      text: expect.not.stringMatching(/77700[12]/) as unknown,
    })
  const late = await fetch(location, { method: 'PUT', body: 'late' })
  expect(late.status).toBe(403)
  // The user cannot pass on the access either.
  await author.call(shareInsight, { body: { ...names, shares: [viewer.userName] } })
  expect(await send(viewer, '/ts', { keys: [{ groupName: 'Lent' }], range: 'ALL' })).toMatch(/^404 /)
})
