import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { searchFiles, transferOwnership } from '@headwater/files/contract'
import { createDataPrep, updateDataPrep } from '@headwater/preps/contract'
import { createFormula } from '@headwater/symbols/contract'
import { createGroup, listGroups } from '@headwater/groups/contract'
import { systemClock } from '@headwater/server-kit'
import {
  refusal,
  startTestServer,
  upload,
  type CallError,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import {
  createInsight,
  deleteInsight,
  getInsight,
  infoValue,
  patchInsight,
  putInsightLogo,
  restoreInsightVersion,
  updateInsight,
} from '@headwater/insights/contract'
import {
  createPublicLink,
  endPublicLink,
  endPublicView,
  getPublicFileVersion,
  getPublicInsight,
  getPublicStatus,
  listPublicLinks,
  listPublicValues,
  listPublicViews,
  listVisitors,
  submitPublicAccess,
  updatePublicStatus,
  validatePublicAccess,
  type AllowedParameter,
  type PublicInsight,
} from '../contract/index.ts'
import { visibleTiles } from '@headwater/tile-data/core'
import { readTileData, rowsOfTile, textOfTile, type ReadTile } from '@headwater/tile-data/testing'

let server: TestServer
let anna: Session
let ben: Session
let carl: Session
let offsetMs = 0

beforeAll(async () => {
  const clock = { now: () => new Date(systemClock.now().getTime() + offsetMs) }
  server = await startTestServer({ clock })
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  carl = await server.createUser({ email: 'carl@example.com' })
  for (const name of ['Prices', 'Secret', 'Board']) await anna.call(createGroup, { body: { name } })
  await carl.call(createGroup, { body: { name: 'Carls' } })
  const rows = (code: string) => `${code},2026-01-01,1,9\n${code},2026-01-02,2,8\n${code},2026-01-03,3,7\n`
  const file = `Code,Date,Close,Volume\n${rows('A')}${rows('B')}${rows('C')}`
  await upload(anna, { groupName: 'Prices', fileType: 'NCSV', content: file })
  await upload(anna, { groupName: 'Secret', fileType: 'NCSV', content: file })
  await upload(carl, { groupName: 'Carls', fileType: 'NCSV', content: file })
  await upload(anna, { groupName: 'Prices', fileName: 'notes.md', content: '# Notes' })
  await upload(anna, { groupName: 'Prices', fileName: 'hidden.md', content: '# Hidden' })
})
afterAll(() => server.stop())
afterEach(async () => {
  offsetMs = 0
  // Access that one test grants must not affect the next test.
  await server.running.platform.database.pool.query('delete from group_grants')
})

const dayOf = (at: number) => new Date(Date.UTC(1900, 0, 1 + at)).toISOString().slice(0, 10)
const seriesOf = (Code: string, groupName = 'Prices', more: object = {}) => ({
  symbols: [{ groupName, symbols: { Code }, valueColumnNames: ['Close'], ...more }],
})
const table = (id: string, more: object = {}) => ({ id, title: id, type: 'Table', range: 'ALL', ...more })

let count = 0
/** Publishes an insight of Anna with these tiles. */
async function publish(
  tiles: object[],
  datapreps: object = {},
  { inputParams = {}, ...more }: { expirationDate?: string; inputParams?: object } = {},
) {
  const location = { groupName: 'Board', insightName: `Public ${++count}` }
  const content = { ...emptyContent(), tiles, datapreps, inputParams } as InsightContent
  await anna.call(createInsight, { body: { ...location, description: 'Daily prices', content } })
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: true, ...more } })
  return location
}
type InsightLocation = Awaited<ReturnType<typeof publish>>

const grant = (groupName: string, session: Session, access: string) =>
  server.grantGroup({ groupName, userName: session.userName, access })
const requireForm = (location: InsightLocation) =>
  anna.call(patchInsight, {
    body: { ...location, fields: [{ name: 'is_self_activation_required', value: 'true' }] },
  })

const view = ({ groupName, insightName }: InsightLocation, query: { link?: string; token?: string } = {}) =>
  server.nobody.call(getPublicInsight, { params: { groupName, fileName: `${insightName}.json` }, query })
const groupTokenIn = ({ content }: PublicInsight, id: string) =>
  (content.datapreps![id] as { symbols: { groupName: string }[] }).symbols[0]!.groupName

const anyTile: ReadTile = { hiddenGroups: [], prep: undefined, results: [], error: undefined, done: false }

