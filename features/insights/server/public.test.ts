import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { searchFiles, transferOwnership } from '@headwater/files/contract'
import { createDataPrep, updateDataPrep } from '@headwater/preps/contract'
import { createFormula } from '@headwater/symbols/contract'
import { createGroup } from '@headwater/groups/contract'
import { systemClock } from '@headwater/server-kit'
import { CallError, startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import {
  createInsight,
  createPublicLink,
  endPublicLink,
  deleteInsight,
  emptyContent,
  endPublicView,
  getInsight,
  getPublicDataPrep,
  getPublicFileVersion,
  getPublicInsight,
  getPublicStatus,
  infoValue,
  listPublicLinks,
  listPublicValues,
  listPublicViews,
  listVisitors,
  patchInsight,
  putInsightLogo,
  restoreInsightVersion,
  submitPublicAccess,
  updateInsight,
  updatePublicStatus,
  validatePublicAccess,
  type AllowedParameter,
  type InsightContent,
  type PublicInsight,
} from '../contract/index.ts'
import { visibleTiles } from '../contract/tiles/visible-tiles.ts'

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
  // Access that one test grants must not change what the next one expects.
  await server.running.platform.database.pool.query('delete from group_grants')
})

const asked = (Code: string, groupName = 'Prices', more: object = {}) => ({
  symbols: [{ groupName, symbols: { Code }, valueColumnNames: ['Close'], ...more }],
})
const table = (id: string, more: object = {}) => ({ id, title: id, type: 'Table', range: 'ALL', ...more })

let count = 0
/** A public insight of Anna with the given tiles. */
async function publish(tiles: object[], datapreps: object = {}, more: { expirationDate?: string } = {}) {
  const place = { groupName: 'Board', insightName: `Public ${++count}` }
  const content = { ...emptyContent(), tiles, datapreps } as InsightContent
  await anna.call(createInsight, { body: { ...place, description: 'Told', content } })
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: true, ...more } })
  return place
}
type Place = Awaited<ReturnType<typeof publish>>

const grant = (groupName: string, session: Session, access: string) =>
  server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access)
      select groups.id, users.id, $3 from groups, users where groups.name = $1 and user_name = $2
      on conflict (group_id, user_id, source, source_id) do update set access = excluded.access`,
    [groupName, session.userName, access],
  )
const askForForm = (place: Place) =>
  anna.call(patchInsight, {
    body: { ...place, fields: [{ name: 'is_self_activation_required', value: 'true' }] },
  })

const view = ({ groupName, insightName }: Place, query: { link?: string; token?: string } = {}) =>
  server.nobody.call(getPublicInsight, { params: { groupName, fileName: `${insightName}.json` }, query })
const wordIn = ({ content }: PublicInsight, id: string) =>
  (content.datapreps![id] as { symbols: { groupName: string }[] }).symbols[0]!.groupName

async function refusal(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => undefined,
    (problem: unknown) => problem,
  )
  expect(error).toBeInstanceOf(CallError)
  return error as CallError
}

/** A question of a visitor: status and text of the answer. */
async function ask({ groupName, insightName }: Place, body: object, query: Record<string, string> = {}) {
  const path = `/insight/public/data/${groupName}/${encodeURIComponent(insightName)}`
  const answer = await server.nobody.fetch(`${path}?${new URLSearchParams(query).toString()}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .filter((line) => line !== '').length

test('IN-011 IN-024 the proxy path serves a public insight without an account and hides groups, owner and ids', async () => {
  const place = await publish(
    [
      table('t'),
      {
        ...table('u', { type: 'Text' }),
        source: { type: 'FILE', value: { groupName: 'Prices', fileName: 'notes.md' } },
      },
    ],
    { t: asked('A') },
  )
  const answer = await server.nobody.fetch(
    `/insight/public/proxy/Board/${encodeURIComponent(place.insightName)}.json`,
  )
  const text = await answer.text()
  expect(JSON.parse(text)).toMatchObject({ insightName: place.insightName, description: 'Told' })
  for (const secret of ['Prices', 'anna', anna.userName, 'fid', 'owner', 'groupId'])
    expect(text).not.toContain(secret)
  const { fid } = await anna.call(getInsight, { params: place })
  expect(text).not.toContain(fid)
  expect(await anna.call(getPublicStatus, { query: place })).toEqual({
    isPublic: true,
    expirationDate: null,
    publisher: 'anna@example.com',
  })
})

test('a visitor gets the points of the series that are shown, as the publisher may see them now', async () => {
  const place = await publish([table('t')], { t: asked('A') })
  const groupName = wordIn(await view(place), 't')
  const key = { groupName, symbols: { Code: 'A' }, columns: ['Close'] }
  const shown = await ask(place, { keys: [key], range: 'ALL' })
  expect([shown.status, rowsOf(shown.text)]).toEqual([200, 3])
  expect(shown.text).not.toContain('Prices')
})

test('columns that are shown one by one are asked for together, and none besides', async () => {
  const entry = (column: string) => ({ ...asked('A').symbols[0], valueColumnNames: [column] })
  const place = await publish([table('t')], { t: { symbols: [entry('Close'), entry('Volume')] } })
  const key = { groupName: wordIn(await view(place), 't'), symbols: { Code: 'A' } }
  const ask2 = (columns: string[]) => ask(place, { keys: [{ ...key, columns }], range: 'ALL' })
  expect((await ask2(['Close', 'Volume'])).status).toBe(200)
  expect((await ask2(['Close', 'Volume', 'Other'])).status).toBe(403)
  expect((await ask2([])).status).toBe(403)
})

test('the unit of a series comes with its points where stats show it, and no other metadata does', async () => {
  const stats = (id: string, Code: string, more: object = {}) => ({
    ...table(id, more),
    type: 'STATS',
    series: [{ groupName: 'Prices', symbols: { Code }, column: 'Close' }],
  })
  const ofOther = { source: { type: 'SOURCE_TILE', value: 't' } }
  const tiles = [stats('s', 'A'), stats('u', 'B', { unit: '$' }), table('t'), stats('o', 'A', ofOther)]
  const place = await publish(tiles, { t: asked('C') })
  const groupName = wordIn(await view(place), 't')
  const status = async (Code: string, ...metadatas: string[]) => {
    const key = { groupName, symbols: { Code }, columns: ['Close'], metadatas }
    return (await ask(place, { keys: [key], range: 'ALL' })).status
  }
  expect([await status('A', 'Unit'), await status('A', 'Unit', 'Desk'), await status('A', 'Desk')]).toEqual([
    200, 403, 403,
  ])
  expect([await status('B', 'Unit'), await status('C', 'Unit'), await status('B')]).toEqual([403, 403, 200])
})

test('a question that is not in the insight is refused, whatever of it is not', async () => {
  const place = await publish([table('t'), table('l', { range: 'LAST', lastTypeAmount: 2 })], {
    t: asked('A'),
    l: asked('B'),
  })
  const groupName = wordIn(await view(place), 't')
  const key = { groupName, symbols: { Code: 'A' }, columns: ['Close'] }
  const last = { ...key, symbols: { Code: 'B' } }
  const all = { range: 'ALL' }
  const questions: object[] = [
    { keys: [{ ...key, groupName: 'Prices' }], ...all },
    { keys: [{ ...key, groupName: 'Secret' }], ...all },
    { keys: [{ ...key, groupName: '__proto__' }], ...all },
    { keys: [{ ...key, symbols: { Code: 'C' } }], ...all },
    { keys: [{ ...key, symbols: {} }], ...all },
    { keys: [{ ...key, symbols: { Code: '*' }, pattern: true }], ...all },
    { keys: [{ ...key, symbols: { Code: 'A', Other: 'x' } }], ...all },
    { keys: [{ ...key, columns: ['Volume'] }], ...all },
    { keys: [{ ...key, columns: ['Close', 'Volume'] }], ...all },
    { keys: [{ ...key, columns: [] }], ...all },
    { keys: [{ ...key, metadatas: ['x'] }], ...all },
    { keys: [{ ...key, offsetType: 'YEARS', offsetAmount: 1 }], ...all },
    { keys: [key, { ...key, symbols: { Code: 'C' } }], ...all },
    { keys: [], groupName, ...all },
    { keys: [key], groupName: 'Secret', ...all },
    { keys: [key], metadata: true, ...all },
    { keys: [key], includeFileId: true, ...all },
    { keys: [key], corrections: 'history', ...all },
    { keys: [key], onDateTime: '2020-01-01', ...all },
    { keys: [key], filters: [{ name: 'metadata.x', operator: '=', value: 'y' }], ...all },
    { keys: [last], ...all },
    { keys: [last], range: 'LAST', lastTypeAmount: 3 },
    { keys: [last], range: 'LAST', lastTypeAmount: 2, endDate: '2020-01-01' },
    { keys: [last], range: 'LAST', lastType: 'YEARS', lastTypeAmount: 2 },
    { keys: [last], range: 'BETWEEN', startDate: '2026-01-01T00:00:00.000' },
  ]
  for (const question of questions) {
    const { status, text } = await ask(place, question)
    expect([status, JSON.parse(text).code], JSON.stringify(question)).toEqual([403, 'questionNotInInsight'])
    expect(text).not.toContain('Secret')
  }
  const two = await ask(place, { keys: [last], range: 'LAST', lastTypeAmount: 2 })
  expect([two.status, rowsOf(two.text)]).toEqual([200, 2])
})

