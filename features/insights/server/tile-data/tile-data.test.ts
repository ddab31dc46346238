import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight, updateInsight } from '../../contract/index.ts'
import { getPublicInsight, updatePublicStatus } from '@headwater/publishing/contract'
import { readTileData, rowsOfTile, textOfTile, type ReadTile } from '@headwater/tile-data/testing'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  for (const name of ['Prices', 'Board']) await anna.call(createGroup, { body: { name } })
  await ben.call(createGroup, { body: { name: 'Bens' } })
  const rows = (code: string) => `${code},2026-01-01,1,9\n${code},2026-01-02,2,8\n${code},2026-01-03,3,7\n`
  const content = `Code,Date,Close,Volume\n${rows('A')}${rows('B')}${rows('C')}`
  await uploadSeries(anna, { groupName: 'Prices', content })
  await uploadSeries(ben, { groupName: 'Bens', content })
})
afterAll(() => server.stop())

const seriesOf = (Code: string, groupName = 'Prices') => ({
  symbols: [{ groupName, symbols: { Code }, valueColumnNames: ['Close'] }],
})
const table = (id: string, more: object = {}) => ({ id, title: id, type: 'Table', range: 'ALL', ...more })
const contentOf = (tiles: object[], datapreps: object, more: object = {}) =>
  ({ ...emptyContent(), tiles, datapreps, ...more }) as InsightContent

async function post(session: Session, path: string, body: object): Promise<ReadTile[] | { code: string }> {
  const response = await session.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 200) return (await response.json()) as { code: string }
  const { tiles } = body as { tiles: unknown[] }
  return readTileData(new Uint8Array(await response.arrayBuffer()), tiles.length)
}

/** Data of the tiles of a draft. */
async function draft(
  content: InsightContent,
  ids: readonly (string | object)[],
  choices: object = {},
  session = anna,
): Promise<ReadTile[]> {
  const tiles = ids.map((id) => (typeof id === 'string' ? { id } : id))
  const read = await post(session, '/insight/draft/data', { content, tiles, ...choices })
  expect(read).toBeInstanceOf(Array)
  return read as ReadTile[]
}

let count = 0
async function save(content: InsightContent) {
  const name = { groupName: 'Board', insightName: `Tiles ${++count}` }
  await anna.call(createInsight, { body: { ...name, content } })
  return { ...name, id: (await anna.call(getInsight, { params: name })).id }
}
const codes = (tile: ReadTile) => [...new Set(textOfTile(tile).match(/^[A-C](?=,)/gm))].join('')

test('a stored tile, a draft and the query of the tile return the same rows', async () => {
  const content = contentOf([table('t')], { t: seriesOf('A') })
  const { id } = await save(content)
  const [stored] = (await post(anna, `/insight/${id}/data`, { tiles: [{ id: 't' }] })) as ReadTile[]
  expect(stored).toEqual((await draft(content, ['t']))[0])
  expect(stored).toMatchObject({ done: true, hiddenGroups: [], results: [{ groupNames: ['Prices'] }] })
  const body = { keys: [{ groupName: 'Prices', symbols: { Code: 'A' }, columns: ['Close'] }], range: 'ALL' }
  const alone = await anna.fetch('/ts/stream?size=-1&order=desc', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/csv' },
    body: JSON.stringify({ ...body, formatType: 'NCSV' }),
  })
  expect(textOfTile(stored!)).toBe(await alone.text())
})

test('tiles of the newest and of an earlier version can be read by the id of the insight', async () => {
  const { id, groupName, insightName } = await save(contentOf([table('t')], { t: seriesOf('A') }))
  await anna.call(updateInsight, {
    body: {
      oldGroupName: groupName,
      oldInsightName: insightName,
      newInsightName: `${insightName} renamed`,
      content: contentOf([table('t')], { t: seriesOf('B') }),
    },
  })
  const read = (version?: number) => post(anna, `/insight/${id}/data`, { tiles: [{ id: 't' }], version })
  for (const [version, code] of [
    [undefined, 'B'],
    [2, 'B'],
    [1, 'A'],
  ] as const)
    expect(codes(((await read(version)) as ReadTile[])[0]!)).toBe(code)
  expect(await read(3)).toMatchObject({ code: 'versionNotFound' })
  for (const unknown of [randomUUID(), 'none'])
    expect(await post(anna, `/insight/${unknown}/data`, { tiles: [{ id: 't' }] })).toMatchObject({
      code: 'insightGone',
    })
})