/** Returns what a visitor receives for tiles of a public insight. `boxes`: ids of header boxes, after those of tiles. */
async function tilesFor(
  { groupName, insightName }: InsightLocation,
  ids: readonly string[],
  choices: { parameters?: object; range?: string; version?: string; boxes?: readonly string[] } = {},
  query: { link?: string; token?: string } = {},
): Promise<ReadTile[]> {
  const { boxes = [], ...chosen } = choices
  const location = `${groupName}/${encodeURIComponent(insightName)}?${new URLSearchParams(query).toString()}`
  const opened = await server.nobody.fetch(`/insight/public/proxy/${location}`)
  const { version = 'none' } = (await opened.json()) as { version?: string }
  const tiles = [...ids.map((id) => ({ id })), ...boxes.map((id) => ({ id, part: 'BOX' }))]
  const response = await server.nobody.fetch(`/insight/public/data/${location}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ version, tiles, ...chosen }),
  })
  if (response.status === 200) return readTileData(new Uint8Array(await response.arrayBuffer()), tiles.length)
  const error = (await response.json()) as ReadTile['error']
  return tiles.map(() => ({ ...anyTile, error }))
}

/** Returns the number of rows that a visitor receives for a tile, or the code of the error. */
async function rowsFor(
  location: InsightLocation,
  id: string,
  choices: Parameters<typeof tilesFor>[2] = {},
  query: Parameters<typeof tilesFor>[3] = {},
): Promise<number | string> {
  return rowsOfTile((await tilesFor(location, [id], choices, query))[0]!)
}

test('IN-011 IN-024 the proxy path serves a public insight without an account and hides groups, owner and ids', async () => {
  const columns = [
    { columnId: 'Close', columnType: 'async', columnAsyncGroupName: 'Prices' },
    { columnId: 'Code', columnType: 'dropdown', columnDropdownGroupName: 'Prices' },
  ]
  const location = await publish(
    [
      table('t', { columns }),
      {
        ...table('u', { type: 'Text' }),
        source: { type: 'FILE', value: { groupName: 'Prices', fileName: 'notes.md' } },
      },
    ],
    { t: seriesOf('A') },
  )
  const response = await server.nobody.fetch(
    `/insight/public/proxy/Board/${encodeURIComponent(location.insightName)}.json`,
  )
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ insightName: location.insightName, description: 'Daily prices' })
  for (const secret of ['Prices', 'anna', anna.userName, 'fid', 'owner', 'groupId'])
    expect(text).not.toContain(secret)
  const { fid } = await anna.call(getInsight, { params: location })
  expect(text).not.toContain(fid)
  expect(await anna.call(getPublicStatus, { query: location })).toEqual({
    isPublic: true,
    expirationDate: null,
    publisher: 'anna@example.com',
  })
})

test('visitors receive the points of visible series that the publisher can see now', async () => {
  const location = await publish([table('t')], { t: seriesOf('A') })
  const [tile] = await tilesFor(location, ['t'])
  expect([rowsOfTile(tile!), tile!.done]).toEqual([3, true])
  expect(tile!.results[0]!.groupNames).toEqual([groupTokenIn(await view(location), 't')])
  expect(JSON.stringify(tile)).not.toContain('Prices')
})

test('visitors receive only the columns of a tile', async () => {
  const entry = (column: string) => ({ ...seriesOf('A').symbols[0], valueColumnNames: [column] })
  const tiles = [table('one'), table('both')]
  const location = await publish(tiles, {
    one: { symbols: [entry('Close')] },
    both: { symbols: [entry('Close'), entry('Volume')] },
  })
  const headers = (await tilesFor(location, ['one', 'both'])).map((tile) => textOfTile(tile).split('\n')[0])
  expect(headers).toEqual(['Code,Date(UTC),Close', 'Code,Date(UTC),Close,Volume'])
})

test('points of stats tiles include the unit of a series and no other metadata', async () => {
  await upload(anna, {
    groupName: 'Prices',
    fileType: 'NCSV',
    content: 'Code,Date,Close,Unit(MD-S),Desk(MD-S)\nWITH UNIT,2026-01-01,1,USD,Oslo\n',
  })
  const stats = (id: string, more: object = {}) => ({
    ...table(id, more),
    type: 'STATS',
    series: [{ groupName: 'Prices', symbols: { Code: 'WITH UNIT' }, column: 'Close' }],
  })
  const ofOther = { source: { type: 'SOURCE_TILE', value: 't' } }
  const tiles = [stats('s'), stats('u', { unit: '$' }), table('t'), stats('o', ofOther)]
  const location = await publish(tiles, { t: seriesOf('WITH UNIT') })
  const headers = (await tilesFor(location, ['s', 'u', 't', 'o'])).map(
    (tile) => textOfTile(tile).split('\n')[0],
  )
  const plain = 'Code,Date(UTC),Close'
  expect(headers).toEqual([`${plain},Unit(MD-S)`, plain, plain, plain])
})

test('no request allows visitors to read tiles outside the public insight', async () => {
  const tiles = [
    table('t'),
    table('h', { hidden: true }),
    table('s', { source: { type: 'SOURCE_TILE', value: 'h' } }),
    { id: 'w', title: 'w', type: 'STATUS' },
    table('l', { range: 'LAST', lastTypeAmount: 2 }),
  ]
  const location = await publish(tiles, {
    t: seriesOf('A'),
    h: seriesOf('B'),
    w: seriesOf('C'),
    l: seriesOf('B'),
  })
  expect(await rowsFor(location, 's')).toBe(3)
  for (const id of ['h', 'w', 'other', '__proto__', ''])
    expect(await rowsFor(location, id), id).toBe('questionNotInInsight')
  const [box] = await tilesFor(location, [], { boxes: ['t'] })
  expect(rowsOfTile(box!)).toBe('questionNotInInsight')
  // Fields of requests by members and unknown fields are ignored.
  const more = {
    basket: { items: seriesOf('C').symbols },
    preview: { tileIds: ['t'], values: { Code: 'C' } },
    content: { tiles: [table('t')], datapreps: { t: seriesOf('C', 'Secret') } },
    keys: [{ groupName: 'Secret', symbols: { Code: 'A' } }],
    parameters: { p1: { Code: 'C' }, constructor: { Code: 'C' } },
    filters: [{ name: 'Close', operator: 'GREATER', value: '1' }],
    tiles: [{ id: 't', symbols: { Code: 'C' }, columns: [], all: true, undrawn: true }],
  }
  const [same] = await tilesFor(location, ['t'], more)
  expect(textOfTile(same!)).toBe(textOfTile((await tilesFor(location, ['t']))[0]!))
  expect(await rowsFor(location, 'l', { range: 'ALL' })).toBe('questionNotInInsight')
  expect([await rowsFor(location, 't', { version: 'x' }), await rowsFor(location, 'l')]).toEqual([
    'publicVersionGone',
    2,
  ])
})

test('a page with an earlier version of a public insight receives an error', async () => {
  const location = await publish([table('t')], { t: seriesOf('A') })
  const { version } = await view(location)
  const content = {
    ...emptyContent(),
    tiles: [table('t')],
    datapreps: { t: seriesOf('B') },
  } as InsightContent
  const body = { oldGroupName: 'Board', oldInsightName: location.insightName, content }
  await anna.call(updateInsight, { body })
  expect([await rowsFor(location, 't', { version }), await rowsFor(location, 't')]).toEqual([
    'publicVersionGone',
    3,
  ])
})

test('a tile with more than 50,000 rows reports their number to visitors', async () => {
  const rows = Array.from({ length: 50_001 }, (_, at) => `MANY,${dayOf(at)},${at}`)
  await upload(anna, {
    groupName: 'Prices',
    fileType: 'NCSV',
    content: `Code,Date,Close\n${rows.join('\n')}\n`,
  })
  const location = await publish([table('m', { absoluteSize: null })], { m: seriesOf('MANY') })
  const [tile] = await tilesFor(location, ['m'])
  expect([rowsOfTile(tile!), tile!.results[0]!.totalRows]).toEqual([50_000, 50_001])
})

test('visitors cannot use a window to read data outside the range of a tile', async () => {
  const between = { range: 'BETWEEN', from: '2026-01-02', to: '2026-01-02', toTime: '12:00' }
  const location = await publish([table('t', between)], { t: seriesOf('A') })
  const window = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 31) }
  const [tile] = await tilesFor(location, ['t'], { tiles: [{ id: 't', window }] } as object)
  expect([rowsOfTile(tile!), await rowsFor(location, 't', { range: 'ALL' })]).toEqual([
    1,
    'questionNotInInsight',
  ])
})

test('data of a group is no longer available to visitors once the publisher loses access or the group is deleted', async () => {
  await server.grantGroup({ groupName: 'Carls', userName: anna.userName, access: 'RWS' })
  const both = { symbols: [...seriesOf('A', 'Carls').symbols, ...seriesOf('B').symbols] }
  const location = await publish([table('c'), table('both')], { c: seriesOf('A', 'Carls'), both })
  expect([await rowsFor(location, 'c'), await rowsFor(location, 'both')]).toEqual([3, 6])
  await server.running.platform.database.pool.query(
    `delete from group_grants using users where user_id = users.id and user_name = $1`,
    [anna.userName],
  )
  const refused = async () => {
    const [tile] = await tilesFor(location, ['c'])
    expect(JSON.stringify(tile)).not.toContain('Carls')
    return [tile!.error?.status, tile!.error?.message]
  }
  const rename = (from: string, to: string) =>
    server.running.platform.database.pool.query('update groups set name = $2 where name = $1', [from, to])
  const gone = [404, 'The data of this tile no longer exists.']
  expect(await refused()).toEqual(gone)
  const [part] = await tilesFor(location, ['both'])
  expect([rowsOfTile(part!), part!.hiddenGroups]).toEqual([3, []])
  await rename('Carls', 'Elsewhere')
  expect(await refused()).toEqual(gone)
  await rename('Elsewhere', 'Carls')
})

test('users with write access to the insight cannot publish data that only the publisher can read', async () => {
  const location = await publish([table('t')], { t: seriesOf('A') })
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access)
      select groups.id, users.id, 'RW' from groups, users where groups.name in ('Board') and user_name = $1`,
    [ben.userName],
  )
  const stolen = {
    ...emptyContent(),
    tiles: [table('s'), table('t')],
    datapreps: { s: seriesOf('A', 'Secret'), t: seriesOf('A') },
  }
  // The file of an insight can also be replaced in the lake, which does not check its content.
  await upload(ben, {
    groupName: 'Board',
    fileName: `${location.insightName}.json`,
    fileType: 'INSIGHT',
    content: JSON.stringify(stolen),
  })
  expect(await rowsFor(location, 's')).toBe('publicDataGone')
  expect(
    (await refusal(ben.call(updatePublicStatus, { body: { ...location, isPublic: true } }))).status,
  ).toBe(403)
})

test('a transfer of ownership to the publisher does not publish additional data of a saved insight', async () => {
  const location = await publish([table('t')], { t: seriesOf('A') })
  await grant('Board', ben, 'RW')
  const stolen = { ...emptyContent(), tiles: [table('s')], datapreps: { s: seriesOf('A', 'Secret') } }
  const body = {
    oldGroupName: 'Board',
    oldInsightName: location.insightName,
    content: stolen as InsightContent,
  }
  await upload(ben, {
    groupName: 'Board',
    fileName: `${location.insightName}.json`,
    fileType: 'INSIGHT',
    content: JSON.stringify(stolen),
  })
  const { fid } = await anna.call(getInsight, { params: location })
  const given = { fileIds: [fid], currentOwnerUser: ben.userName, targetOwnerUser: anna.userName }
  expect(await ben.call(transferOwnership, { body: given })).toEqual({ transferred: 1 })
  expect((await anna.call(getInsight, { params: location })).owner).toBe(anna.userName)
  expect(await rowsFor(location, 's')).toBe('publicDataGone')
  // A user with access saves it again.
  await anna.call(updateInsight, { body })
  expect(await rowsFor(location, 's')).toBe(3)
})