test('a visitor cannot set a field of the query that no tile sends, whatever the range', async () => {
  const last = { range: 'LAST', lastType: 'VALUES', lastTypeAmount: 2 }
  const { id } = await anna.call(createDataPrep, {
    body: {
      dataPrep: { name: `Fields ${count}`, outputGroup: 'Prices', ...last, symbols: asked('C').symbols },
    },
  } as never)
  const source = { type: 'DATA_PREP', value: { id } }
  const tiles = [table('t'), table('l', { ...last, keepOwnRange: true }), table('p', { source })]
  const place = await publish(tiles, { t: asked('A'), l: asked('B') })
  const groupName = wordIn(await view(place), 't')
  const dated = await link(place, [], true)
  const status = async (Code: string, more: object, key: object = {}) => {
    const keys = [{ groupName, symbols: { Code }, columns: ['Close'], ...key }]
    const range = Code === 'A' ? { range: 'ALL' } : { ...last, timeZone: 'UTC' }
    return (await ask(place, { keys, ...range, ...more }, { link: Code === 'B' ? dated.link : '' })).status
  }
  const fields: object[] = [
    { hours: '5-6' },
    { weekdays: ['MONDAY'] },
    { resample: { unit: 'MINUTES', functions: ['P50'], fill: 'LINEAR' } },
    { formatType: 'ARROW' },
    { formatType: 'STANDARD', stats: true },
    { outputLayout: 'COLUMNS' },
    { skipEmptyColumns: true },
    { drawPoints: 100_000 },
    { symbolSize: 1 },
    { nextPageToken: 'any' },
    { dateFormat: 'yyyy' },
    { stats: true },
    { delta: true },
    { corrections: 'only' },
  ]
  const keyFields = [
    { fillType: 'PREVIOUS' },
    { fillType: 'AVERAGE', avgPointsAmount: 3 },
    { offsetType: 'DAYS', offsetAmount: 1 },
  ]
  const free: object[] = [
    { drawPoints: 4000, absoluteSize: 5000 },
    { windowStart: '2026-01-02T00:00:00.000Z', windowEnd: '2026-01-03T00:00:00.000Z' },
    { countRows: true, order: 'desc', sortSymbols: false, omitNulls: false, size: -1, formatType: 'NCSV' },
    { decimalPrecision: 2, roundingMode: 'HALF_UP' },
  ]
  for (const Code of ['A', 'B', 'C']) {
    for (const more of fields) expect(await status(Code, more), JSON.stringify([Code, more])).toBe(403)
    for (const key of keyFields) expect(await status(Code, {}, key), JSON.stringify([Code, key])).toBe(403)
    for (const more of free) expect(await status(Code, more), JSON.stringify([Code, more])).toBe(200)
  }
})

test('a tile with the last points is queried with all of its columns and series, as fewer bring older points', async () => {
  await upload(anna, {
    groupName: 'Prices',
    fileType: 'NCSV',
    content:
      'Code,Date,Price,Dividend\nS1,2026-01-01,1,5\nS1,2026-03-01,2,\nS1,2026-03-02,3,\nS2,2025-01-01,1,5\n',
  })
  const entry = (Code: string, ...valueColumnNames: string[]) => ({
    ...asked(Code).symbols[0],
    valueColumnNames,
  })
  const values = { range: 'LAST', lastTypeAmount: 2 }
  const days = { range: 'LAST', lastType: 'DAYS', lastTypeAmount: 2 }
  const place = async (range: object, ...symbols: object[]) => {
    const made = await publish([table('t', range)], { t: { symbols } })
    const groupName = wordIn(await view(made), 't')
    return async (...keys: [Code: string, ...columns: string[]][]) => {
      const body = keys.map(([Code, ...columns]) => ({ groupName, symbols: { Code }, columns }))
      const { status, text } = await ask(made, { keys: body, ...range })
      return status === 200 ? rowsOf(text) : status
    }
  }
  const both = await place(values, entry('S1', 'Price', 'Dividend'))
  expect(await both(['S1', 'Price', 'Dividend'])).toBe(2)
  expect([await both(['S1', 'Dividend']), await both(['S1', 'Price'])]).toEqual([403, 403])

  const apart = await place(values, entry('S1', 'Price'), entry('S1', 'Dividend'))
  expect(await apart(['S1', 'Price', 'Dividend'])).toBe(2)
  expect(await apart(['S1', 'Dividend'])).toBe(403)

  const two = await place(days, entry('S1', 'Price'), entry('S2', 'Price'))
  expect(await two(['S1', 'Price'], ['S2', 'Price'])).toBe(2)
  expect(await two(['S2', 'Price'])).toBe(403)

  const all = await place({ range: 'ALL' }, entry('S1', 'Price', 'Dividend'))
  expect(await all(['S1', 'Dividend'])).toBe(1)
})

test('gaps are filled at the timestamps of one tile, not at those of another one', async () => {
  const filled = asked('A', 'Prices', { fillType: 'FORWARD' })
  const place = await publish([table('f'), table('t')], { f: filled, t: asked('B') })
  const groupName = wordIn(await view(place), 't')
  const key = { groupName, symbols: { Code: 'A' }, columns: ['Close'], fillType: 'PREVIOUS' }
  const other = { groupName, symbols: { Code: 'B' }, columns: ['Close'] }
  expect((await ask(place, { keys: [key], range: 'ALL' })).status).toBe(200)
  expect((await ask(place, { keys: [other], range: 'ALL' })).status).toBe(200)
  expect((await ask(place, { keys: [key, other], range: 'ALL' })).status).toBe(403)
  expect((await ask(place, { keys: [{ ...key, fillType: undefined }], range: 'ALL' })).status).toBe(403)
})

test('a range of dates of the insight is not left', async () => {
  const between = { range: 'BETWEEN', from: '2026-01-02', to: '2026-01-02', toTime: '12:00' }
  const place = await publish([table('t', between)], { t: asked('A') })
  const key = { groupName: wordIn(await view(place), 't'), symbols: { Code: 'A' }, columns: ['Close'] }
  const within = { startDate: '2026-01-02T00:00:00.000', endDate: '2026-01-02T12:00:00.000' }
  const status = async (more: object) =>
    (await ask(place, { keys: [key], range: 'BETWEEN', timeZone: 'UTC', ...within, ...more })).status
  expect(await status({})).toBe(200)
  for (const more of [
    { startDate: '2026-01-01T23:59:59.999' },
    { startDate: undefined },
    { endDate: undefined },
    { endDate: '2026-01-02' },
    { endDate: '+009999-01-01T00:00:00' },
    { endDate: '2026-01-02T00:00:00-12:00' },
    { timeZone: 'America/New_York' },
    { range: 'ALL' },
    { range: 'NEXT' },
  ])
    expect(await status(more), JSON.stringify(more)).toBe(403)
})