test('parameters, the range of the page, the basket and a previewed row apply as on the page', async () => {
  const bound = { sourceInputParamsId: 'p1' }
  const inBasket = { source: { type: 'DATA_PREP', value: 'BASKET' } }
  const content = contentOf(
    [
      table('t', bound),
      table('b', inBasket),
      table('s', { source: { type: 'SOURCE_TILE', value: 't' } }),
      { ...table('c', bound), type: 'Chart', series: [{ groupName: 'Prices', symbolList: [{ Code: 'A' }] }] },
      table('own', { range: 'LAST', lastTypeAmount: 1, keepOwnRange: true }),
    ],
    { t: seriesOf('A'), own: seriesOf('A') },
    {
      inputParams: { p1: { keys: [{ symbolKey: 'Code', defaultValue: 'B' }] } },
      basket: { items: seriesOf('C').symbols, settings: { range: 'ALL' } },
      headerBoxes: [
        {
          id: 'x',
          title: 'X',
          content: 'STATISTIC',
          series: [{ groupName: 'Prices', symbols: { Code: 'A' }, column: 'Close' }],
        },
      ],
    },
  )
  const ids = ['t', 'b', 's', 'c', 'own', { id: 'x', part: 'BOX' }]
  const valuesFor = async (choices: object = {}) =>
    (await draft(content, ids, choices)).map((tile) => `${codes(tile)}${rowsOfTile(tile)}`)
  expect(await valuesFor()).toEqual(['B3', 'C3', 'B3', 'B3', 'A1', 'A3'])
  expect(await valuesFor({ parameters: { p1: { Code: 'C' } } })).toEqual(['C3', 'C3', 'C3', 'C3', 'A1', 'A3'])
  expect(await valuesFor({ range: '2026-01-03..' })).toEqual(['B1', 'C1', 'B1', 'B1', 'A1', 'A3'])
  const basket = { items: seriesOf('A').symbols, settings: { range: 'LAST', lastTypeAmount: 2 } }
  expect((await valuesFor({ basket }))[1]).toBe('A2')
  const preview = { tileIds: ['t'], values: { Code: 'A' } }
  expect((await valuesFor({ preview })).slice(0, 2)).toEqual(['A3', 'C3'])
})

test('a tile without data has an error, and the other tiles still return their data', async () => {
  const file = { source: { type: 'FILE', value: { groupName: 'Prices', fileName: 'any.csv' } } }
  const missing = { source: { type: 'DATA_PREP', value: { id: '00000000-0000-4000-8000-000000000000' } } }
  const circle = (id: string, from: string) => table(id, { source: { type: 'SOURCE_TILE', value: from } })
  const content = contentOf(
    [
      table('t'),
      table('none'),
      table('f', file),
      table('p', missing),
      circle('c1', 'c2'),
      circle('c2', 'c1'),
      table('back', { range: 'BETWEEN', from: '2026-02-01', to: '2026-01-01' }),
    ],
    { t: seriesOf('A'), back: seriesOf('A') },
  )
  const read = await draft(content, ['none', 'f', 'p', 'c1', 'back', 'gone', 't'])
  expect(read.map(rowsOfTile)).toEqual([
    'tileWithoutQuery',
    'tileWithoutQuery',
    'tilePrepNotFound',
    'tileWithoutQuery',
    'tileWithoutQuery',
    'tileNotFound',
    3,
  ])
  expect(read[2]!.error!.message).toBe(
    'User is not authorized to the data prep or the data prep does not exist.',
  )
})

test('a member receives the readable groups of a tile and the names of the others', async () => {
  const both = { symbols: [...seriesOf('A').symbols, ...seriesOf('B', 'Bens').symbols] }
  const content = contentOf([table('both'), table('bens')], { both, bens: seriesOf('A', 'Bens') })
  const read = await draft(content, ['both', 'bens'])
  expect(read.map((tile) => [codes(tile), tile.hiddenGroups, tile.error])).toEqual([
    ['A', ['Bens'], undefined],
    ['', ['Bens'], undefined],
  ])
  const { id } = await save(content)
  expect(await post(ben, `/insight/${id}/data`, { tiles: [{ id: 'bens' }] })).toMatchObject({
    code: 'insightGone',
    message:
      'You cannot read this insight. It may have been deleted, or the share that gave you access may have ended.',
  })
  expect(await post(server.nobody, `/insight/${id}/data`, { tiles: [{ id: 'bens' }] })).toMatchObject({
    code: 'signInNeeded',
  })
})