test('a saved data prep returns only data that its last author can also read', async () => {
  const dataPrep = { name: 'Changed', outputGroup: 'Prices', range: 'ALL', symbols: seriesOf('A').symbols }
  const prep = await anna.call(createDataPrep, { body: { dataPrep } as never })
  const source = { type: 'DATA_PREP', value: { id: prep.id } }
  const location = await publish([table('p', { source })])
  const rows = () => rowsFor(location, 'p')
  expect(await rows()).toBe(3)
  await grant('Prices', ben, 'RWS')
  await ben.call(updateDataPrep, {
    params: { id: prep.id },
    body: { dataPrep: { ...dataPrep, version: 1, symbols: seriesOf('A', 'Secret').symbols } } as never,
  })
  expect(await rows()).toBe('publicDataGone')
  await server.running.platform.database.pool.query(
    `delete from group_grants using users
    where user_id = users.id and user_name = $1`,
    [ben.userName],
  )
  expect(await rows()).toBe('tilePrepNotFound')
})

test('a formula has values for visitors only if the author of the insight can also read its inputs', async () => {
  await anna.call(createFormula, {
    body: {
      groupName: 'Prices',
      symbols: { Code: 'DOUBLE' },
      column: 'Close',
      expression: 'a * 2',
      inputs: [{ name: 'a', groupName: 'Secret', symbols: { Code: 'A' }, column: 'Close' }],
    },
  })
  const location = await publish([table('t')], { t: seriesOf('DOUBLE') })
  const rows = () => rowsFor(location, 't')
  expect(await rows()).toBe(3)
  await grant('Board', ben, 'RW')
  await grant('Prices', ben, 'RWS')
  await ben.call(patchInsight, { body: { ...location, fields: [{ name: 'description', value: 'x' }] } })
  const content = { ...emptyContent(), tiles: [table('t')], datapreps: { t: seriesOf('DOUBLE') } }
  await ben.call(updateInsight, {
    body: { oldGroupName: 'Board', oldInsightName: location.insightName, content: content as InsightContent },
  })
  expect(await rows()).toBe(0)
  await grant('Secret', ben, 'R')
  expect(await rows()).toBe(0)
  await grant('Secret', ben, 'RWS')
  expect(await rows()).toBe(3)
})

test('publishing needs permission to share every group of the insight, in every kind of tile', async () => {
  await grant('Carls', anna, 'RW')
  const file = { groupName: 'Carls', fileName: 'any.md' }
  const { id } = await anna.call(createDataPrep, {
    body: {
      dataPrep: {
        name: `Over Carls ${++count}`,
        outputGroup: 'Prices',
        symbols: seriesOf('A', 'Carls').symbols,
      },
    },
  } as never)
  const source = (type: string, value: object) => ({ source: { type, value } })
  const contents: Record<string, object> = {
    series: { tiles: [table('t')], datapreps: { t: seriesOf('A', 'Carls') } },
    'data prep': { tiles: [table('t', source('DATA_PREP', { id }))] },
    file: { tiles: [table('t', source('FILE', file))] },
    text: { tiles: [{ id: 't', type: 'Text', title: 't', ...source('FILE', file) }] },
    image: { tiles: [{ id: 't', type: 'IMAGE', title: 't', ...source('FILE', file) }] },
    'header box': { tiles: [], headerBoxes: [{ id: 'b', series: seriesOf('A', 'Carls').symbols }] },
    parameters: { tiles: [], inputParams: { p1: { groupName: 'Carls', keys: [{ symbolKey: 'Code' }] } } },
    'file of parameters': {
      tiles: [],
      inputParams: { p1: { basicInputParamsType: 'FILE', csvFile: { groupName: 'Carls', name: 'a.csv' } } },
    },
    'async column': {
      tiles: [
        table('t', { columns: [{ columnId: 'c', columnType: 'async', columnAsyncGroupName: 'Carls' }] }),
      ],
    },
    'dropdown column': {
      tiles: [
        table('t', {
          columns: [{ columnId: 'c', columnType: 'dropdown', columnDropdownGroupName: 'Carls' }],
        }),
      ],
    },
    basket: {
      tiles: [table('t', { source: { type: 'BASKET', value: 'BASKET' } })],
      basket: { items: seriesOf('A', 'Carls').symbols },
    },
  }
  for (const [kind, more] of Object.entries(contents)) {
    const location = { groupName: 'Board', insightName: `By ${kind}` }
    const content = { ...emptyContent(), ...more } as InsightContent
    await anna.call(createInsight, { body: { ...location, content } })
    const { status, body } = await refusal(
      anna.call(updatePublicStatus, { body: { ...location, isPublic: true } }),
    )
    expect([status, body.code], kind).toEqual([403, 'publishingNotAllowed'])
    expect(body.message).toBe(
      `“By ${kind}” cannot be public: it shows the group “Carls”, which you cannot share. ` +
        'Publishing needs RWS access to every group that an insight shows. ' +
        'Ask the owners for this access, or remove the data of these groups.',
    )
    expect((await anna.call(getPublicStatus, { query: location })).isPublic, kind).toBe(false)
  }
  await grant('Carls', anna, 'RWS')
  const location = { groupName: 'Board', insightName: 'By series' }
  expect((await anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })).isPublic).toBe(true)
})

test('rejects saves, restores and logos of a public insight by users who cannot share one of its groups', async () => {
  const location = await publish([table('t')], { t: seriesOf('A') })
  const first = await anna.call(getInsight, { params: location })
  await grant('Board', ben, 'RW')
  await grant('Prices', ben, 'R')
  const body = { oldGroupName: 'Board', oldInsightName: location.insightName, content: first.content }
  const { status, body: error } = await refusal(ben.call(updateInsight, { body }))
  expect([status, error.code]).toEqual([403, 'saveWouldPublish'])
  expect(error.message).toContain('You cannot publish the group “Prices” because you lack RWS access')
  const restored = ben.call(restoreInsightVersion, { params: { ...location, version: 1 }, body: {} })
  expect((await refusal(restored)).body.code).toBe('saveWouldPublish')
  const { items } = await anna.call(searchFiles, { query: { query: 'groupName=Prices&name=notes.md' } })
  const fields = [{ name: 'logo', value: items[0]!.fid }]
  const logo = ben.call(patchInsight, { body: { ...location, fields } })
  expect((await refusal(logo)).body.code).toBe('saveWouldPublish')
  expect((await anna.call(getInsight, { params: location })).version).toBe(first.version)

  // Every author can save an insight that is not public.
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: false } })
  await ben.call(updateInsight, { body })
})

test('a public view stops showing a group once its publisher can only read it', async () => {
  await grant('Carls', anna, 'RWS')
  const location = await publish([table('c')], { c: seriesOf('A', 'Carls') })
  expect(await rowsFor(location, 'c')).toBe(3)
  await grant('Carls', anna, 'RW')
  expect(await rowsFor(location, 'c')).toBe('publicDataGone')
})

test('groups can be limited to those with data in public insights; a group is no longer listed after its public view has ended', async () => {
  for (const name of ['Quiet', 'Quiet board', 'Silent']) await anna.call(createGroup, { body: { name } })
  const names = async (session: Session, query: object = {}) =>
    (await session.call(listGroups, { query: { publicOnly: true, size: 1000, ...query } })).items
      .map(({ name }) => name)
      .filter((name) => /Quiet|Silent/.test(name))
      .toSorted()
  expect(await names(anna)).toEqual([])
  const location = { groupName: 'Quiet board', insightName: 'Quiet' }
  const content = { ...emptyContent(), tiles: [table('q')], datapreps: { q: seriesOf('A', 'Quiet') } }
  await anna.call(createInsight, {
    body: { ...location, description: '', content: content as InsightContent },
  })
  expect(await names(anna)).toEqual([])
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  expect(await names(anna)).toEqual(['Quiet', 'Quiet board'])
  expect(await names(anna, { favorite: true })).toEqual([])
  expect(await names(ben)).toEqual([])
  await grant('Quiet', ben, 'R')
  expect(await names(ben)).toEqual(['Quiet'])
  expect(await names(ben, { writeOnly: true })).toEqual([])
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: false } })
  expect(await names(anna)).toEqual([])
})