test('when the publisher may not read a group any more its data are told to be gone, as when the group is', async () => {
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access)
      select groups.id, users.id, 'RWS' from groups, users where groups.name = 'Carls' and user_name = $1`,
    [anna.userName],
  )
  const place = await publish([table('t'), table('c')], { t: asked('A'), c: asked('A', 'Carls') })
  const opened = await view(place)
  const key = (id: string) => ({ groupName: wordIn(opened, id), symbols: { Code: 'A' }, columns: ['Close'] })
  const rows = async (...ids: string[]) => {
    const { status, text } = await ask(place, { keys: ids.map(key), range: 'ALL' })
    return [status, rowsOf(text)]
  }
  expect(await rows('c')).toEqual([200, 3])
  await server.running.platform.database.pool.query(
    `delete from group_grants using users where user_id = users.id and user_name = $1`,
    [anna.userName],
  )
  const refused = async () => {
    const { status, text } = await ask(place, { keys: [key('c')], range: 'ALL' })
    expect(text).not.toContain('Carls')
    return [status, (JSON.parse(text) as { message: string }).message]
  }
  const rename = (from: string, to: string) =>
    server.running.platform.database.pool.query('update groups set name = $2 where name = $1', [from, to])
  const gone = [404, 'The data of this tile no longer exists.']
  expect(await refused()).toEqual(gone)
  expect(await rows('c', 't')).toEqual([200, 3])
  await rename('Carls', 'Elsewhere')
  expect(await refused()).toEqual(gone)
  await rename('Elsewhere', 'Carls')
})

test('who may write in the group cannot show by it what only the publisher may see', async () => {
  const place = await publish([table('t')], { t: asked('A') })
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access)
      select groups.id, users.id, 'RW' from groups, users where groups.name in ('Board') and user_name = $1`,
    [ben.userName],
  )
  const stolen = {
    ...emptyContent(),
    tiles: [table('s'), table('t')],
    datapreps: { s: asked('A', 'Secret'), t: asked('A') },
  }
  // The file of an insight can also be replaced in the lake, where nothing looks into it.
  await upload(ben, {
    groupName: 'Board',
    fileName: `${place.insightName}.json`,
    fileType: 'INSIGHT',
    content: JSON.stringify(stolen),
  })
  const key = { groupName: wordIn(await view(place), 's'), symbols: { Code: 'A' }, columns: ['Close'] }
  const answer = await ask(place, { keys: [key], range: 'ALL' })
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('publicDataGone')])
  expect((await refusal(ben.call(updatePublicStatus, { body: { ...place, isPublic: true } }))).status).toBe(
    403,
  )
})

test('what somebody saved is not shown more for being given to the publisher', async () => {
  const place = await publish([table('t')], { t: asked('A') })
  await grant('Board', ben, 'RW')
  const stolen = { ...emptyContent(), tiles: [table('s')], datapreps: { s: asked('A', 'Secret') } }
  const body = { oldGroupName: 'Board', oldInsightName: place.insightName, content: stolen as InsightContent }
  await upload(ben, {
    groupName: 'Board',
    fileName: `${place.insightName}.json`,
    fileType: 'INSIGHT',
    content: JSON.stringify(stolen),
  })
  const { fid } = await anna.call(getInsight, { params: place })
  const given = { fileIds: [fid], currentOwnerUser: ben.userName, targetOwnerUser: anna.userName }
  expect(await ben.call(transferOwnership, { body: given })).toEqual({ transferred: 1 })
  expect((await anna.call(getInsight, { params: place })).owner).toBe(anna.userName)
  const key = { groupName: wordIn(await view(place), 's'), symbols: { Code: 'A' }, columns: ['Close'] }
  const answer = await ask(place, { keys: [key], range: 'ALL' })
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('publicDataGone')])
  // Who may see it saves it again.
  await anna.call(updateInsight, { body })
  expect(rowsOf((await ask(place, { keys: [key], range: 'ALL' })).text)).toBe(3)
})

test('a saved data prep shows what who saved it last may see, too', async () => {
  const dataPrep = { name: 'Changed', outputGroup: 'Prices', range: 'ALL', symbols: asked('A').symbols }
  const prep = await anna.call(createDataPrep, { body: { dataPrep } as never })
  const source = { type: 'DATA_PREP', value: { id: prep.id } }
  const place = await publish([table('p', { source })])
  const query = { group: '', name: 'Changed' }
  const wordOf = ({ content }: PublicInsight) =>
    (content.tiles[0]!.source as { value: { groupName: string } }).value.groupName
  const params = { groupName: 'Board', fileName: place.insightName }
  query.group = wordOf(await view(place))
  const rows = async () => {
    const { symbols } = await server.nobody.call(getPublicDataPrep, { params, query })
    const answer = await ask(place, {
      keys: [{ ...symbols[0]!, columns: ['Close'] }],
      range: 'ALL',
      timeZone: 'UTC',
    })
    return [answer.status, rowsOf(answer.text)]
  }
  expect(await rows()).toEqual([200, 3])
  await grant('Prices', ben, 'RWS')
  await ben.call(updateDataPrep, {
    params: { id: prep.id },
    body: { dataPrep: { ...dataPrep, version: 1, symbols: asked('A', 'Secret').symbols } } as never,
  })
  expect(await rows()).toEqual([404, 0])
  await server.running.platform.database.pool.query(
    `delete from group_grants using users
    where user_id = users.id and user_name = $1`,
    [ben.userName],
  )
  await expect(rows()).rejects.toMatchObject({ status: 403 })
})

test('a formula has values for visitors when who saved the insight may see what it computes with, too', async () => {
  await anna.call(createFormula, {
    body: {
      groupName: 'Prices',
      symbols: { Code: 'DOUBLE' },
      column: 'Close',
      expression: 'a * 2',
      inputs: [{ name: 'a', groupName: 'Secret', symbols: { Code: 'A' }, column: 'Close' }],
    },
  })
  const place = await publish([table('t')], { t: asked('DOUBLE') })
  const groupName = wordIn(await view(place), 't')
  const rows = async () => {
    const keys = [{ groupName, symbols: { Code: 'DOUBLE' }, columns: ['Close'] }]
    const { status, text } = await ask(place, { keys, range: 'ALL' })
    return [status, rowsOf(text)]
  }
  expect(await rows()).toEqual([200, 3])
  await grant('Board', ben, 'RW')
  await grant('Prices', ben, 'RWS')
  await ben.call(patchInsight, { body: { ...place, fields: [{ name: 'description', value: 'x' }] } })
  const content = { ...emptyContent(), tiles: [table('t')], datapreps: { t: asked('DOUBLE') } }
  await ben.call(updateInsight, {
    body: { oldGroupName: 'Board', oldInsightName: place.insightName, content: content as InsightContent },
  })
  expect(await rows()).toEqual([200, 0])
  await grant('Secret', ben, 'R')
  expect(await rows()).toEqual([200, 0])
  await grant('Secret', ben, 'RWS')
  expect(await rows()).toEqual([200, 3])
})

test('publishing needs the right to share every group of the insight, by whatever kind of tile it is shown', async () => {
  await grant('Carls', anna, 'RW')
  const file = { groupName: 'Carls', fileName: 'any.md' }
  const { id } = await anna.call(createDataPrep, {
    body: {
      dataPrep: {
        name: `Over Carls ${++count}`,
        outputGroup: 'Prices',
        symbols: asked('A', 'Carls').symbols,
      },
    },
  } as never)
  const source = (type: string, value: object) => ({ source: { type, value } })
  const contents: Record<string, object> = {
    series: { tiles: [table('t')], datapreps: { t: asked('A', 'Carls') } },
    'data prep': { tiles: [table('t', source('DATA_PREP', { id }))] },
    file: { tiles: [table('t', source('FILE', file))] },
    text: { tiles: [{ id: 't', type: 'Text', title: 't', ...source('FILE', file) }] },
    image: { tiles: [{ id: 't', type: 'IMAGE', title: 't', ...source('FILE', file) }] },
    'header box': { tiles: [], headerBoxes: [{ id: 'b', series: asked('A', 'Carls').symbols }] },
    parameters: { tiles: [], inputParams: { p1: { groupName: 'Carls', keys: [{ symbolKey: 'Code' }] } } },
    'file of parameters': {
      tiles: [],
      inputParams: { p1: { basicInputParamsType: 'FILE', csvFile: { groupName: 'Carls', name: 'a.csv' } } },
    },
    basket: {
      tiles: [table('t', { source: { type: 'BASKET', value: 'BASKET' } })],
      basket: { items: asked('A', 'Carls').symbols },
    },
  }
  for (const [kind, more] of Object.entries(contents)) {
    const place = { groupName: 'Board', insightName: `By ${kind}` }
    const content = { ...emptyContent(), ...more } as InsightContent
    await anna.call(createInsight, { body: { ...place, content } })
    const { status, body } = await refusal(
      anna.call(updatePublicStatus, { body: { ...place, isPublic: true } }),
    )
    expect([status, body.code], kind).toEqual([403, 'publishingNotAllowed'])
    expect(body.message).toBe(
      `“By ${kind}” cannot be public: it shows the group “Carls”, which you may not share. ` +
        'Only users with the access RWS on every group that an insight shows can publish it. ' +
        'Ask the owners for this access, or remove what shows these groups.',
    )
    expect((await anna.call(getPublicStatus, { query: place })).isPublic, kind).toBe(false)
  }
  await grant('Carls', anna, 'RWS')
  const place = { groupName: 'Board', insightName: 'By series' }
  expect((await anna.call(updatePublicStatus, { body: { ...place, isPublic: true } })).isPublic).toBe(true)
})