test('parameters and the range of the page apply to a saved data prep', async () => {
  const dataPrep = {
    name: 'Saved',
    outputGroup: 'Prices',
    range: 'LAST',
    lastTypeAmount: 1,
    timezone: 'Europe/Oslo',
    symbols: seriesOf('A').symbols,
  }
  const { id } = await anna.call(createDataPrep, { body: { dataPrep } } as never)
  const source = { type: 'DATA_PREP', value: { id } }
  const content = contentOf(
    [table('p', { source, sourceInputParamsId: 'p1' })],
    {},
    { inputParams: { p1: { keys: [{ symbolKey: 'Code', defaultValue: '' }] } } },
  )
  const valuesFor = async (choices: object) => {
    const [tile] = await draft(content, ['p'], choices)
    return [`${codes(tile!)}${rowsOfTile(tile!)}`, tile!.prep?.timeZone]
  }
  expect(await valuesFor({})).toEqual(['A1', 'Europe/Oslo'])
  expect(await valuesFor({ parameters: { p1: { Code: 'B' } }, range: 'ALL' })).toEqual(['B3', 'Europe/Oslo'])
})

test('the request controls the row limit, its removal, the window and the reduction of points', async () => {
  const lines = Array.from({ length: 6000 }, (_, at) => {
    const day = new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10)
    return `LONG,${day},${at}`
  })
  await uploadSeries(anna, { groupName: 'Prices', content: `Code,Date,Close\n${lines.join('\n')}\n` })
  const series = [{ groupName: 'Prices', symbolList: [{ Code: 'LONG' }], column: 'Close' }]
  const content = contentOf([table('t'), { ...table('c'), type: 'Chart', series }], { t: seriesOf('LONG') })
  const window = { from: Date.UTC(2000, 0, 1), to: Date.UTC(2000, 0, 10) }
  const read = await draft(content, [
    't',
    { id: 't', all: true },
    { id: 't', window },
    'c',
    { id: 'c', undrawn: true },
    { id: 'c', undrawn: true, window },
  ])
  const valuesFor = read.map((tile) => [rowsOfTile(tile), tile.results[0]!.totalRows])
  expect(valuesFor).toEqual([
    [5000, 6000],
    [6000, 6000],
    [10, 10],
    [expect.any(Number), 6000],
    [6000, 6000],
    [10, 10],
  ])
  expect(rowsOfTile(read[3]!)).toBeLessThan(6000)
})

test('visitors receive the same rows as members for every kind of tile range', async () => {
  const counted = { lastType: 'DAYS', lastTypeAmount: 2 }
  const ranges = {
    next: { range: 'NEXT', lastTypeAmount: 5 },
    clock: { range: 'LAST', ...counted, time: '16:30', timezone: 'Europe/Oslo', timeZone: 'Europe/London' },
    known: { range: 'ALL', onDateTime: '2999-01-31' },
    unknown: { range: 'ALL', onDateTime: '2001-01-31' },
    zone: { range: 'LAST', ...counted, timeZone: 'Europe/Oslo' },
    work: { range: 'LAST', lastType: 'WORKING_DAYS', lastTypeAmount: 2 },
    calendar: { range: 'LAST', lastType: 'WORKING_DAYS', lastTypeAmount: 30, holidayCalendar: 'No such' },
    filled: {},
    shifted: {},
  }
  const ids = Object.keys(ranges)
  const [only] = seriesOf('A').symbols
  const datapreps = {
    ...Object.fromEntries(ids.map((id) => [id, seriesOf('A')])),
    filled: { symbols: [{ ...only, fillType: 'PREVIOUS' }, ...seriesOf('B').symbols] },
    shifted: { symbols: [{ ...only, offsetType: 'YEARS', offsetAmount: '1' }] },
  }
  const content = contentOf(
    Object.entries(ranges).map(([id, range]) => table(id, range)),
    datapreps,
  )
  const { id, groupName, insightName } = await save(content)
  await anna.call(updatePublicStatus, { body: { groupName, insightName, isPublic: true } })
  const tiles = ids.map((id) => ({ id }))
  const members = (await post(anna, `/insight/${id}/data`, { tiles })) as ReadTile[]
  const params = { groupName, fileName: insightName }
  const { version } = await server.nobody.call(getPublicInsight, { params, query: {} })
  const path = `/insight/public/data/${groupName}/${encodeURIComponent(insightName)}`
  const visitors = (await post(server.nobody as Session, path, { tiles, version })) as ReadTile[]
  const known = (tile: ReadTile) => [textOfTile(tile), tile.error?.code]
  expect(visitors.map(known)).toEqual(members.map(known))
  // The first two count from now.
  expect(members.slice(2).map(rowsOfTile)).toEqual([3, 0, 2, 2, 'noSuchHolidayCalendar', 6, 3])
})