test('users who can share a group can list and end the public views of all publishers that contain its data', async () => {
  await grant('Carls', anna, 'RWS')
  await grant('Prices', anna, 'RWS')
  const views = async (session: Session, groupName: string) =>
    (await session.call(listPublicViews, { query: { groupName } })).items
  const location = await publish([table('c')], { c: seriesOf('A', 'Carls') })
  const { id } = await anna.call(createDataPrep, {
    body: {
      dataPrep: { name: `Ended ${count}`, outputGroup: 'Prices', symbols: seriesOf('A', 'Carls').symbols },
    },
  } as never)
  const byPrep = await publish([table('p', { source: { type: 'DATA_PREP', value: { id } } })])
  await publish([table('t')], { t: seriesOf('A') })
  const listed = await views(carl, 'Carls')
  expect(listed.map(({ insightName }) => insightName)).toEqual(
    expect.arrayContaining([location.insightName, byPrep.insightName]),
  )
  expect(listed[0]).toMatchObject({ groupName: 'Board', publisher: anna.userName, expirationDate: null })
  // Earlier tests in this file also publish data of this group, but not the data of the last one.
  expect(listed.map(({ insightName }) => insightName)).not.toContain(`Public ${count}`)
  await grant('Carls', ben, 'RW')
  expect((await refusal(views(ben, 'Carls'))).body.code).toBe('groupForbidden')

  const end = (session: Session, groupName: string, insightName: string) =>
    session.call(endPublicView, { query: { groupName, insightGroupName: 'Board', insightName } })
  expect((await refusal(end(ben, 'Carls', location.insightName))).body.code).toBe('groupForbidden')
  expect((await refusal(end(carl, 'Carls', `Public ${count}`))).body.code).toBe('publicViewNotFound')
  await end(carl, 'Carls', location.insightName)
  expect((await refusal(view(location))).body.code).toBe('publicInsightNotFound')
  expect(infoValue((await anna.call(getInsight, { params: location })).fields, 'public_view')).toBe('false')
  const left = (await views(carl, 'Carls')).map(({ insightName }) => insightName)
  expect(left).not.toContain(location.insightName)
  expect(left).toContain(byPrep.insightName)
})

test('visitors can choose the values that a link allows: a list, or all that the publisher can share', async () => {
  const inputParams = {
    p1: {
      groupName: 'Prices',
      keys: [
        { symbolKey: 'Code', defaultValue: 'A' },
        { symbolKey: 'Unit', symbolType: 'METADATA' },
      ],
    },
  }
  const location = { groupName: 'Board', insightName: `Public ${++count}` }
  const content = {
    ...emptyContent(),
    tiles: [table('t', { sourceInputParamsId: 'p1' })],
    datapreps: { t: seriesOf('A') },
    inputParams,
  } as InsightContent
  await anna.call(createInsight, { body: { ...location, content } })
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const linkTo = async (values: string[]) => (await link(location, [{ name: 'Code', values }])).link
  const any = await linkTo(['*'])
  const group = groupTokenIn(await view(location), 't')
  const values = async (given: string, body: object) => {
    const params = { groupName: 'Board', fileName: location.insightName }
    const request = { params, query: { link: given }, body: { group, key: 'code', ...body } }
    const { items, totalSize } = await server.nobody.call(listPublicValues, request)
    expect(totalSize).toBe(items.length)
    return items
  }
  // Other tests add symbols to the group.
  const ofUploads = async (given: string, body: object) =>
    (await values(given, body)).filter((value) => value.length === 1)
  expect(await ofUploads(any, {})).toEqual(['A', 'B', 'C'])
  expect(await ofUploads(any, { query: 'b' })).toEqual(['B'])
  expect(await values(any, { query: 'B', symbols: { Code: 'B' } })).toEqual(['B'])
  expect(await values(await linkTo(['C', 'D']), { query: 'c' })).toEqual(['C'])
  const rows = Array.from({ length: 520 }, (_, index) => `Hub ${index},2026-01-01,1`)
  await upload(anna, {
    groupName: 'Prices',
    fileName: 'hubs.csv',
    fileType: 'NCSV',
    content: ['Code,Date,Close', ...rows].join('\n'),
  })
  const params = { groupName: 'Board', fileName: location.insightName }
  const request = { params, query: { link: any }, body: { group, key: 'Code', query: 'Hub' } }
  const { items, totalSize } = await server.nobody.call(listPublicValues, request)
  expect([items.length, totalSize]).toEqual([500, 520])
  expect((await refusal(values('', {}))).body.code).toBe('questionNotInInsight')
  expect((await refusal(values(any, { key: 'Unit' }))).body.code).toBe('questionNotInInsight')
  expect((await refusal(values(any, { group: 'Prices' }))).body.code).toBe('questionNotInInsight')
})

test('visitors receive the file of a tile, but no ids of files', async () => {
  const { fileId } = await upload(anna, { groupName: 'Prices', fileName: 'table.csv', content: 'a,b\n1,2\n' })
  const named = { groupName: 'Prices', fileName: 'table.csv' }
  const source = { type: 'FILE', value: { ...named, id: fileId, fid: fileId } }
  const location = { groupName: 'Board', insightName: 'Files by id' }
  const csvFile = { id: fileId, name: 'table.csv', groupName: 'Prices' }
  const content = {
    ...emptyContent(),
    tiles: [table('f', { source })],
    inputParams: { p: { basicInputParamsType: 'FILE', csvFile } },
  }
  await anna.call(createInsight, { body: { ...location, content: content as InsightContent } })
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const opened = await view(location)
  expect(JSON.stringify(opened)).not.toContain(fileId)
  const { value } = opened.content.tiles[0]!.source as typeof source
  expect(Object.keys(value).toSorted()).toEqual(['fileName', 'groupName'])
  expect(await (await file(location, value.groupName, 'table.csv')).text()).toBe('a,b\n1,2\n')
  const version = async () => {
    const params = { groupName: 'Board', fileName: location.insightName }
    const query = { group: value.groupName, name: 'table.csv' }
    return server.nobody.call(getPublicFileVersion, { params, query })
  }
  const first = await version()
  expect([first.size, await version()]).toEqual([8, first])
  await upload(anna, { groupName: 'Prices', fileName: 'table.csv', content: 'a,b\n3,4\n5,6\n' })
  expect((await version()).version).not.toBe(first.version)
  expect((await version()).size).toBe(12)
})

test('a database failure is not reported as a missing view', async () => {
  const location = await publish([])
  const { pool } = server.running.platform.database
  await pool.query('alter table insight_shares rename to insight_shares_away')
  try {
    expect((await refusal(view(location))).status).toBe(500)
  } finally {
    await pool.query('alter table insight_shares_away rename to insight_shares')
  }
  expect((await view(location)).insightName).toBe(location.insightName)
})

test('with sharing switched off, public views do not open and links cannot be created', async () => {
  const closed = await startTestServer({ env: { HEADWATER_SHARING_ENABLED: 'false' } })
  try {
    const dora = await closed.createUser({ email: 'dora@example.com' })
    const location = { groupName: 'Doras', insightName: 'Hers' }
    await dora.call(createGroup, { body: { name: 'Doras' } })
    await dora.call(createInsight, { body: { ...location, content: emptyContent() } })
    // The state of an earlier publication.
    await closed.running.platform.database.pool.query(
      `insert into insight_publications select items.id, users.id, 'key', now(), null from items, users
       where kind = 'insight' and user_name = $1`,
      [dora.userName],
    )
    const params = { groupName: 'Doras', fileName: 'Hers.json' }
    expect((await refusal(closed.nobody.call(getPublicInsight, { params, query: {} }))).body.code).toBe(
      'publicInsightNotFound',
    )
    const making = dora.call(createPublicLink, { body: { ...location, parameters: [], dates: false } })
    expect((await refusal(making)).body.code).toBe('sharingOff')
  } finally {
    await closed.stop()
  }
})

test('accepts forms only for insights with a form; stores at most 10,000, and deletes them with the view', async () => {
  const location = await publish([])
  const form = { company: 'ACME', email: 'vera@example.com', fullName: 'Vera' }
  const submit = () => server.nobody.call(submitPublicAccess, { body: { ...location, ...form } })
  const { pool } = server.running.platform.database
  const storedForms = async () => {
    const { rows } = await pool.query(
      `select count(*)::int as count, max(full_name) as newest from insight_visitors
        join items on items.id = insight_id where name = $1`,
      [location.insightName],
    )
    return (rows as { count: number; newest: string | null }[])[0]!
  }
  expect((await refusal(submit())).body.code).toBe('formNotAsked')
  expect((await storedForms()).count).toBe(0)
  await requireForm(location)
  await pool.query(
    `insert into insight_visitors (insight_id, company, email, full_name, discount_code, submitted_at)
      select id, '', '', 'Early', '', '2020-01-01'::timestamptz from items, generate_series(1, 10000) where name = $1`,
    [location.insightName],
  )
  await submit()
  expect(await storedForms()).toEqual({ count: 10_000, newest: 'Vera' })
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: false } })
  expect((await storedForms()).count).toBe(0)
})