test('a save of a public insight by a user who may not share a group it shows is refused, as is a restore and a logo', async () => {
  const place = await publish([table('t')], { t: asked('A') })
  const first = await anna.call(getInsight, { params: place })
  await grant('Board', ben, 'RW')
  await grant('Prices', ben, 'R')
  const body = { oldGroupName: 'Board', oldInsightName: place.insightName, content: first.content }
  const { status, body: said } = await refusal(ben.call(updateInsight, { body }))
  expect([status, said.code]).toEqual([403, 'saveWouldPublish'])
  expect(said.message).toContain('this save would publish the group “Prices”, which you may not share')
  const restored = ben.call(restoreInsightVersion, { params: { ...place, version: 1 }, body: {} })
  expect((await refusal(restored)).body.code).toBe('saveWouldPublish')
  const { items } = await anna.call(searchFiles, { query: { query: 'groupName=Prices&name=notes.md' } })
  const fields = [{ name: 'logo', value: items[0]!.fid }]
  const logo = ben.call(patchInsight, { body: { ...place, fields } })
  expect((await refusal(logo)).body.code).toBe('saveWouldPublish')
  expect((await anna.call(getInsight, { params: place })).version).toBe(first.version)

  // What may be seen by nobody else can be saved by every author.
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: false } })
  await ben.call(updateInsight, { body })
})

test('a public view shows nothing of a group any more once its publisher may only read it', async () => {
  await grant('Carls', anna, 'RWS')
  const place = await publish([table('c')], { c: asked('A', 'Carls') })
  const key = { groupName: wordIn(await view(place), 'c'), symbols: { Code: 'A' }, columns: ['Close'] }
  const status = async () => (await ask(place, { keys: [key], range: 'ALL' })).status
  expect(await status()).toBe(200)
  await grant('Carls', anna, 'RW')
  expect(await status()).toBe(404)
})

test('users who may share a group see the public views over it, of whichever publisher, and end them', async () => {
  await grant('Carls', anna, 'RWS')
  await grant('Prices', anna, 'RWS')
  const views = async (session: Session, groupName: string) =>
    (await session.call(listPublicViews, { query: { groupName } })).items
  const place = await publish([table('c')], { c: asked('A', 'Carls') })
  const { id } = await anna.call(createDataPrep, {
    body: {
      dataPrep: { name: `Ended ${count}`, outputGroup: 'Prices', symbols: asked('A', 'Carls').symbols },
    },
  } as never)
  const byPrep = await publish([table('p', { source: { type: 'DATA_PREP', value: { id } } })])
  await publish([table('t')], { t: asked('A') })
  const listed = await views(carl, 'Carls')
  expect(listed.map(({ insightName }) => insightName)).toEqual(
    expect.arrayContaining([place.insightName, byPrep.insightName]),
  )
  expect(listed[0]).toMatchObject({ groupName: 'Board', publisher: anna.userName, expirationDate: null })
  // Earlier tests of this file publish over this group, too, but none of what the last one shows.
  expect(listed.map(({ insightName }) => insightName)).not.toContain(`Public ${count}`)
  await grant('Carls', ben, 'RW')
  expect((await refusal(views(ben, 'Carls'))).body.code).toBe('groupForbidden')

  const end = (session: Session, groupName: string, insightName: string) =>
    session.call(endPublicView, { query: { groupName, insightGroupName: 'Board', insightName } })
  expect((await refusal(end(ben, 'Carls', place.insightName))).body.code).toBe('groupForbidden')
  expect((await refusal(end(carl, 'Carls', `Public ${count}`))).body.code).toBe('publicViewNotFound')
  await end(carl, 'Carls', place.insightName)
  expect((await refusal(view(place))).body.code).toBe('publicInsightNotFound')
  expect(infoValue((await anna.call(getInsight, { params: place })).fields, 'public_view')).toBe('false')
  const left = (await views(carl, 'Carls')).map(({ insightName }) => insightName)
  expect(left).not.toContain(place.insightName)
  expect(left).toContain(byPrep.insightName)
})

test('a visitor is offered the values that a link allows: those it lists, or all that the publisher may share', async () => {
  const inputParams = {
    p1: {
      groupName: 'Prices',
      keys: [
        { symbolKey: 'Code', defaultValue: 'A' },
        { symbolKey: 'Unit', symbolType: 'METADATA' },
      ],
    },
  }
  const place = { groupName: 'Board', insightName: `Public ${++count}` }
  const content = {
    ...emptyContent(),
    tiles: [table('t', { sourceInputParamsId: 'p1' })],
    datapreps: { t: asked('A') },
    inputParams,
  } as InsightContent
  await anna.call(createInsight, { body: { ...place, content } })
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: true } })
  const linkTo = async (values: string[]) => (await link(place, [{ name: 'Code', values }])).link
  const any = await linkTo(['*'])
  const group = wordIn(await view(place), 't')
  const values = async (given: string, body: object) => {
    const params = { groupName: 'Board', fileName: place.insightName }
    const asking = { params, query: { link: given }, body: { group, key: 'code', ...body } }
    return (await server.nobody.call(listPublicValues, asking)).items
  }
  // Other tests add symbols to the group.
  const ofUploads = async (given: string, body: object) =>
    (await values(given, body)).filter((value) => value.length === 1)
  expect(await ofUploads(any, {})).toEqual(['A', 'B', 'C'])
  expect(await ofUploads(any, { query: 'b' })).toEqual(['B'])
  expect(await values(any, { query: 'B', symbols: { Code: 'B' } })).toEqual(['B'])
  expect(await values(await linkTo(['C', 'D']), { query: 'c' })).toEqual(['C'])
  expect((await refusal(values('', {}))).body.code).toBe('questionNotInInsight')
  expect((await refusal(values(any, { key: 'Unit' }))).body.code).toBe('questionNotInInsight')
  expect((await refusal(values(any, { group: 'Prices' }))).body.code).toBe('questionNotInInsight')
})

test('how a range is counted and what was known when is that of the tile, no more and no less', async () => {
  const counted = { lastType: 'DAYS', lastTypeAmount: 30 }
  const places = {
    next: { range: 'NEXT', lastTypeAmount: 5 },
    clock: { range: 'LAST', ...counted, time: '16:30', timezone: 'Europe/Oslo', timeZone: 'Europe/London' },
    known: { range: 'ALL', onDateTime: '2999-01-31' },
    zone: { range: 'LAST', ...counted, timeZone: 'Europe/Oslo' },
    work: { range: 'LAST', lastType: 'WORKING_DAYS', lastTypeAmount: 30, holidayCalendar: 'No such' },
  }
  const asData = Object.fromEntries(Object.keys(places).map((id, at) => [id, asked(`${'ABC'[at % 3]}`)]))
  const own: Record<string, { right: object; wrong: object[] }> = {
    next: {
      right: { range: 'NEXT', lastTypeAmount: 5 },
      wrong: [
        { range: 'LAST', lastTypeAmount: 5 },
        { range: 'NEXT', lastTypeAmount: 6 },
      ],
    },
    clock: {
      right: {
        range: 'LAST',
        ...counted,
        timeZone: 'Europe/London',
        lastTypeOnTime: '16:30',
        lastTypeOnTimeTimezone: 'Europe/Oslo',
      },
      wrong: [
        { lastTypeOnTime: undefined },
        { lastTypeOnTime: '16:31' },
        { lastTypeOnTimeTimezone: 'UTC' },
        { lastTypeOnTimeTimezone: undefined },
        { timeZone: 'UTC' },
      ],
    },
    known: {
      right: { range: 'ALL', onDateTime: '2999-01-31' },
      wrong: [{ onDateTime: undefined }, { onDateTime: '2026-01-01' }],
    },
    zone: { right: { range: 'LAST', ...counted, timeZone: 'Europe/Oslo' }, wrong: [{ timeZone: 'UTC' }] },
    work: {
      right: { ...places.work },
      wrong: [{ holidayCalendar: undefined }, { holidayCalendar: 'Another' }],
    },
  }
  for (const [id, { right, wrong }] of Object.entries(own)) {
    const place = await publish([table(id, places[id as keyof typeof places])], { [id]: asData[id] })
    const { symbols } = asData[id] as ReturnType<typeof asked>
    const key = { groupName: wordIn(await view(place), id), symbols: symbols[0]!.symbols, columns: ['Close'] }
    const code = async (question: object) => {
      const { status, text } = await ask(place, { keys: [key], ...question })
      return status === 200 ? 200 : (JSON.parse(text) as { code: string }).code
    }
    // The calendar is not there, which is told only to who may ask by it.
    expect(await code(right), id).not.toBe('questionNotInInsight')
    if (id !== 'work') expect(await code(right), id).toBe(200)
    for (const more of wrong)
      expect(await code({ ...right, ...more }), `${id} ${JSON.stringify(more)}`).toBe('questionNotInInsight')
  }
})