/** Returns the number of connections that wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await server.running.platform.database.pool.query(`select 1 from pg_locks
    join pg_database on oid = database
    where locktype = 'advisory' and not granted and datname = current_database()`)
  return rows.length
}

test('concurrent publications keep the key of existing links', async () => {
  const location = { groupName: 'Board', insightName: 'At once' }
  await anna.call(createInsight, { body: { ...location, content: emptyContent() } })
  const { pool } = server.running.platform.database
  const first = await pool.connect()
  try {
    await first.query(`begin`)
    await first.query(`select pg_advisory_xact_lock(hashtextextended('insight shares', 0))`)
    const second = anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })
    await expect.poll(() => countWaiting()).toBe(1)
    await first.query(
      `insert into insight_publications select items.id, users.id, 'first key', now(), null
       from items, users where name = $1 and user_name = $2`,
      [location.insightName, anna.userName],
    )
    await first.query('commit')
    expect((await second).isPublic).toBe(true)
  } finally {
    first.release()
  }
  const { rows } = await pool.query(
    `select signing_key from insight_publications join items on items.id = insight_id where name = $1`,
    [location.insightName],
  )
  expect(rows).toEqual([{ signing_key: 'first key' }])
})

test('an insight deleted while it is published is reported as missing and does not remain public', async () => {
  const location = { groupName: 'Board', insightName: 'Going' }
  await anna.call(createInsight, { body: { ...location, content: emptyContent() } })
  const { pool } = server.running.platform.database
  const first = await pool.connect()
  try {
    await first.query(`begin`)
    await first.query(`select pg_advisory_xact_lock(hashtextextended('insight shares', 0))`)
    const refused = expect(
      anna.call(updatePublicStatus, { body: { ...location, isPublic: true } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect.poll(() => countWaiting()).toBe(1)
    await first.query(`delete from items where name = 'Going'`)
    await first.query('commit')
    await refused
  } finally {
    first.release()
  }
  expect((await refusal(view(location))).body.code).toBe('publicInsightNotFound')
})

test('IN-044 IN-371 the public status can expire: an expired view responds with 410, an unknown one with 404', async () => {
  const soon = new Date(Date.now() + 60_000).toISOString()
  const location = await publish([table('t')], { t: seriesOf('A') }, { expirationDate: soon })
  const { fields, version } = await anna.call(getInsight, { params: location })
  expect(infoValue(fields, 'public_view')).toBe('true')
  expect(infoValue(fields, 'public_view_expiration')).toBe(soon.slice(0, 19))
  // The call is separate from saving and does not create a new version.
  expect(version).toBe(1)
  offsetMs = 120_000
  const ended = await refusal(view(location))
  expect([ended.status, ended.body.code]).toEqual([410, 'publicViewEnded'])
  expect(await rowsFor(location, 't')).toBe('publicViewEnded')
  expect(await anna.call(getInsight, { params: location })).toMatchObject({ isPublic: false })
  const past = anna.call(updatePublicStatus, {
    body: { ...location, isPublic: true, expirationDate: '2020-01-01' },
  })
  expect((await refusal(past)).body.validationErrors).toMatchObject([{ field: 'expirationDate' }])
  // In UTC this date is in the year 10000, which an ISO date-time with four-digit years cannot represent.
  const tooLate = anna.call(updatePublicStatus, {
    body: { ...location, isPublic: true, expirationDate: '9999-12-31T23:00:00-05:00' },
  })
  expect(await refusal(tooLate)).toMatchObject({ status: 400, body: { code: 'expirationTooLate' } })
  offsetMs = 0
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: false } })
  const withdrawn = await anna.call(getInsight, { params: location })
  expect(infoValue(withdrawn.fields, 'public_view')).toBe('false')
  expect(infoValue(withdrawn.fields, 'public_view_expiration') ?? '').toBe('')
  const bodies = await Promise.all(
    [location, { ...location, insightName: 'never was' }, { ...location, groupName: 'no group' }].map(
      async (each) => {
        const { status, body } = await refusal(view(each))
        return { status, code: body.code, message: body.message }
      },
    ),
  )
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(bodies[0]).toMatchObject({ status: 404, code: 'publicInsightNotFound' })
})

test('a public view ends with its publisher, their permission to publish, and the insight', async () => {
  const dora = await server.createUser({ email: 'dora@example.com' })
  await dora.call(createGroup, { body: { name: 'Doras' } })
  const location = { groupName: 'Doras', insightName: 'Hers' }
  const make = () => dora.call(createInsight, { body: { ...location, content: emptyContent() } })
  await make()
  await dora.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  expect((await view(location)).insightName).toBe('Hers')
  await dora.call(deleteInsight, { body: location })
  await make()
  expect((await refusal(view(location))).status).toBe(404)
  await dora.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const { accounts } = server.running.platform
  const { userId } = (await accounts.findUserByName(dora.userName))!
  await accounts.setUserStatus(userId, 'INACTIVE')
  expect((await refusal(view(location))).status).toBe(404)
})

const link = (location: InsightLocation, parameters: AllowedParameter[], dates = false) =>
  anna.call(createPublicLink, { body: { ...location, parameters, dates } })

const byCode = (defaultValue: string, more: object = {}) => ({
  p1: { keys: [{ symbolKey: 'Code', defaultValue }], ...more },
})
const bound = table('t', { sourceInputParamsId: 'p1' })

test('a link allows only its own parameters, and a modified link is rejected', async () => {
  const location = await publish([bound], { t: seriesOf('A') }, { inputParams: byCode('A') })
  const other = await publish([bound], { t: seriesOf('A') }, { inputParams: byCode('A') })
  const made = await link(location, [{ name: 'Code', values: ['B'] }])
  expect(made.path).toBe(
    `/Public/Insight/Board/${encodeURIComponent(location.insightName)}?link=${made.link}`,
  )
  const codes = async (Code: string, link: string) => {
    const [tile] = await tilesFor(location, ['t'], { parameters: { p1: { Code } } }, { link })
    return tile!.error?.code ?? textOfTile(tile!).split('\n')[1]?.split(',')[0]
  }
  expect([await codes('A', made.link), await codes('B', made.link), await codes('C', made.link)]).toEqual([
    'A',
    'B',
    'questionNotInInsight',
  ])
  expect((await view(location, { link: made.link })).parameters).toEqual([{ name: 'Code', values: ['B'] }])
  expect([await codes('A', ''), await codes('B', '')]).toEqual(['A', 'questionNotInInsight'])
  const [content = '', signature = ''] = made.link.split('.')
  const forged = Buffer.from(JSON.stringify([[['Code', ['C']]], true])).toString('base64url')
  for (const tampered of [
    `${forged}.${signature}`,
    `${content}.${signature.slice(0, -2)}xx`,
    `${content}`,
    `${content}.`,
    'nonsense',
    `${content}.${signature}.${signature}`,
  ])
    expect(await codes('B', tampered), tampered).toBe('linkTampered')
  expect((await refusal(view(location, { link: `${forged}.${signature}` }))).body.code).toBe('linkTampered')
  expect((await refusal(view(other, { link: made.link }))).body.code).toBe('linkTampered')
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: false } })
  expect((await refusal(link(location, []))).body.code).toBe('notPublic')
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  expect((await refusal(view(location, { link: made.link }))).body.code).toBe('linkTampered')
})

test('links with choices are listed and revoked individually; other links stay valid', async () => {
  const location = await publish([table('t')], { t: seriesOf('A') })
  const first = await link(location, [{ name: 'Code', values: ['B'] }])
  const second = await link(location, [{ name: 'Code', values: ['*'] }], true)
  await link(location, [])
  const listed = async () => (await anna.call(listPublicLinks, { query: location })).items
  const before = await listed()
  expect(before.map(({ path, parameters, dates }) => [path, parameters, dates])).toEqual([
    [second.path, [{ name: 'Code', values: ['*'] }], true],
    [first.path, [{ name: 'Code', values: ['B'] }], false],
  ])
  // the same choices are the same link
  expect(await link(location, [{ name: 'Code', values: ['B'] }])).toEqual(first)
  expect(await listed()).toHaveLength(2)

  await anna.call(endPublicLink, { query: { ...location, key: before[1]!.key } })
  expect(await listed()).toEqual([before[0]])
  expect((await refusal(view(location, { link: first.link }))).body.code).toBe('linkTampered')
  expect((await view(location, { link: second.link })).dates).toBe(true)
  expect((await view(location)).parameters).toEqual([])
  const again = await link(location, [{ name: 'Code', values: ['B'] }])
  expect(again.link).not.toBe(first.link)

  for (const isPublic of [false, true])
    await anna.call(updatePublicStatus, { body: { ...location, isPublic } })
  expect(await listed()).toEqual([])
})

test('concurrent requests with the same choices create one link', async () => {
  const location = await publish([table('t')], { t: seriesOf('A') })
  const made = await Promise.all(
    Array.from({ length: 30 }, () => link(location, [{ name: 'Code', values: ['B'] }])),
  )
  expect(new Set(made.map(({ path }) => path)).size).toBe(1)
  expect((await anna.call(listPublicLinks, { query: location })).items).toHaveLength(1)
})

test('a public insight has at most 100 links with choices', async () => {
  const location = await publish([table('t')], { t: seriesOf('A') })
  for (let value = 0; value < 100; value++) await link(location, [{ name: 'Code', values: [String(value)] }])
  const refused = await refusal(link(location, [{ name: 'Code', values: ['one more'] }]))
  expect(refused.body.code).toBe('tooManyPublicLinks')
  expect((await link(location, [{ name: 'Code', values: ['7'] }])).link).not.toBe('')
})

test('a link with dates lets visitors choose the date range; a star allows any value', async () => {
  const last = { range: 'LAST', lastTypeAmount: 1 }
  const location = await publish(
    [{ ...bound, ...last }],
    { t: seriesOf('A', 'Prices', { pattern: true }) },
    { inputParams: byCode('A') },
  )
  const dated = (await link(location, [{ name: 'Code', values: ['B'] }], true)).link
  const any = (await link(location, [{ name: 'code', values: ['*'] }], true)).link
  const undated = (await link(location, [{ name: 'Code', values: ['B'] }])).link
  const rows = (Code: string, given: string, range = 'LAST 2 VALUES') =>
    rowsFor(location, 't', { parameters: { p1: { Code } }, range }, { link: given })
  const refused = 'questionNotInInsight'
  expect([await rows('A', dated), await rows('B', dated), await rows('A', undated)]).toEqual([2, 2, refused])
  expect([await rows('*', dated), await rows('B*', dated), await rows('', dated)]).toEqual([
    refused,
    refused,
    refused,
  ])
  expect([await rows('C', any), await rows('B*', any)]).toEqual([2, 2])
  expect(await rows('*', any, '2026-01-01..2026-01-01')).toBeGreaterThan(2)
})

test('a link with dates does not change the range of a tile with its own range, nor a relative one', async () => {
  const last = { range: 'LAST', lastTypeAmount: 2 }
  const inputParams = { p1: { withDateRange: true, dataRange: 'ALL' } }
  const withOwnRange = { ...last, keepOwnRange: true, sourceInputParamsId: 'p1' }
  const box = { id: 'x', title: 'B', content: 'STATISTIC', ...last }
  const location = { groupName: 'Board', insightName: 'Kept ranges' }
  const content = {
    ...emptyContent(),
    tiles: [table('k', withOwnRange), table('f', last)],
    datapreps: { k: seriesOf('A'), f: seriesOf('B') },
    headerBoxes: [{ ...box, series: [{ groupName: 'Prices', symbols: { Code: 'C' }, column: 'Close' }] }],
    inputParams,
  } as InsightContent
  await anna.call(createInsight, { body: { ...location, content } })
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const dated = (await link(location, [], true)).link
  const rows = async (choices: { range?: string; parameters?: object }, given = dated) => {
    const request = { ...choices, boxes: ['x'] }
    return (await tilesFor(location, ['k', 'f'], request, { link: given })).map(rowsOfTile)
  }
  expect(await rows({}, '')).toEqual([2, 2, 2])
  for (const range of ['ALL', '2026-01-01..']) expect(await rows({ range })).toEqual([2, 3, 2])
  expect(await rows({ parameters: { p1: { '@range': 'LAST 1 VALUES' } } })).toEqual([2, 2, 2])
  expect(await rows({ range: 'NEXT 2 VALUES' })).toEqual([2, 2, 2])
})

test('a tile bound to parameters shows visitors the initial values, range and conditions', async () => {
  const without = { name: 'metadata.Note', operator: 'IS_EMPTY', value: '' }
  const inputParams = {
    p1: {
      keys: [
        { symbolKey: 'code', defaultValue: 'B' },
        { symbolKey: 'Desk', symbolType: 'METADATA' },
      ],
      filters: [{ name: 'Close', operator: 'GREATER', value: '1' }, without],
      withDateRange: true,
      dataRange: 'LAST',
      lastValue: 2,
    },
  }
  const location = { groupName: 'Board', insightName: 'Bound' }
  const tiles = [table('t', { sourceInputParamsId: 'p1' })]
  const content = { ...emptyContent(), tiles, datapreps: { t: seriesOf('A') }, inputParams } as InsightContent
  await anna.call(createInsight, { body: { ...location, content } })
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const visibleRows = async (chosen: object = {}, given = '') => {
    const [tile] = await tilesFor(location, ['t'], { parameters: { p1: chosen } }, { link: given })
    const rows = textOfTile(tile!).trim().split('\n').slice(1)
    return tile!.error?.code ?? rows.map((row) => row.split(',').slice(0, 2).join(' ').slice(0, 12))
  }
  const refused = 'questionNotInInsight'
  expect(await visibleRows()).toEqual(['B 2026-01-03', 'B 2026-01-02'])
  for (const chosen of [{ code: 'A' }, { code: '*' }, { code: '' }, { '@range': 'ALL' }, { Desk: 'x' }])
    expect(await visibleRows(chosen), JSON.stringify(chosen)).toBe(refused)
  const made = await link(location, [
    { name: 'Code', values: ['C'] },
    { name: 'Desk', values: ['x'] },
  ])
  expect(await visibleRows({ code: 'C' }, made.link)).toEqual(['C 2026-01-03', 'C 2026-01-02'])
  // No symbol has this metadata.
  expect([await visibleRows({ Desk: 'x' }, made.link), await visibleRows({ Desk: 'y' }, made.link)]).toEqual([
    [],
    refused,
  ])
})

test('visitors can choose a column of a file unless it changes a query and the link does not allow it', async () => {
  const fileColumns = [{ column: 'City' }, { column: 'code', defaultValue: 'B' }]
  const inputParams = { p1: { basicInputParamsType: 'FILE', fileColumns } }
  const location = await publish([bound], { t: seriesOf('A') }, { inputParams })
  const codes = async (chosen: object, given = '') => {
    const [tile] = await tilesFor(location, ['t'], { parameters: { p1: chosen } }, { link: given })
    return tile!.error?.code ?? textOfTile(tile!).split('\n')[1]?.split(',')[0]
  }
  const refused = 'questionNotInInsight'
  // The series have no key City, so the column filters only rows of files.
  expect([await codes({}), await codes({ City: 'Oslo' }), await codes({ City: '' })]).toEqual(['B', 'B', 'B'])
  expect([await codes({ code: 'C' }), await codes({ City: 'Oslo', code: '' })]).toEqual([refused, refused])
  const { link: given } = await link(location, [{ name: 'Code', values: ['C'] }])
  expect([await codes({ City: 'Oslo', code: 'C' }, given), await codes({ code: 'A' }, given)]).toEqual([
    'C',
    refused,
  ])

  // A pattern without keys treats every column as a key.
  const open = await publish(
    [bound, table('s', { source: { type: 'SOURCE_TILE', value: 't' } })],
    { t: { symbols: [{ groupName: 'Prices', symbols: {}, pattern: true, valueColumnNames: ['Close'] }] } },
    { inputParams },
  )
  const opened = await tilesFor(open, ['t', 's'], { parameters: { p1: { City: 'Oslo' } } })
  expect(opened.map(({ error }) => error?.code)).toEqual([refused, refused])
})

test('charts and stats bound to parameters show visitors only the initial symbol', async () => {
  const inputParams = { p1: { keys: [{ symbolKey: 'Code', defaultValue: 'B' }] } }
  const location = { groupName: 'Board', insightName: 'Bound figures' }
  const series = { groupName: 'Prices', column: 'Close' }
  const part = { sourceInputParamsId: 'p1', range: 'LAST', lastTypeAmount: 2 }
  const tiles = [
    {
      ...part,
      id: 'c',
      title: 'Course',
      type: 'Chart',
      series: [{ ...series, symbolList: [{ Code: 'A' }] }],
    },
    { ...part, id: 's', title: 'Figure', type: 'STATS', series: [{ ...series, symbols: { Code: 'A' } }] },
  ]
  const content = { ...emptyContent(), tiles, inputParams } as InsightContent
  await anna.call(createInsight, { body: { ...location, content } })
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const codes = async (Code: string, given = '') => {
    const read = await tilesFor(location, ['c', 's'], { parameters: { p1: { Code } } }, { link: given })
    return read.map(
      (tile) => tile.error?.code ?? `${textOfTile(tile).split('\n')[1]![0]} ${rowsOfTile(tile)}`,
    )
  }
  const refused = ['questionNotInInsight', 'questionNotInInsight']
  expect(await codes('B')).toEqual(['B 2', 'B 2'])
  expect([await codes('A'), await codes('*')]).toEqual([refused, refused])
  const { link: given } = await link(location, [{ name: 'Code', values: ['C'] }])
  expect([await codes('C', given), await codes('A', given)]).toEqual([['C 2', 'C 2'], refused])
})

test('tiles that use another tile, the basket or a saved data prep display the same data to visitors as to their author', async () => {
  const prep = await anna.call(createDataPrep, {
    body: {
      dataPrep: {
        name: 'Saved',
        outputGroup: 'Prices',
        range: 'LAST',
        lastTypeAmount: 1,
        symbols: [{ groupName: 'Secret', symbols: { Code: 'C' }, valueColumnNames: ['Volume'] }],
      },
    },
  })
  const location = { groupName: 'Board', insightName: 'Sources' }
  const tiles = [
    table('o', { hidden: true }),
    table('s', { source: { type: 'SOURCE_TILE', value: 'o' } }),
    table('b', { source: { type: 'DATA_PREP', value: 'BASKET' } }),
    table('p', { source: { type: 'DATA_PREP', value: { id: prep.id } } }),
  ]
  const basket = { items: seriesOf('B').symbols, settings: { range: 'ALL' } }
  const content = { ...emptyContent(), tiles, datapreps: { o: seriesOf('A') }, basket } as InsightContent
  await anna.call(createInsight, { body: { ...location, content } })
  await anna.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const opened = await view(location)
  const text = JSON.stringify(opened)
  for (const secret of ['Prices', 'Secret', prep.id]) expect(text).not.toContain(secret)
  const read = await tilesFor(location, ['s', 'b', 'p'])
  expect(JSON.stringify(read)).not.toMatch(/Prices|Secret|anna/)
  expect(read.map(rowsOfTile)).toEqual([3, 3, 1])
  expect(read.map((tile) => textOfTile(tile).split('\n')[1]![0])).toEqual(['A', 'B', 'C'])
  const groupToken = groupTokenIn(opened, 'o')
  expect(read.map(({ results }) => results[0]!.groupNames.includes(groupToken))).toEqual([true, true, false])
  expect(read[2]!.prep).toMatchObject({ symbols: [{ symbols: { Code: 'C' } }], timeZone: 'UTC' })
})

test('IN-156 a public view shows only visualisation tiles', async () => {
  const types = ['Text', 'Chart', 'Table', 'CODE', 'PDF', 'IMAGE', 'STATS', 'SEARCH']
  const others = ['AUTO_PIPELINE', 'STATUS', 'DIAGRAM', 'HEADER', 'FOOTER', 'MAP', 'INPUT_PARAMS']
  const location = await publish([...others, ...types].map((type) => ({ id: type, title: type, type })))
  expect((await view(location)).content.tiles.map(({ type }) => type)).toEqual(types)
})

test('IN-162 framed readers and readers without access see only visualisation tiles', async () => {
  const tiles = ['Text', 'STATUS', 'HOLOGRAM', 'Chart'].map((type) => ({ id: type, title: type, type }))
  const seen = (sight: Parameters<typeof visibleTiles>[1]) =>
    visibleTiles(tiles, sight).map(({ type }) => type)
  const visibleTypes = ['Text', 'Chart']
  expect(seen({ workflows: true, visualisations: false, framed: true })).toEqual(visibleTypes)
  expect(seen({ workflows: false, visualisations: false, framed: false })).toEqual(visibleTypes)
  // A public view is the same for everybody, with or without access to workflows.
  const location = await publish(tiles)
  const path = `/insight/public/proxy/Board/${encodeURIComponent(location.insightName)}.json`
  for (const caller of [server.nobody, anna, server.admin]) {
    const { content } = (await (await caller.fetch(path)).json()) as PublicInsight
    expect(content.tiles.map(({ type }) => type)).toEqual(visibleTypes)
  }
})

test('IN-156 a public view omits hidden tiles, actions, the footer and data of other tiles', async () => {
  const location = await publish(
    [
      { id: 'w', title: 'Runs', type: 'STATUS' },
      table('h', { hidden: true }),
      table('t', { actions: [{ actionName: 'run', groupName: 'Secret' }] }),
      { id: 'x', title: 'Unknown', type: 'HOLOGRAM' },
      table('s', { source: { type: 'SOURCE_TILE', value: 'h2' } }),
      table('h2', { hidden: true }),
    ],
    { t: seriesOf('A'), h: seriesOf('B'), w: seriesOf('C') },
  )
  const { content } = await view(location)
  expect(content.tiles.map(({ id }) => id)).toEqual(['t', 's', 'h2'])
  expect(content.tiles[0]).not.toHaveProperty('actions')
  expect(Object.keys(content.datapreps ?? {})).toEqual(['t'])
  expect(content.footer).toEqual({ buttons: [] })
  expect(JSON.stringify(content)).not.toContain('Secret')
})

test('IN-158 IN-160 IN-163 IN-372 IN-373 visitors see the first N tiles until they submit the form, then all tiles', async () => {
  const location = await publish([table('a'), table('b'), table('c')], {
    a: seriesOf('A'),
    b: seriesOf('B'),
    c: seriesOf('C'),
  })
  const set = (name: string, value: string) =>
    anna.call(patchInsight, { body: { ...location, fields: [{ name, value }] } })
  const all = await view(location)
  expect([all.content.tiles.length, all.selfActivation]).toEqual([3, null])
  await set('is_self_activation_required', 'true')
  const visibleCount = async (token?: string) =>
    (await view(location, token ? { token } : {})).content.tiles.length
  expect(await visibleCount()).toBe(0)
  await set('self_activation_tiles', '0')
  expect(await visibleCount()).toBe(0)
  await set('self_activation_tiles', '2')
  const some = await view(location)
  expect(some.selfActivation).toEqual({ tiles: 2, hiddenTiles: 1 })
  expect(some.content.tiles.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(await visibleCount()).toBe(2)
  expect([await rowsFor(location, 'b'), await rowsFor(location, 'c')]).toEqual([3, 'questionNotInInsight'])

  const form = { company: 'ACME', email: 'vera@example.com', fullName: 'Vera', discountCode: 'X1' }
  const { token, expires } = await server.nobody.call(submitPublicAccess, { body: { ...location, ...form } })
  expect(await visibleCount(token)).toBe(3)
  expect(await rowsFor(location, 'c', {}, { token })).toBe(3)
  const validate = (given: string, where = location) =>
    server.nobody.call(validatePublicAccess, { body: { ...where, token: given } })
  expect(await validate(token)).toEqual({ valid: true, expires })
  const validateAlone = (given: string) =>
    server.nobody.call(validatePublicAccess, { body: { token: given } })
  expect(await validateAlone(token)).toEqual({ valid: true, expires })
  const later = `${Number(token.split('.')[0]) + 1}.${token.split('.')[1]}`
  const other = await publish([table('a')])
  for (const response of [
    await validate(later),
    await validateAlone(later),
    await validate('x'),
    await validate(token, other),
    await validate(token, { ...location, insightName: 'never was' }),
  ])
    expect(response).toEqual({ valid: false, expires: null })
  expect([await visibleCount(later), await visibleCount('x')]).toEqual([2, 2])
  offsetMs = 31 * 86_400_000
  expect(await visibleCount(token)).toBe(2)
  offsetMs = 0
  expect((await anna.call(listVisitors, { query: location })).items).toMatchObject([form])
  expect((await refusal(carl.call(listVisitors, { query: location }))).status).toBe(404)
  for (const wrong of [{ email: 'no' }, { company: '' }, { fullName: ' ' }, { fullName: 'a\nb' }])
    expect(
      (await refusal(server.nobody.call(submitPublicAccess, { body: { ...location, ...form, ...wrong } })))
        .body.validationErrors?.[0]?.field,
    ).toBe(Object.keys(wrong)[0])
})

test('an address can submit ten forms at once and one more per minute', async () => {
  // Uses a separate server, because the limit counts the forms of all tests. Its clock moves only when the test moves
  // it.
  let now = new Date()
  const limited = await startTestServer({ clock: { now: () => now } })
  try {
    const location = { groupName: 'Limited', insightName: 'Form' }
    const { admin, nobody } = limited
    await admin.call(createGroup, { body: { name: 'Limited' } })
    await admin.call(createInsight, { body: { ...location, content: emptyContent() } })
    await admin.call(updatePublicStatus, { body: { ...location, isPublic: true } })
    const fields = [{ name: 'is_self_activation_required', value: 'true' }]
    await admin.call(patchInsight, { body: { ...location, fields } })
    const form = { company: 'ACME', email: 'vera@example.com', fullName: 'Vera' }
    const submit = () =>
      nobody.call(submitPublicAccess, { body: { ...location, ...form } }).then(
        () => 200,
        (error: unknown) => (error as CallError).status,
      )
    const statuses: number[] = []
    for (let at = 0; at < 12; at += 1) statuses.push(await submit())
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
    now = new Date(now.getTime() + 61_000)
    expect([await submit(), await submit()]).toEqual([200, 429])
  } finally {
    await limited.stop()
  }
})

const file = async ({ groupName, insightName }: InsightLocation, group: string, name: string) => {
  const query = new URLSearchParams({ group, name }).toString()
  return server.nobody.fetch(`/insight/public/file/${groupName}/${encodeURIComponent(insightName)}?${query}`)
}

test('visitors can read only the files of visible tiles', async () => {
  const source = { type: 'FILE', value: { groupName: 'Prices', fileName: 'notes.md' } }
  const location = await publish([{ id: 'n', title: 'Notes', type: 'Text', source }])
  const { content } = await view(location)
  const groupToken = (content.tiles[0]!.source as typeof source).value.groupName
  const notes = await file(location, groupToken, 'notes.md')
  expect([notes.status, await notes.text(), notes.headers.get('content-disposition')]).toEqual([
    200,
    '# Notes',
    'attachment',
  ])
  for (const [group, name] of [
    [groupToken, 'hidden.md'],
    ['Prices', 'notes.md'],
    [groupToken, '../notes.md'],
    [groupToken, `${location.insightName}.json`],
  ] as const)
    expect((await file(location, group, name)).status, name).toBe(403)
})

test('the logo of a public insight is an image in a group that visitors can see, whatever the stored field contains', async () => {
  const location = await publish([])
  const logo = () =>
    server.nobody.fetch(`/insight/public/logo/Board/${encodeURIComponent(location.insightName)}`)
  expect((await logo()).status).toBe(404)
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await anna.fetch(
    putInsightLogo.path
      .replace(':groupName', 'Board')
      .replace(':insightName', encodeURIComponent(location.insightName)),
    {
      method: 'PUT',
      body: png,
    },
  )
  expect((await logo()).headers.get('content-type')).toBe('image/png')
  const foreign = await upload(carl, { groupName: 'Carls', fileName: 'a.png', content: new Uint8Array(png) })
  const fields = [{ name: 'logo', value: foreign.fileId }]
  await expect(anna.call(patchInsight, { body: { ...location, fields } })).rejects.toMatchObject({
    status: 404,
  })
  const refer = (fileId: string) =>
    server.running.platform.database.pool.query(
      `update files set fields = jsonb_set(fields, '{logo}', to_jsonb($1::text)) where name = $2`,
      [fileId, `${location.insightName}.json`],
    )
  await refer(foreign.fileId)
  expect((await logo()).status).toBe(404)
  // The publisher can read this image, but not share its group.
  await carl.call(createGroup, { body: { name: 'Pictures' } })
  await grant('Pictures', anna, 'R')
  const readable = await upload(carl, {
    groupName: 'Pictures',
    fileName: 'b.png',
    content: new Uint8Array(png),
  })
  const toReadable = { ...location, fields: [{ name: 'logo', value: readable.fileId }] }
  await expect(anna.call(patchInsight, { body: toReadable })).rejects.toMatchObject({
    status: 403,
    body: { code: 'saveWouldPublish' },
  })
  await refer(readable.fileId)
  expect((await logo()).status).toBe(404)
})

test('users with write access cannot use an image that they cannot see as a logo', async () => {
  const location = await publish([table('t')])
  const picture = await upload(carl, { groupName: 'Carls', fileName: 'closed.png', content: 'x' })
  await grant('Board', ben, 'RW')
  const body = { ...location, fields: [{ name: 'logo', value: picture.fileId }] }
  await expect(ben.call(patchInsight, { body })).rejects.toMatchObject({ status: 404 })
})

test('only the publisher sees links with choices and submitted forms', async () => {
  const location = await publish([table('t')])
  await grant('Board', ben, 'RW')
  const parameters = [{ name: 'Code', values: ['*'] }]
  const more = { ...location, parameters, dates: false }
  await expect(ben.call(createPublicLink, { body: more })).rejects.toMatchObject({
    status: 403,
    body: { code: 'notPublisher' },
  })
  await expect(ben.call(createPublicLink, { body: { ...location, dates: true } })).rejects.toMatchObject({
    status: 403,
  })
  expect((await ben.call(createPublicLink, { body: location })).link).toBe('')
  for (const route of [listVisitors, listPublicLinks])
    await expect(ben.call(route, { query: location })).rejects.toMatchObject({ status: 403 })
  expect((await anna.call(createPublicLink, { body: more })).link).not.toBe('')
  const links = async () => (await anna.call(listPublicLinks, { query: location })).items
  const { key } = (await links())[0]!
  await expect(ben.call(endPublicLink, { query: { ...location, key } })).rejects.toMatchObject({
    status: 403,
    body: { code: 'notPublisher' },
  })
  expect(await links()).toHaveLength(1)
})

test('the cost of visitor requests is linear in the length of a definition with many tiles and series', async () => {
  const code = (at: number) => ({
    groupName: 'Prices',
    symbols: { Code: `N${at}` },
    valueColumnNames: ['Close'],
  })
  const first = table('t0')
  const tiles = [
    first,
    ...Array.from({ length: 499 }, (_, at) =>
      table(`u${at}`, { source: { type: 'SOURCE_TILE', value: at % 2 ? `u${at - 1}` : 't0' } }),
    ),
  ]
  const symbols = Array.from({ length: 8000 }, (_, at) => code(at))
  symbols.push(seriesOf('A').symbols[0]!)
  const location = await publish(tiles, { t0: { symbols } })
  const ids = Array.from({ length: 6 }, (_, at) => `u${at * 80}`)
  expect((await tilesFor(location, ids)).map(rowsOfTile)).toEqual(ids.map(() => 3))
})

test('path traversal in names is rejected', async () => {
  for (const path of [
    '/insight/public/proxy/..%2f..%2fetc/passwd',
    '/insight/public/proxy/Board/..%2fSecret%2fa.csv',
    '/insight/public/proxy/Board/%00',
    '/insight/public/proxy/Board/' + 'x'.repeat(261),
    '/insight/public/file/Board/x?group=..&name=..%2f..%2fsecrets.json',
    "/insight/public/proxy/Board/'%20or%20'1'='1",
  ]) {
    const { status } = await server.nobody.fetch(path)
    expect([400, 404], path).toContain(status)
  }
})