test('ids of files do not go out, the file of a tile does', async () => {
  const { fileId } = await upload(anna, { groupName: 'Prices', fileName: 'table.csv', content: 'a,b\n1,2\n' })
  const named = { groupName: 'Prices', fileName: 'table.csv' }
  const source = { type: 'FILE', value: { ...named, id: fileId, fid: fileId } }
  const place = { groupName: 'Board', insightName: 'Files by id' }
  const csvFile = { id: fileId, name: 'table.csv', groupName: 'Prices' }
  const content = {
    ...emptyContent(),
    tiles: [table('f', { source })],
    inputParams: { p: { basicInputParamsType: 'FILE', csvFile } },
  }
  await anna.call(createInsight, { body: { ...place, content: content as InsightContent } })
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: true } })
  const opened = await view(place)
  expect(JSON.stringify(opened)).not.toContain(fileId)
  const { value } = opened.content.tiles[0]!.source as typeof source
  expect(Object.keys(value).toSorted()).toEqual(['fileName', 'groupName'])
  expect(await (await file(place, value.groupName, 'table.csv')).text()).toBe('a,b\n1,2\n')
  const version = async () => {
    const params = { groupName: 'Board', fileName: place.insightName }
    const query = { group: value.groupName, name: 'table.csv' }
    return server.nobody.call(getPublicFileVersion, { params, query })
  }
  const first = await version()
  expect([first.size, await version()]).toEqual([8, first])
  await upload(anna, { groupName: 'Prices', fileName: 'table.csv', content: 'a,b\n3,4\n5,6\n' })
  expect((await version()).version).not.toBe(first.version)
  expect((await version()).size).toBe(12)
})

test('a database that fails is told as that, not as a view that is not there', async () => {
  const place = await publish([])
  const { pool } = server.running.platform.database
  await pool.query('alter table insight_shares rename to insight_shares_away')
  try {
    expect((await refusal(view(place))).status).toBe(500)
  } finally {
    await pool.query('alter table insight_shares_away rename to insight_shares')
  }
  expect((await view(place)).insightName).toBe(place.insightName)
})

test('where sharing is switched off no public view opens and no link is made', async () => {
  const closed = await startTestServer({ env: { HEADWATER_SHARING_ENABLED: 'false' } })
  try {
    const dora = await closed.createUser({ email: 'dora@example.com' })
    const place = { groupName: 'Doras', insightName: 'Hers' }
    await dora.call(createGroup, { body: { name: 'Doras' } })
    await dora.call(createInsight, { body: { ...place, content: emptyContent() } })
    // As it was published before.
    await closed.running.platform.database.pool.query(
      `with made as (insert into insights (group_id, name) select id, 'Hers' from groups where name = 'Doras' returning id)
        insert into insight_publications select made.id, users.id, 'key', now(), null from made, users where user_name = $1`,
      [dora.userName],
    )
    const params = { groupName: 'Doras', fileName: 'Hers.json' }
    expect((await refusal(closed.nobody.call(getPublicInsight, { params, query: {} }))).body.code).toBe(
      'publicInsightNotFound',
    )
    const making = dora.call(createPublicLink, { body: { ...place, parameters: [], dates: false } })
    expect((await refusal(making)).body.code).toBe('sharingOff')
  } finally {
    await closed.stop()
  }
})

test('a form is taken only where one is asked for; no more are kept than that, and none after the view', async () => {
  const place = await publish([])
  const form = { company: 'ACME', email: 'vera@example.com', fullName: 'Vera' }
  const submit = () => server.nobody.call(submitPublicAccess, { body: { ...place, ...form } })
  const { pool } = server.running.platform.database
  const kept = async () => {
    const { rows } = await pool.query(
      `select count(*)::int as count, max(full_name) as newest from insight_visitors
        join insights on insights.id = insight_id where name = $1`,
      [place.insightName],
    )
    return (rows as { count: number; newest: string | null }[])[0]!
  }
  expect((await refusal(submit())).body.code).toBe('formNotAsked')
  expect((await kept()).count).toBe(0)
  await askForForm(place)
  await pool.query(
    `insert into insight_visitors (insight_id, company, email, full_name, discount_code, submitted_at)
      select id, '', '', 'Early', '', '2020-01-01'::timestamptz from insights, generate_series(1, 10000) where name = $1`,
    [place.insightName],
  )
  await submit()
  expect(await kept()).toEqual({ count: 10_000, newest: 'Vera' })
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: false } })
  expect((await kept()).count).toBe(0)
})

/** How many wait for somebody else's lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await server.running.platform.database.pool.query(`select 1 from pg_locks
    join pg_database on oid = database
    where locktype = 'advisory' and not granted and datname = current_database()`)
  return rows.length
}

test('who publishes while somebody else does keeps the key of their links', async () => {
  const place = { groupName: 'Board', insightName: 'At once' }
  await anna.call(createInsight, { body: { ...place, content: emptyContent() } })
  const { pool } = server.running.platform.database
  const first = await pool.connect()
  try {
    await first.query(`begin`)
    await first.query(`select pg_advisory_xact_lock(hashtextextended('insight shares', 0))`)
    const second = anna.call(updatePublicStatus, { body: { ...place, isPublic: true } })
    await expect.poll(() => countWaiting(), { timeout: 10_000 }).toBe(1)
    await first.query(
      `with made as (insert into insights (group_id, name) select id, $1 from groups where name = 'Board' returning id)
        insert into insight_publications select made.id, users.id, 'first key', now(), null from made, users where user_name = $2`,
      [place.insightName, anna.userName],
    )
    await first.query('commit')
    expect((await second).isPublic).toBe(true)
  } finally {
    first.release()
  }
  const { rows } = await pool.query(
    `select signing_key from insight_publications join insights on insights.id = insight_id where name = $1`,
    [place.insightName],
  )
  expect(rows).toEqual([{ signing_key: 'first key' }])
})

test('an insight that goes while it is made public is told as gone, and nothing of it stays public', async () => {
  const place = { groupName: 'Board', insightName: 'Going' }
  await anna.call(createInsight, { body: { ...place, content: emptyContent() } })
  const { pool } = server.running.platform.database
  const first = await pool.connect()
  try {
    await first.query(`begin`)
    await first.query(`select pg_advisory_xact_lock(hashtextextended('insight shares', 0))`)
    const refused = expect(
      anna.call(updatePublicStatus, { body: { ...place, isPublic: true } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect.poll(() => countWaiting(), { timeout: 10_000 }).toBe(1)
    await first.query(`delete from files where name = 'Going.json'`)
    await first.query('commit')
    await refused
  } finally {
    first.release()
  }
  const { rows } = await pool.query(`select 1 from insights where name = 'Going'`)
  expect(rows).toEqual([])
})

test('IN-044 IN-371 the public status can expire: an expired view answers 410, an unknown one 404', async () => {
  const soon = new Date(Date.now() + 60_000).toISOString()
  const place = await publish([table('t')], { t: asked('A') }, { expirationDate: soon })
  const { fields, version } = await anna.call(getInsight, { params: place })
  expect(infoValue(fields, 'public_view')).toBe('true')
  expect(infoValue(fields, 'public_view_expiration')).toBe(soon.slice(0, 19))
  // The call is separate from saving: it makes no new version.
  expect(version).toBe(1)
  const key = { groupName: wordIn(await view(place), 't'), symbols: { Code: 'A' }, columns: ['Close'] }
  offsetMs = 120_000
  const ended = await refusal(view(place))
  expect([ended.status, ended.body.code]).toEqual([410, 'publicViewEnded'])
  expect((await ask(place, { keys: [key], range: 'ALL' })).status).toBe(410)
  expect(await anna.call(getInsight, { params: place })).toMatchObject({ isPublic: false })
  const past = anna.call(updatePublicStatus, {
    body: { ...place, isPublic: true, expirationDate: '2020-01-01' },
  })
  expect((await refusal(past)).body.validationErrors).toMatchObject([{ field: 'expirationDate' }])
  // In UTC it lies in the year 10000, which no ISO date-time of four digits says.
  const tooLate = anna.call(updatePublicStatus, {
    body: { ...place, isPublic: true, expirationDate: '9999-12-31T23:00:00-05:00' },
  })
  expect(await refusal(tooLate)).toMatchObject({ status: 400, body: { code: 'expirationTooLate' } })
  offsetMs = 0
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: false } })
  const withdrawn = await anna.call(getInsight, { params: place })
  expect(infoValue(withdrawn.fields, 'public_view')).toBe('false')
  expect(infoValue(withdrawn.fields, 'public_view_expiration') ?? '').toBe('')
  const bodies = await Promise.all(
    [place, { ...place, insightName: 'never was' }, { ...place, groupName: 'no group' }].map(async (each) => {
      const { status, body } = await refusal(view(each))
      return { status, code: body.code, message: body.message }
    }),
  )
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(bodies[0]).toMatchObject({ status: 404, code: 'publicInsightNotFound' })
})

test('a public view ends with its publisher, with the right to publish and with the insight', async () => {
  const dora = await server.createUser({ email: 'dora@example.com' })
  await dora.call(createGroup, { body: { name: 'Doras' } })
  const place = { groupName: 'Doras', insightName: 'Hers' }
  const make = () => dora.call(createInsight, { body: { ...place, content: emptyContent() } })
  await make()
  await dora.call(updatePublicStatus, { body: { ...place, isPublic: true } })
  expect((await view(place)).insightName).toBe('Hers')
  await dora.call(deleteInsight, { body: place })
  await make()
  expect((await refusal(view(place))).status).toBe(404)
  await dora.call(updatePublicStatus, { body: { ...place, isPublic: true } })
  const { accounts } = server.running.platform
  const { userId } = (await accounts.findUserByName(dora.userName))!
  await accounts.setUserStatus(userId, 'INACTIVE')
  expect((await refusal(view(place))).status).toBe(404)
})

const link = (place: Place, parameters: AllowedParameter[], dates = false) =>
  anna.call(createPublicLink, { body: { ...place, parameters, dates } })

test('a link allows the parameters it was made for and no others; a changed one is told', async () => {
  const place = await publish([table('t')], { t: asked('A') })
  const other = await publish([table('t')], { t: asked('A') })
  const made = await link(place, [{ name: 'Code', values: ['B'] }])
  expect(made.path).toBe(`/Public/Insight/Board/${encodeURIComponent(place.insightName)}?link=${made.link}`)
  const groupName = wordIn(await view(place), 't')
  const status = async (Code: string, given: string, where = place) => {
    const key = { groupName, symbols: { Code }, columns: ['Close'] }
    return (await ask(where, { keys: [key], range: 'ALL' }, { link: given })).status
  }
  expect([await status('A', made.link), await status('B', made.link), await status('C', made.link)]).toEqual([
    200, 200, 403,
  ])
  expect((await view(place, { link: made.link })).parameters).toEqual([{ name: 'Code', values: ['B'] }])
  expect(await status('B', '')).toBe(403)
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
    expect(await status('B', tampered), tampered).toBe(400)
  expect((await refusal(view(place, { link: `${forged}.${signature}` }))).body.code).toBe('linkTampered')
  expect((await refusal(view(other, { link: made.link }))).body.code).toBe('linkTampered')
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: false } })
  expect((await refusal(link(place, []))).body.code).toBe('notPublic')
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: true } })
  expect((await refusal(view(place, { link: made.link }))).body.code).toBe('linkTampered')
})

test('links with choices are listed and ended one by one; the plain link and the others stay', async () => {
  const place = await publish([table('t')], { t: asked('A') })
  const first = await link(place, [{ name: 'Code', values: ['B'] }])
  const second = await link(place, [{ name: 'Code', values: ['*'] }], true)
  await link(place, [])
  const listed = async () => (await anna.call(listPublicLinks, { query: place })).items
  const before = await listed()
  expect(before.map(({ path, parameters, dates }) => [path, parameters, dates])).toEqual([
    [second.path, [{ name: 'Code', values: ['*'] }], true],
    [first.path, [{ name: 'Code', values: ['B'] }], false],
  ])
  // the same choices are the same link
  expect(await link(place, [{ name: 'Code', values: ['B'] }])).toEqual(first)
  expect(await listed()).toHaveLength(2)

  await anna.call(endPublicLink, { query: { ...place, key: before[1]!.key } })
  expect(await listed()).toEqual([before[0]])
  expect((await refusal(view(place, { link: first.link }))).body.code).toBe('linkTampered')
  expect((await view(place, { link: second.link })).dates).toBe(true)
  expect((await view(place)).parameters).toEqual([])
  const again = await link(place, [{ name: 'Code', values: ['B'] }])
  expect(again.link).not.toBe(first.link)

  for (const isPublic of [false, true]) await anna.call(updatePublicStatus, { body: { ...place, isPublic } })
  expect(await listed()).toEqual([])
})

test('a public insight has at most 100 links with choices', async () => {
  const place = await publish([table('t')], { t: asked('A') })
  for (let value = 0; value < 100; value++) await link(place, [{ name: 'Code', values: [String(value)] }])
  const refused = await refusal(link(place, [{ name: 'Code', values: ['one more'] }]))
  expect(refused.body.code).toBe('tooManyPublicLinks')
  expect((await link(place, [{ name: 'Code', values: ['7'] }])).link).not.toBe('')
})

test('a link with dates lets visitors choose the range of dates; a star in it means any value', async () => {
  const last = { range: 'LAST', lastTypeAmount: 1 }
  const place = await publish([table('t', last)], { t: asked('A*', 'Prices', { pattern: true }) })
  const groupName = wordIn(await view(place), 't')
  const dated = await link(place, [{ name: 'Code', values: ['B'] }], true)
  const any = await link(place, [{ name: 'code', values: ['*'] }], true)
  const status = async (Code: string, given: string) => {
    const key = { groupName, symbols: { Code }, columns: ['Close'], pattern: true }
    return (await ask(place, { keys: [key], range: 'ALL' }, { link: given })).status
  }
  expect([await status('A*', dated.link), await status('A*', ''), await status('B', dated.link)]).toEqual([
    200, 403, 200,
  ])
  expect([await status('*', dated.link), await status('B*', dated.link)]).toEqual([403, 403])
  expect([await status('*', any.link), await status('C', any.link)]).toEqual([200, 200])
})

test('a link with dates opens no other range of a tile that keeps its own, nor one counted from now', async () => {
  const last = { range: 'LAST', lastTypeAmount: 2 }
  const inputParams = { p1: { withDateRange: true, dataRange: 'ALL' } }
  const kept = { ...last, keepOwnRange: true, sourceInputParamsId: 'p1' }
  const box = { id: 'x', title: 'B', content: 'STATISTIC', ...last }
  const place = { groupName: 'Board', insightName: 'Kept ranges' }
  const content = {
    ...emptyContent(),
    tiles: [table('k', kept), table('f', last)],
    datapreps: { k: asked('A'), f: asked('B') },
    headerBoxes: [{ ...box, series: [{ groupName: 'Prices', symbols: { Code: 'C' }, column: 'Close' }] }],
    inputParams,
  } as InsightContent
  await anna.call(createInsight, { body: { ...place, content } })
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: true } })
  const groupName = wordIn(await view(place), 'k')
  const dated = await link(place, [], true)
  const status = async (Code: string, range: object) => {
    const key = { groupName, symbols: { Code }, columns: ['Close'] }
    return (await ask(place, { keys: [key], ...range }, { link: dated.link })).status
  }
  for (const Code of ['A', 'B', 'C']) expect(await status(Code, last)).toBe(200)
  const month = { range: 'LAST', lastType: 'MONTHS', lastTypeAmount: 1 }
  const since = { range: 'BETWEEN', startDate: '2026-01-01T00:00:00.000' }
  for (const chosen of [{ range: 'ALL' }, month, since])
    expect([await status('A', chosen), await status('B', chosen), await status('C', chosen)]).toEqual([
      403, 200, 403,
    ])
  expect(await status('B', { range: 'NEXT', lastTypeAmount: 2 })).toBe(403)
})

const exact = { pattern: true, patternExactMatch: true }

test('a tile that is bound to parameters is asked for with their initial values, range and conditions', async () => {
  const without = { name: 'metadata.Note', operator: 'IS_EMPTY', value: '' }
  const inputParams = {
    p1: {
      keys: [{ symbolKey: 'code', defaultValue: 'B' }],
      filters: [{ name: 'Close', operator: 'GREATER', value: '1' }, without],
      withDateRange: true,
      dataRange: 'LAST',
      lastValue: 2,
    },
  }
  const place = { groupName: 'Board', insightName: 'Bound' }
  const tiles = [table('t', { sourceInputParamsId: 'p1' })]
  const content = { ...emptyContent(), tiles, datapreps: { t: asked('A') }, inputParams } as InsightContent
  await anna.call(createInsight, { body: { ...place, content } })
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: true } })
  const groupName = wordIn(await view(place), 't')
  const filters = [{ name: 'Close', operator: 'GREATER', value: '1' }, without]
  const status = async (Code: string, more: object = {}, query = {}) => {
    const keys = [{ groupName, symbols: { Code }, columns: ['Close'], ...exact }]
    return (await ask(place, { keys, range: 'LAST', lastTypeAmount: 2, filters, ...more }, query)).status
  }
  expect(await status('B')).toBe(200)
  expect([await status('A'), await status('*'), await status('B', { range: 'ALL' })]).toEqual([403, 403, 403])
  expect([await status('B', { filters: [] }), await status('B', { lastTypeAmount: 3 })]).toEqual([403, 403])
  expect(await status('B', { filters: filters.slice(0, 1) })).toBe(403)
  const more = [...filters, { name: 'metadata.Desk', operator: 'EQUALS', value: 'x' }]
  expect(await status('B', { filters: more })).toBe(403)
  const made = await link(place, [
    { name: 'Code', values: ['C'] },
    { name: 'Desk', values: ['x'] },
  ])
  expect(await status('C', { filters: more }, { link: made.link })).toBe(200)
})

test('a chart and stats that are bound to parameters are asked for by the symbol the parameters begin with, and no other', async () => {
  const inputParams = { p1: { keys: [{ symbolKey: 'Code', defaultValue: 'B' }] } }
  const place = { groupName: 'Board', insightName: 'Bound figures' }
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
    // shows the same symbol of itself, but less of it
    { id: 'n', title: 'New', type: 'Table', range: 'LAST', lastTypeAmount: 1 },
  ]
  const content = { ...emptyContent(), tiles, datapreps: { n: asked('B') }, inputParams } as InsightContent
  await anna.call(createInsight, { body: { ...place, content } })
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: true } })
  const groupName = wordIn(await view(place), 'n')
  const status = async (symbols: object, more: object = {}, query = {}) => {
    const keys = [{ groupName, symbols, columns: ['Close'], ...more }]
    return (await ask(place, { keys, range: 'LAST', lastTypeAmount: 2 }, query)).status
  }
  expect(await status({ Code: 'B' })).toBe(200)
  expect([await status({ Code: 'A' }), await status({ Code: '*' }), await status({})]).toEqual([
    403, 403, 403,
  ])
  expect(await status({ Code: 'B', Region: 'x' })).toBe(403)
  expect(await status({ Code: 'B' }, { columns: [] })).toBe(403)
  expect(await status({ Code: 'B' }, { pattern: true })).toBe(403)
  const { link: given } = await link(place, [{ name: 'Code', values: ['C'] }])
  expect([
    await status({ Code: 'C' }, {}, { link: given }),
    await status({ Code: 'A' }, {}, { link: given }),
  ]).toEqual([200, 403])
})

test('a tile shows another tile, the basket and a saved data prep to visitors as to its author', async () => {
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
  const place = { groupName: 'Board', insightName: 'Sources' }
  const tiles = [
    table('o', { hidden: true }),
    table('s', { source: { type: 'SOURCE_TILE', value: 'o' } }),
    table('b', { source: { type: 'DATA_PREP', value: 'BASKET' } }),
    table('p', { source: { type: 'DATA_PREP', value: { id: prep.id } } }),
  ]
  const basket = { items: asked('B').symbols, settings: { range: 'ALL' } }
  const content = { ...emptyContent(), tiles, datapreps: { o: asked('A') }, basket } as InsightContent
  await anna.call(createInsight, { body: { ...place, content } })
  await anna.call(updatePublicStatus, { body: { ...place, isPublic: true } })
  const opened = await view(place)
  const text = JSON.stringify(opened)
  for (const secret of ['Prices', 'Secret', prep.id]) expect(text).not.toContain(secret)
  const address = (
    opened.content.tiles.find(({ id }) => id === 'p')!.source as { value: { groupName: string } }
  ).value
  const query = { group: address.groupName, name: 'Saved' }
  const params = { groupName: 'Board', fileName: 'Sources' }
  const details = await server.nobody.call(getPublicDataPrep, { params, query })
  expect(JSON.stringify(details)).not.toMatch(/Prices|Secret|anna/)
  const rows = async (key: object, range: object = { range: 'ALL' }) => {
    const answer = await ask(place, { keys: [{ columns: ['Close'], ...key }], ...range })
    return answer.status === 200 ? rowsOf(answer.text) : answer.status
  }
  const groupName = wordIn(opened, 'o')
  expect(await rows({ groupName, symbols: { Code: 'A' } })).toBe(3)
  expect(await rows({ groupName, symbols: { Code: 'B' } })).toBe(3)
  const asPrep = { ...details.symbols[0], columns: ['Volume'] }
  expect(await rows(asPrep, { range: 'LAST', lastType: 'VALUES', lastTypeAmount: 1, timeZone: 'UTC' })).toBe(
    1,
  )
  expect(await rows(asPrep)).toBe(403)
  expect(
    await rows({ ...asPrep, columns: ['Close'] }, { range: 'LAST', lastType: 'VALUES', lastTypeAmount: 1 }),
  ).toBe(403)
  const other = { ...query, name: 'Other' }
  expect((await refusal(server.nobody.call(getPublicDataPrep, { params, query: other }))).status).toBe(403)
})

test('IN-156 of all tile types a public view shows the visualisation types only', async () => {
  const types = ['Text', 'Chart', 'Table', 'CODE', 'PDF', 'IMAGE', 'STATS', 'SEARCH']
  const others = ['AUTO_PIPELINE', 'STATUS', 'DIAGRAM', 'HEADER', 'FOOTER', 'MAP', 'INPUT_PARAMS']
  const place = await publish([...others, ...types].map((type) => ({ id: type, title: type, type })))
  expect((await view(place)).content.tiles.map(({ type }) => type)).toEqual(types)
})

test('IN-162 a framed reader and a reader without access see visualisation tiles, whatever else they may see', async () => {
  const tiles = ['Text', 'STATUS', 'HOLOGRAM', 'Chart'].map((type) => ({ id: type, title: type, type }))
  const seen = (sight: Parameters<typeof visibleTiles>[1]) =>
    visibleTiles(tiles, sight).map(({ type }) => type)
  const shown = ['Text', 'Chart']
  expect(seen({ workflows: true, visualisations: false, framed: true })).toEqual(shown)
  expect(seen({ workflows: false, visualisations: false, framed: false })).toEqual(shown)
  // A public view is the same for everybody, with or without access to workflows.
  const place = await publish(tiles)
  const path = `/insight/public/proxy/Board/${encodeURIComponent(place.insightName)}.json`
  for (const caller of [server.nobody, anna, server.admin]) {
    const { content } = (await (await caller.fetch(path)).json()) as PublicInsight
    expect(content.tiles.map(({ type }) => type)).toEqual(shown)
  }
})

test('IN-156 a public view leaves out hidden tiles, actions, the footer and data of other tiles', async () => {
  const place = await publish(
    [
      { id: 'w', title: 'Runs', type: 'STATUS' },
      table('h', { hidden: true }),
      table('t', { actions: [{ actionName: 'run', groupName: 'Secret' }] }),
      { id: 'x', title: 'Unknown', type: 'HOLOGRAM' },
      table('s', { source: { type: 'SOURCE_TILE', value: 'h2' } }),
      table('h2', { hidden: true }),
    ],
    { t: asked('A'), h: asked('B'), w: asked('C') },
  )
  const { content } = await view(place)
  expect(content.tiles.map(({ id }) => id)).toEqual(['t', 's', 'h2'])
  expect(content.tiles[0]).not.toHaveProperty('actions')
  expect(Object.keys(content.datapreps ?? {})).toEqual(['t'])
  expect(content.footer).toEqual({ buttons: [] })
  expect(JSON.stringify(content)).not.toContain('Secret')
})

test('IN-158 IN-160 IN-163 IN-372 IN-373 visitors see the first N tiles until they submit the form, then all tiles', async () => {
  const place = await publish([table('a'), table('b'), table('c')], {
    a: asked('A'),
    b: asked('B'),
    c: asked('C'),
  })
  const set = (name: string, value: string) =>
    anna.call(patchInsight, { body: { ...place, fields: [{ name, value }] } })
  const all = await view(place)
  const groupName = wordIn(all, 'c')
  expect([all.content.tiles.length, all.selfActivation]).toEqual([3, null])
  await set('is_self_activation_required', 'true')
  const shown = async (token?: string) => (await view(place, token ? { token } : {})).content.tiles.length
  expect(await shown()).toBe(0)
  await set('self_activation_tiles', '0')
  expect(await shown()).toBe(0)
  await set('self_activation_tiles', '2')
  const some = await view(place)
  expect(some.selfActivation).toEqual({ tiles: 2, hiddenTiles: 1 })
  expect(some.content.tiles.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(await shown()).toBe(2)
  const question = { keys: [{ groupName, symbols: { Code: 'C' }, columns: ['Close'] }], range: 'ALL' }
  expect((await ask(place, question)).status).toBe(403)

  const form = { company: 'ACME', email: 'vera@example.com', fullName: 'Vera', discountCode: 'X1' }
  const { token, expires } = await server.nobody.call(submitPublicAccess, { body: { ...place, ...form } })
  expect(await shown(token)).toBe(3)
  expect((await ask(place, question, { token })).status).toBe(200)
  const validate = (given: string, where = place) =>
    server.nobody.call(validatePublicAccess, { body: { ...where, token: given } })
  expect(await validate(token)).toEqual({ valid: true, expires })
  const later = `${Number(token.split('.')[0]) + 1}.${token.split('.')[1]}`
  const other = await publish([table('a')])
  for (const answer of [
    await validate(later),
    await validate('x'),
    await validate(token, other),
    await validate(token, { ...place, insightName: 'never was' }),
  ])
    expect(answer).toEqual({ valid: false, expires: null })
  expect([await shown(later), await shown('x')]).toEqual([2, 2])
  offsetMs = 31 * 86_400_000
  expect(await shown(token)).toBe(2)
  offsetMs = 0
  expect((await anna.call(listVisitors, { query: place })).items).toMatchObject([form])
  expect((await refusal(carl.call(listVisitors, { query: place }))).status).toBe(404)
  for (const wrong of [{ email: 'no' }, { company: '' }, { fullName: ' ' }, { fullName: 'a\nb' }])
    expect(
      (await refusal(server.nobody.call(submitPublicAccess, { body: { ...place, ...form, ...wrong } }))).body
        .validationErrors?.[0]?.field,
    ).toBe(Object.keys(wrong)[0])
})

test('an address may submit ten forms at once, and one more each minute', async () => {
  // A server of its own, as the limit counts the forms of all tests; its clock moves only when the test moves it.
  let now = new Date()
  const limited = await startTestServer({ clock: { now: () => now } })
  try {
    const place = { groupName: 'Limited', insightName: 'Form' }
    const { admin, nobody } = limited
    await admin.call(createGroup, { body: { name: 'Limited' } })
    await admin.call(createInsight, { body: { ...place, content: emptyContent() } })
    await admin.call(updatePublicStatus, { body: { ...place, isPublic: true } })
    const fields = [{ name: 'is_self_activation_required', value: 'true' }]
    await admin.call(patchInsight, { body: { ...place, fields } })
    const form = { company: 'ACME', email: 'vera@example.com', fullName: 'Vera' }
    const submit = () =>
      nobody.call(submitPublicAccess, { body: { ...place, ...form } }).then(
        () => 200,
        (error: unknown) => (error as CallError).status,
      )
    const answers: number[] = []
    for (let at = 0; at < 12; at += 1) answers.push(await submit())
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
    now = new Date(now.getTime() + 61_000)
    expect([await submit(), await submit()]).toEqual([200, 429])
  } finally {
    await limited.stop()
  }
})

const file = async ({ groupName, insightName }: Place, group: string, name: string) => {
  const query = new URLSearchParams({ group, name }).toString()
  return server.nobody.fetch(`/insight/public/file/${groupName}/${encodeURIComponent(insightName)}?${query}`)
}

test('a visitor reads the files of tiles that are shown and no others', async () => {
  const source = { type: 'FILE', value: { groupName: 'Prices', fileName: 'notes.md' } }
  const place = await publish([{ id: 'n', title: 'Notes', type: 'Text', source }])
  const { content } = await view(place)
  const word = (content.tiles[0]!.source as typeof source).value.groupName
  const notes = await file(place, word, 'notes.md')
  expect([notes.status, await notes.text(), notes.headers.get('content-disposition')]).toEqual([
    200,
    '# Notes',
    'attachment',
  ])
  for (const [group, name] of [
    [word, 'hidden.md'],
    ['Prices', 'notes.md'],
    [word, '../notes.md'],
    [word, `${place.insightName}.json`],
  ] as const)
    expect((await file(place, group, name)).status, name).toBe(403)
})

test('the logo of a public insight is a picture of a group that may be seen, whatever its field says', async () => {
  const place = await publish([])
  const logo = () =>
    server.nobody.fetch(`/insight/public/logo/Board/${encodeURIComponent(place.insightName)}`)
  expect((await logo()).status).toBe(404)
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await anna.fetch(
    putInsightLogo.path
      .replace(':groupName', 'Board')
      .replace(':insightName', encodeURIComponent(place.insightName)),
    {
      method: 'PUT',
      body: png,
    },
  )
  expect((await logo()).headers.get('content-type')).toBe('image/png')
  const foreign = await upload(carl, { groupName: 'Carls', fileName: 'a.png', content: new Uint8Array(png) })
  const fields = [{ name: 'logo', value: foreign.fileId }]
  await expect(anna.call(patchInsight, { body: { ...place, fields } })).rejects.toMatchObject({ status: 404 })
  await server.running.platform.database.pool.query(
    `update files set fields = jsonb_set(fields, '{logo}', to_jsonb($1::text)) where name = $2`,
    [foreign.fileId, `${place.insightName}.json`],
  )
  expect((await logo()).status).toBe(404)
})

test('who may write in the group makes no logo of a picture that only others may see', async () => {
  const place = await publish([table('t')])
  const picture = await upload(carl, { groupName: 'Carls', fileName: 'closed.png', content: 'x' })
  await grant('Board', ben, 'RW')
  const body = { ...place, fields: [{ name: 'logo', value: picture.fileId }] }
  await expect(ben.call(patchInsight, { body })).rejects.toMatchObject({ status: 404 })
})

test('links that let visitors set something, and who filled in the form, are for who made it public alone', async () => {
  const place = await publish([table('t')])
  await grant('Board', ben, 'RW')
  const parameters = [{ name: 'Code', values: ['*'] }]
  const more = { ...place, parameters, dates: false }
  await expect(ben.call(createPublicLink, { body: more })).rejects.toMatchObject({
    status: 403,
    body: { code: 'notPublisher' },
  })
  await expect(ben.call(createPublicLink, { body: { ...place, dates: true } })).rejects.toMatchObject({
    status: 403,
  })
  expect((await ben.call(createPublicLink, { body: place })).link).toBe('')
  await expect(ben.call(listVisitors, { query: place })).rejects.toMatchObject({ status: 403 })
  expect((await anna.call(createPublicLink, { body: more })).link).not.toBe('')
})

test('a definition of many tiles over many series costs visitors’ questions no more than it is long', async () => {
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
  symbols.push(asked('A').symbols[0]!)
  const place = await publish(tiles, { t0: { symbols } })
  const group = wordIn(await view(place), 't0')
  const one = { groupName: group, symbols: { Code: 'A' }, columns: ['Close'] }
  const many = Array.from({ length: 700 }, () => one)
  const ask = (keys: object[]) =>
    server.nobody.fetch(`/insight/public/data/${place.groupName}/${place.insightName}.json`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ keys, range: 'ALL', formatType: 'NCSV' }),
    })
  const answer = await ask(many)
  expect([answer.status, (await answer.text()).split('\n').length > 3]).toEqual([200, true])
  expect((await ask([{ ...one, symbols: { Code: 'N0' } }])).status).toBe(200)
  expect((await ask([{ ...one, symbols: { Code: 'B' } }])).status).toBe(403)
})

test('path tricks in names lead nowhere', async () => {
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
