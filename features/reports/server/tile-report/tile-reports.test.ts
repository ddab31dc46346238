import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { createDataPrep } from '@headwater/preps/contract'
import {
  startTestServer,
  upload,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { createFormula } from '@headwater/symbols/contract'
import { emptyContent, type InsightContent, type Tile } from '@headwater/tile-data/contract'
import { createInsight } from '@headwater/insights/contract'
import { pdfLimits, type ReportTile } from './report-tile.ts'
import { reportHtml } from './report-html.ts'
import { reportsOf, type ReadReport } from './testing/reports-of.ts'

let server: TestServer
let anna: Session
let ben: Session
let read: ReadReport

beforeAll(async () => {
  server = await startTestServer()
  read = reportsOf(server)
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  for (const name of ['Reports', 'Prices', 'Secret']) await anna.call(createGroup, { body: { name } })
  for (const group of ['Reports', 'Prices'])
    await server.grantGroup({ groupName: group, userName: 'ben@example.com', access: 'R' })
  await uploadSeries(anna, {
    groupName: 'Prices',
    content: [
      'Code,Date,Close,Open,Note(S)',
      'A,2026-01-01,1000.5,1,first',
      'A,2026-01-02,1200.25,2,',
      'A,2026-01-03,900,3,last',
      'B,2026-01-02,5,6,other',
      'B,2026-01-03,7,8,other',
      '',
    ].join('\n'),
  })
  await upload(anna, { groupName: 'Reports', fileName: 'words.md', fileType: 'MD', content: '# From a file' })
  await upload(anna, {
    groupName: 'Reports',
    fileName: 'lake.csv',
    content: 'Name;Amount\n"a;1";1.5\nb;22\n',
  })
  await anna.call(createDataPrep, {
    body: { dataPrep: { name: 'saved', outputGroup: 'Reports', symbols: [a] } },
  })
  await uploadSeries(anna, { groupName: 'Secret', content: 'Code,Date,Close\nS,2026-01-01,42\n' })
})
afterAll(() => server.stop())

let count = 0
/** Saves an insight with some tiles and reads its report. */
async function reportOf(
  tiles: readonly (Partial<Tile> & { type: string })[],
  more: Partial<InsightContent> = {},
  session = anna,
) {
  const insightName = `report ${++count}`
  const whole = tiles.map((tile, index) => ({ id: `t${index + 1}`, title: `Tile ${index + 1}`, ...tile }))
  const content = { ...emptyContent(), tiles: whole, ...more } as InsightContent
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
  return read(session, { groupName: 'Reports', insightName })
}

async function tileOf(tile: Partial<Tile> & { type: string }, more: Partial<InsightContent> = {}) {
  return (await reportOf([tile], more)).tiles[0]!
}

const a = { groupName: 'Prices', symbols: { Code: 'A' }, valueColumnNames: ['Close'] }
const b = { groupName: 'Prices', symbols: { Code: 'B' }, valueColumnNames: ['Close'] }
const secret = { groupName: 'Secret', symbols: { Code: 'S' }, valueColumnNames: ['Close'] }
const line = (code: string, more: object = {}) => ({
  groupName: 'Prices',
  symbolList: [{ Code: code }],
  column: 'Close',
  label: '',
  ...more,
})
const table = (symbols: object[]) => ({ datapreps: { t1: { symbols } } }) as Partial<InsightContent>

test('a table has the columns, units and decimals of the tile, newest rows first', async () => {
  const tile = await tileOf(
    {
      type: 'Table',
      title: 'Closing prices',
      columns: [
        { columnId: 'Date', header: 'Day' },
        { columnId: 'Close', header: 'Close', unit: '$', unitOnFront: true },
        { columnId: 'Note', hidden: true },
      ],
      dateFormat: 'dd.MM.yyyy',
    },
    table([{ ...a, valueColumnNames: ['Close', 'Note'] }]),
  )
  expect(tile).toEqual({
    title: 'Closing prices',
    kind: 'Table',
    note: '',
    table: {
      header: ['Code', 'Day', 'Close'],
      isNumber: [false, false, true],
      rows: [
        ['A', '03.01.2026', '$900.00'],
        ['A', '02.01.2026', '$1,200.25'],
        ['A', '01.01.2026', '$1,000.50'],
      ],
    },
  })
})

test('a sorted table preserves its order and lists the groups of its series if the tile shows them', async () => {
  const tile = await tileOf(
    {
      type: 'Table',
      showGroupName: true,
      sortingColumns: [{ columnName: 'Close', sortOrder: 'Descending' }],
    },
    table([a, b]),
  )
  expect(tile.table?.header).toEqual(['Group name', 'Code', 'Date (UTC)', 'Close'])
  expect(tile.table?.rows.map((row) => row[3])).toEqual(['1,200.25', '1,000.50', '900.00', '7.00', '5.00'])
})

test('the rows of a table include chosen cells and looked-up series', async () => {
  const tile = await tileOf({
    type: 'Table',
    source: { type: 'EDITOR' },
    dataContent: 'Stock,Amount\nA,3\nB,4\n',
    columns: [
      {
        columnId: 'Close',
        columnType: 'async',
        columnAsyncGroupName: 'Prices',
        asyncFilters: [{ name: 'Code', value: '{{Stock}}' }],
      },
      { columnId: 'Mood', columnType: 'dropdown' },
    ],
    cells: { '#2': { Mood: 'good' } },
  })
  expect(tile.table?.header).toEqual(['Stock', 'Amount', 'Close', 'Mood'])
  expect(tile.table?.rows).toEqual([
    ['A', '3', '900', ''],
    ['B', '4', '7', 'good'],
  ])
})

test('a chart has a column for each line, in chronological order in the zone of the tile', async () => {
  const tile = await tileOf({
    type: 'Chart',
    timeZone: 'Europe/Berlin',
    range: 'ALL',
    series: [line('A', { label: 'First' }), line('B')],
  })
  expect(tile.table).toEqual({
    header: ['Time (Europe/Berlin)', 'First', 'B · Close'],
    isNumber: [false, true, true],
    rows: [
      ['2026-01-03 01:00:00', '900.00', '7'],
      ['2026-01-02 01:00:00', '1,200.25', '5'],
      ['2026-01-01 01:00:00', '1,000.50', ''],
    ],
  })
})

test('the values of a chart have the unit, number format and decimals of their axis', async () => {
  const tile = await tileOf({
    type: 'Chart',
    range: 'ALL',
    leftAxis: { unit: '$', numberFormat: 'Short', decimals: 1 },
    rightAxis: { unit: 't' },
    series: [line('A'), line('B', { axis: 'right' })],
  })
  expect(tile.table?.rows.map((row) => row.slice(1))).toEqual([
    ['$900.0', '7 t'],
    ['$1.2k', '5 t'],
    ['$1.0k', ''],
  ])
})

test('a chart computes sums, averages, every symbol of a parameter and other columns as the browser does', async () => {
  const inputParams = { p1: { title: 'P', keys: [{ symbolKey: 'Code', label: 'Stock', defaultValue: '*' }] } }
  const sums = [
    { ...line('A', { label: 'Sum' }), symbolList: [{ Code: 'A' }, { Code: 'B' }] },
    line('A', { label: 'Average', movingAverage: true, movingAverageValue: 2 }),
  ]
  const byOpen = { columnXAxis: 'Open', columnXAxisIsNumber: true, label: 'Close by open' }
  const { tiles } = await reportOf(
    [
      { type: 'Chart', range: 'ALL', series: sums },
      { type: 'Chart', range: 'ALL', series: [line('A')], sourceInputParamsId: 'p1' },
      { type: 'Chart', range: 'ALL', series: [line('A', byOpen)] },
    ],
    { inputParams },
  )
  const [summed, each, overOpen] = tiles.map((tile) => tile.table!)
  expect(summed?.header).toEqual(['Time (UTC)', 'Sum', 'Average'])
  expect(summed?.rows[0]).toEqual(['2026-01-03', '907.00', '1,050.13'])
  expect(each?.header).toEqual(['Time (UTC)', 'A', 'B'])
  expect(each?.rows[0]).toEqual(['2026-01-03', '900.00', '7'])
  expect(overOpen?.header).toEqual(['x', 'Close by open'])
  expect(overOpen?.rows.map(([x]) => x)).toEqual(['1', '2', '3'])
})

test('sums in a chart have no binary rounding noise', async () => {
  await anna.call(createGroup, { body: { name: 'Parts' } })
  await uploadSeries(anna, {
    groupName: 'Parts',
    content: 'Code,Date,Close\nA,2026-01-01,0.1\nB,2026-01-01,0.2\nA,2026-01-02,83.25\n',
  })
  const symbolList = [{ Code: 'A' }, { Code: 'B' }]
  const tile = await tileOf({
    type: 'Chart',
    range: 'ALL',
    series: [line('A', { groupName: 'Parts', symbolList })],
  })
  expect(tile.table?.rows.map(([, sum]) => sum)).toEqual(['83.25', '0.30'])
})

test('a seasonality chart has a column for each year of each series, the newest first', async () => {
  await anna.call(createGroup, { body: { name: 'Seasons' } })
  await uploadSeries(anna, {
    groupName: 'Seasons',
    content:
      'Code,Date,Close\nA,2024-02-29,1\nA,2024-12-31,9\nA,2025-02-28,2\nA,2025-12-31,3\nA,2026-02-28,4\nA,2026-03-01,5\nB,2025-02-28,6\nB,2026-02-28,7\n',
  })
  const seasons = (...series: object[]) => ({
    type: 'Chart',
    basicChartType: 'seasonality',
    range: 'ALL',
    series: series.map((each) => ({ ...each, groupName: 'Seasons' })),
  })
  const range = { seasonRange: true, seasonAverage: true, seasonLines: 1 }
  const { tiles } = await reportOf([
    seasons(line('A')),
    seasons(line('A'), line('B', { label: 'Second' })),
    { ...seasons(line('A')), ...range },
  ])
  expect(tiles[0]?.table?.header).toEqual(['Day', '2026', '2025', '2024'])
  expect(tiles[0]?.table?.rows).toEqual([
    ['1 March', '5', '', ''],
    ['29 February', '', '', '1'],
    ['28 February', '4', '2', ''],
    ['31 December', '', '3', '9'],
  ])
  expect(tiles[1]?.table?.header).toEqual([
    'Day',
    'A · Close 2026',
    'A · Close 2025',
    'A · Close 2024',
    'Second 2026',
    'Second 2025',
  ])
  expect(tiles[1]?.table?.rows[2]).toEqual(['28 February', '4', '2', '', '7', '6'])
  expect(tiles[2]?.table?.header).toEqual([
    'Day',
    '2026',
    'Average 2024–2025',
    'Range 2024–2025 low',
    'Range 2024–2025 high',
  ])
  expect(tiles[2]?.table?.rows.at(-1)).toEqual(['31 December', '', '6.00', '3', '9'])
})

test('stats have a value with unit, change and level', async () => {
  const tile = await tileOf({
    type: 'STATS',
    unit: 'EUR',
    range: 'ALL',
    series: [
      { label: '', groupName: 'Prices', symbols: { Code: 'A' }, column: 'Close' },
      { label: 'Second', groupName: 'Prices', symbols: { Code: 'B' }, column: 'Close' },
    ],
    conditionalFormatting: [{ condition: '<', conditionValueA: '100', level: 'bad', applyTo: 'ALL' }],
  })
  expect(tile.table?.header).toEqual([
    'Series',
    'Value',
    'Change vs previous value',
    'Newest value (UTC)',
    'Level',
  ])
  expect(tile.table?.rows).toEqual([
    ['A', '900.00\u00a0EUR', '−300.25\u00a0EUR (−25.0%)', '2026-01-03', ''],
    ['Second', '7\u00a0EUR', '+2\u00a0EUR (+40.0%)', '2026-01-03', 'Bad'],
  ])
})

test('a report states how many values of a stats tile it omits', async () => {
  const numbers = Array.from({ length: 30 }, (_, at) => at)
  const content = `${numbers.map((at) => `C${at}`).join(',')}\n${numbers.join(',')}\n`
  await upload(anna, { groupName: 'Reports', fileName: 'wide.csv', content })
  const source = { type: 'FILE', value: { groupName: 'Reports', fileName: 'wide.csv' } }
  const tile = await tileOf({ type: 'STATS', series: [], source })
  expect([tile.table?.rows.length, tile.note]).toEqual([24, '24 of 30 values shown.'])
})

test('a report applies thresholds with patterns, including those that are slow in other matchers, and names unsupported ones', async () => {
  const pattern = (conditionValueA: string, level: string) => ({
    condition: 'regex',
    conditionValueA,
    level,
    applyTo: 'ALL',
  })
  const reported = (...conditionalFormatting: object[]) =>
    tileOf({
      type: 'STATS',
      range: 'ALL',
      series: [{ label: '', groupName: 'Prices', symbols: { Code: 'A' }, column: 'Close' }],
      conditionalFormatting,
    })
  const met = await reported(pattern('^(((\\d+)+)+)+x$', 'bad'), pattern('^\\d+$', 'good'))
  expect([met.table?.rows[0]?.at(-1), met.note]).toEqual(['Good', ''])
  const ignored = await reported(pattern('(?=9)', 'bad'), pattern('^9', 'warn'))
  expect([ignored.table?.rows[0]?.at(-1), ignored.note]).toEqual([
    'Warning',
    'A threshold is not applied: its pattern is not supported.',
  ])
})

test('texts come from the tile or a file, with the chosen values', async () => {
  const inputParams = {
    p1: { title: 'P', keys: [{ symbolKey: 'Code', label: 'Stock', defaultValue: 'A*b' }] },
  }
  const { tiles } = await reportOf(
    [
      { type: 'Text', source: { type: 'EDITOR' }, templateContent: 'About **{{Stock}}**' },
      {
        type: 'Text',
        source: { type: 'FILE', value: { groupName: 'Reports', fileName: 'words.md' } },
      },
      { type: 'Text', source: { type: 'EDITOR' }, templateContent: ' ' },
    ],
    { inputParams },
  )
  expect(tiles.map(({ text, note }) => text ?? note)).toEqual([
    'About **A\\*b**',
    '# From a file',
    'The text is empty.',
  ])
})

test('a report has the first 20,000 characters of a long text and a note', async () => {
  // The emoji counts as two characters, of which only one would fit.
  const content = `${'x'.repeat(19_999)}😀`
  await upload(anna, { groupName: 'Reports', fileName: 'long.md', fileType: 'MD', content })
  const { tiles } = await reportOf([
    { type: 'Text', source: { type: 'EDITOR' }, templateContent: content },
    { type: 'Text', source: { type: 'FILE', value: { groupName: 'Reports', fileName: 'long.md' } } },
    { type: 'Text', source: { type: 'EDITOR' }, templateContent: 'y'.repeat(20_000) },
  ])
  const note = 'The beginning of a longer text.'
  expect(tiles.map((each) => [each.text?.length, each.text?.at(-1), each.note])).toEqual([
    [19_999, 'x', note],
    [19_999, 'x', note],
    [20_000, 'y', ''],
  ])
})

test('files, typed rows, data preps, the basket and other tiles can be sources', async () => {
  const { tiles } = await reportOf(
    [
      { type: 'Table', source: { type: 'FILE', value: { groupName: 'Reports', fileName: 'lake.csv' } } },
      { type: 'Table', source: { type: 'EDITOR' }, dataContent: 'x,y\n1,2\n' },
      { type: 'Table', source: { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'saved' } } },
      { type: 'Chart', source: { type: 'SOURCE_TILE', value: 't3' }, series: [line('A', { groupName: '' })] },
      { type: 'Table', source: { type: 'DATA_PREP', value: 'BASKET' } },
      { type: 'Table', source: { type: 'SOURCE_TILE', value: 't7' } },
      { type: 'Table', source: { type: 'SOURCE_TILE', value: 't6' } },
      { type: 'Table', source: { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'gone' } } },
      { type: 'Table', source: { type: 'FILE', value: { groupName: 'Reports', fileName: 'gone.csv' } } },
      { type: 'Table' },
    ],
    { basket: { items: [{ ...b, metadata: {}, pattern: false }], settings: { range: 'ALL' } } },
  )
  expect(tiles.slice(0, 5).map((tile) => tile.table?.rows)).toEqual([
    [
      ['a;1', '1.5'],
      ['b', '22.0'],
    ],
    [['1', '2']],
    [
      ['A', '2026-01-03', '900.00'],
      ['A', '2026-01-02', '1,200.25'],
      ['A', '2026-01-01', '1,000.50'],
    ],
    [
      ['2026-01-03', '900.00'],
      ['2026-01-02', '1,200.25'],
      ['2026-01-01', '1,000.50'],
    ],
    [
      ['B', '2026-01-03', '7'],
      ['B', '2026-01-02', '5'],
    ],
  ])
  expect(tiles.slice(5).map(({ note }) => note)).toEqual([
    expect.stringContaining('Circular data source'),
    expect.stringContaining('Circular data source'),
    'User is not authorized to the data prep or the data prep does not exist.',
    'File gone.csv not found in group Reports',
    'No data has been chosen.',
  ])
})

test('initial parameter values filter series, files and ranges', async () => {
  const inputParams = {
    p1: {
      title: 'Stock',
      keys: [{ symbolKey: 'Code', label: 'Stock', defaultValue: 'B' }],
      withDateRange: true,
      dataRange: 'LAST',
      lastValue: 1,
      lastType: 'VALUES',
    },
    p2: { title: 'File', basicInputParamsType: 'FILE', fileColumns: [{ column: 'Name', defaultValue: 'b' }] },
  }
  const { tiles } = await reportOf(
    [
      { type: 'Table', sourceInputParamsId: 'p1' },
      { type: 'Chart', sourceInputParamsId: 'p1', range: 'ALL', series: [line('A', { label: 'A' })] },
      {
        type: 'Table',
        sourceInputParamsId: 'p2',
        source: { type: 'EDITOR' },
        dataContent: 'Name,Amount\na,1\nb,2\n',
      },
    ],
    { inputParams, ...table([a]) },
  )
  expect(tiles.map((tile) => tile.table?.rows)).toEqual([
    [['B', '2026-01-03', '7']],
    [['2026-01-03', '7']],
    [['b', '2']],
  ])
  expect(tiles[1]?.table?.header[1]).toBe('B')
})

test('a report omits data that the user cannot read, and contains the other tiles', async () => {
  await upload(anna, { groupName: 'Secret', fileName: 'secret.csv', content: 'Name\nhidden words\n' })
  await anna.call(createDataPrep, {
    body: { dataPrep: { name: 'secret', outputGroup: 'Secret', symbols: [secret] } },
  })
  const tiles = [
    { type: 'Table' },
    { type: 'Table' },
    { type: 'Table', source: { type: 'FILE', value: { groupName: 'Secret', fileName: 'secret.csv' } } },
    { type: 'Table', source: { type: 'DATA_PREP', value: { groupName: 'Secret', name: 'secret' } } },
    { type: 'STATS', series: [{ label: '', groupName: 'Prices', symbols: { Code: 'A' }, column: 'Close' }] },
  ]
  const datapreps = { t1: { symbols: [secret] }, t2: { symbols: [a, secret] } }
  const mine = await reportOf(tiles, { datapreps })
  expect(mine.tiles[0]?.table?.rows).toEqual([['S', '2026-01-01', '42']])
  expect(mine.tiles.every(({ note }) => note === '')).toBe(true)

  const his = await reportOf(tiles, { datapreps }, ben)
  const withheld =
    'Hidden: anna@example.com saved the insight or its data prep last. A tile is sent only if both its last author and the sender can read all of its data and see the same.'
  expect(his.tiles.map(({ note }) => note)).toEqual([withheld, withheld, withheld, withheld, ''])
  expect(JSON.stringify(his)).not.toMatch(/hidden words|"42"/)
  const stranger = await server.createUser()
  await expect(read(stranger, his)).rejects.toMatchObject({ code: 'groupNotFound' })
  await expect(read(anna, { groupName: 'Reports', insightName: 'gone' })).rejects.toMatchObject({
    code: 'insightNotFound',
  })
})

/** A tile with the series that it queries. */
type QueryingTile = Partial<Tile> & { type: string; queries?: object[] }

/** Saves an insight as Ben, who has write access to the group Team, and reads it in another session. */
async function reportOfBens(
  tiles: readonly QueryingTile[],
  reader: Session,
  more: Partial<InsightContent> = {},
) {
  const insightName = `of ben ${++count}`
  const whole = tiles.map((tile, at) => ({ id: `t${at + 1}`, title: `${at + 1}`, ...tile }))
  const datapreps = Object.fromEntries(
    tiles.flatMap(({ queries }, at) => (queries === undefined ? [] : [[`t${at + 1}`, { symbols: queries }]])),
  )
  const content = { ...emptyContent(), tiles: whole, datapreps, ...more } as InsightContent
  await ben.call(createInsight, { body: { insightName, groupName: 'Team', content } })
  return (await read(reader, { groupName: 'Team', insightName })).tiles
}

describe('data that the author of an insight cannot read', () => {
  const of = (Code: string, groupName = 'Hidden') => ({
    groupName,
    symbols: { Code },
    valueColumnNames: ['Close'],
  })
  const file = (type: string, fileName: string, groupName = 'Hidden') => ({
    type,
    source: { type: 'FILE', value: { groupName, fileName } },
  })
  const prep = (name: string) => ({
    type: 'Table',
    source: { type: 'DATA_PREP', value: { groupName: 'Hidden', name } },
  })
  const lookup = (Code: string) => ({
    type: 'Table',
    source: { type: 'EDITOR' },
    dataContent: `Stock\n${Code}\n`,
    columns: [
      {
        columnId: 'Close',
        columnType: 'async',
        columnAsyncGroupName: 'Hidden',
        asyncFilters: [{ name: 'Code', value: '{{Stock}}' }],
      },
    ],
  })

  beforeAll(async () => {
    for (const name of ['Hidden', 'Team', 'Formulas']) await anna.call(createGroup, { body: { name } })
    await server.running.platform.database.pool.query(
      `insert into group_grants (group_id, user_id, access)
       select groups.id, users.id, 'RW' from groups, users
       where groups.name in ('Team', 'Formulas') and user_name = 'ben@example.com'`,
    )
    const content = 'Code,Date,Close\nS,2026-01-01,42\nA,2026-01-02,42\n'
    await uploadSeries(anna, { groupName: 'Hidden', content })
    for (const fileName of ['there.csv', 'there.md'])
      await upload(anna, { groupName: 'Hidden', fileName, content: 'Name\nCarol\n' })
    const dataPrep = { name: 'there', outputGroup: 'Hidden', symbols: [of('S')] }
    await anna.call(createDataPrep, { body: { dataPrep } })
    for (const [Code, expression] of [
      ['F', 'x'],
      ['G', 'x / (x - x)'],
    ] as const) {
      const inputs = [{ name: 'x', groupName: 'Hidden', symbols: { Code: 'S' }, column: 'Close' }]
      await anna.call(createFormula, {
        body: { groupName: 'Formulas', symbols: { Code }, column: 'Close', expression, inputs },
      })
    }
  })

  test.each<[string, QueryingTile[]]>([
    ['series', ['S', 'none'].map((code) => ({ type: 'Table', queries: [of(code)] }))],
    [
      'series of charts',
      ['S', 'none'].map((code) => ({ type: 'Chart', series: [{ ...line(code), groupName: 'Hidden' }] })),
    ],
    [
      'figures',
      ['S', 'none'].map((Code) => ({ type: 'STATS', series: [{ ...of(Code), label: '', column: 'Close' }] })),
    ],
    ['groups', ['Hidden', 'Nowhere'].map((group) => ({ type: 'Table', queries: [of('none', group)] }))],
    ['series beside others', ['S', 'none'].map((code) => ({ type: 'Table', queries: [a, of(code)] }))],
    ['tables of the lake', ['there.csv', 'none.csv'].map((name) => file('Table', name))],
    ['texts of the lake', ['there.md', 'none.md'].map((name) => file('Text', name))],
    ['data preps', ['there', 'none'].map(prep)],
    ['series that are looked up', ['S', 'none'].map(lookup)],
    ['values of formulas', ['F', 'G'].map((code) => ({ type: 'Table', queries: [of(code, 'Formulas')] }))],
  ])('cannot be inferred from an export of another user: %s', async (_, tiles) => {
    const notes = (await reportOfBens(tiles, anna)).map(({ title: _title, ...reported }) => reported)
    for (const reported of notes) {
      expect(reported.note).toMatch(/^Hidden: ben@example\.com saved/)
      expect(reported).toEqual({ kind: tiles[0]!.type, note: reported.note, isOmitted: true })
    }
    // Their own report has the reason.
    for (const { note } of await reportOfBens(tiles, ben)) expect(note).not.toMatch(/^Hidden/)
  })

  test.each([
    ['of its group', [of('S')]],
    ['also when other groups have rows of the same key', [a, of('A')]],
    ['of formulas', [of('F', 'Formulas')]],
  ])('cannot be guessed by filters, value by value: %s', async (_, queries) => {
    const bounds = [41, 42, 43, 5000]
    const inputParams = Object.fromEntries(
      bounds.map((value, at) => [
        `p${at + 1}`,
        {
          title: 'P',
          keys: [],
          filters: [{ name: 'Close', operator: 'GREATER_OR_EQUAL', value: `${value}` }],
        },
      ]),
    )
    const tiles = bounds.map((_value, at) => ({ type: 'Table', sourceInputParamsId: `p${at + 1}`, queries }))
    const notes = (await reportOfBens(tiles, anna, { inputParams })).map(({ note }) => note)
    expect(new Set(notes).size).toBe(1)
    expect(notes[0]).toMatch(/^Hidden: ben@example\.com saved/)
  })

  test('does not hide data that both can read, nor report it as missing', async () => {
    const tiles = [
      { type: 'Table', queries: [a] },
      { type: 'Table', queries: [of('none', 'Prices')] },
      file('Table', 'none.csv', 'Reports'),
    ]
    const reported = await reportOfBens(tiles, anna)
    expect(reported[0]?.table?.rows).toHaveLength(3)
    expect(reported.map(({ note }) => note)).toEqual([
      '',
      'No data has been received.',
      'File none.csv not found in group Reports',
    ])
    expect(await reportOfBens(tiles, ben)).toEqual(reported)
  })
})

test('the author of a data prep needs no access to insights that show it', async () => {
  await ben.call(createGroup, { body: { name: 'Of Ben' } })
  const source = { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'saved' } }
  const tiles = [{ id: 't1', title: 'Shared', type: 'Table', source }]
  const content = { ...emptyContent(), tiles } as unknown as InsightContent
  await ben.call(createInsight, { body: { insightName: 'Own', groupName: 'Of Ben', content } })
  const report = await read(ben, { groupName: 'Of Ben', insightName: 'Own' })
  expect(report.tiles[0]?.table?.rows).toHaveLength(3)
})

test('users without permission for insights, files or data preps receive no data of them', async () => {
  const tiles = [
    { type: 'Table', source: { type: 'FILE', value: { groupName: 'Reports', fileName: 'lake.csv' } } },
    { type: 'Table', source: { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'saved' } } },
    { type: 'Text', source: { type: 'FILE', value: { groupName: 'Reports', fileName: 'words.md' } } },
  ]
  const { insightName, groupName, tiles: whole } = await reportOf(tiles)
  expect(whole.map(({ note }) => note)).toEqual(['', '', ''])
  const about = { insightName, groupName }
  const limited = await read(anna, about, { without: [/^Lake/, /^Storage/] })
  for (const { note, table: rows, text } of limited.tiles) {
    expect(note).toMatch(/^You need \w+ access to/)
    expect([rows, text]).toEqual([undefined, undefined])
  }
  await expect(read(anna, about, { without: [/^Insight/] })).rejects.toMatchObject({ status: 403 })
})

test('a long series has its 50 newest rows and a note with the total', async () => {
  await anna.call(createGroup, { body: { name: 'Long' } })
  const begin = Date.UTC(2020, 0, 1)
  const rows = Array.from(
    { length: 100_001 },
    (_, at) => `A,${new Date(begin + at * 60_000).toISOString().slice(0, 16)},${at}`,
  )
  await uploadSeries(anna, { groupName: 'Long', content: `Code,Date,Close\n${rows.join('\n')}\n` })
  const long = { ...a, groupName: 'Long' }
  const { tiles } = await reportOf(
    [
      { type: 'Table', range: 'ALL', absoluteSize: null },
      { type: 'Table', range: 'ALL' },
      { type: 'Table', range: 'ALL', absoluteSize: 20 },
      { type: 'Chart', range: 'ALL', absoluteSize: null, series: [line('A', { groupName: 'Long' })] },
      {
        type: 'STATS',
        range: 'ALL',
        statistic: 'COUNT',
        series: [{ label: '', groupName: 'Long', symbols: { Code: 'A' }, column: 'Close' }],
      },
    ],
    { datapreps: { t1: { symbols: [long] }, t2: { symbols: [long] }, t3: { symbols: [long] } } },
  )
  expect(tiles.map(({ note }) => note)).toEqual([
    'The newest 50 of 100,000 rows, the limit of a report.',
    'The newest 50 of 5,000 rows, the limit of the tile.',
    'The newest 20 rows, the limit of the tile.',
    'The newest 50 of 100,000 rows, the limit of a report.',
    'Calculated from only the newest 5,000 rows.',
  ])
  expect(tiles[0]?.table?.rows).toHaveLength(50)
  expect(tiles[0]?.table?.rows[0]).toEqual(['A', '2020-03-10 10:40:00', '100,000'])
  expect(tiles[3]?.table?.rows[0]).toEqual(['2020-03-10 10:40:00', '100,000'])
  expect(tiles[4]?.table?.rows).toEqual([['A', '5,000', '2020-03-10 10:40:00']])

  const names = { groupName: 'Reports', insightName: `report ${count}` }
  const { tiles: drawn } = await read(anna, { ...names, limits: pdfLimits })
  const [whole] = drawn[3]!.chart!.spec.series
  expect([whole!.x[0], whole!.x[whole!.x.length - 1]]).toEqual([begin, begin + 100_000 * 60_000])
  expect(whole!.x.length).toBeLessThan(5000)
  expect(drawn[3]).toMatchObject({ note: '', chart: { height: 'half' } })
  const few = await read(anna, { ...names, limits: { ...pdfLimits, rows: 1, characters: 1000 } })
  expect(few.tiles.map(({ isOmitted = false }) => isOmitted)).toEqual([false, false, false, false, true])
})

test('a long file has its first 50 rows; a file with huge rows is not read to the end', async () => {
  const rows = Array.from({ length: 6000 }, (_, at) => `${at + 1},name ${at + 1}`)
  await upload(anna, { groupName: 'Reports', fileName: 'long.csv', content: `No,Name\n${rows.join('\n')}\n` })
  const wide = 'w'.repeat(10_000)
  const huge = Array.from({ length: 2500 }, (_, at) => `${at},${wide}`)
  await upload(anna, { groupName: 'Reports', fileName: 'huge.csv', content: `No,Name\n${huge.join('\n')}\n` })
  const many = Array.from({ length: 30 }, (_, at) => `c${at}`)
  await upload(anna, {
    groupName: 'Reports',
    fileName: 'wide.csv',
    content: `${many.join(',')}\n${many.map((_, at) => (at === 0 ? 'x'.repeat(300) : '1')).join(',')}\n`,
  })
  const file = (fileName: string) => ({
    type: 'Table',
    source: { type: 'FILE', value: { groupName: 'Reports', fileName } },
  })
  const { tiles } = await reportOf([file('long.csv'), file('huge.csv'), file('wide.csv')])
  expect(tiles[0]).toMatchObject({ note: 'The first 50 of 5,000 rows, the limit of a report.' })
  expect(tiles[0]?.table?.rows.at(-1)).toEqual(['50', 'name 50'])
  expect(tiles[1]).toEqual({
    title: 'Tile 2',
    kind: 'Table',
    note: 'The first 5,000 rows of its file are larger than 20 MB, the limit of a report.',
    isOmitted: true,
  })
  expect(tiles[2]?.note).toBe('The first 20 of 30 columns.')
  expect(tiles[2]?.table?.rows[0]?.[0]).toHaveLength(200)
})

test('hidden tiles and tiles without download are omitted; unsupported kinds have a note', async () => {
  const { tiles } = await reportOf([
    { type: 'Table', hidden: true },
    { type: 'Table', downloadable: false },
    { type: 'CODE', templateContent: '<script>alert(1)</script>', source: { type: 'EDITOR' } },
    { type: 'IMAGE' },
    { type: 'PDF' },
    { type: 'SEARCH' },
    { type: 'MAP' },
    { type: 'constructor' },
  ])
  expect(tiles.map(({ kind, note }) => [kind, note])).toEqual([
    ['CODE', 'Code runs only in the browser.'],
    ['IMAGE', 'An image. Open the insight to see it.'],
    ['PDF', 'A PDF. Open the insight to see it.'],
    ['SEARCH', 'Reports do not include this tile type.'],
    ['MAP', 'Reports do not include this tile type.'],
    ['constructor', 'Reports do not include this tile type.'],
  ])
  expect(JSON.stringify(tiles)).not.toContain('alert')
})

test('an empty insight has no tiles, a very large one its first 100', async () => {
  expect(await reportOf([])).toMatchObject({ tiles: [], leftOut: 0, groupName: 'Reports' })
  const many = await reportOf(
    Array.from({ length: 103 }, () => ({
      type: 'Text',
      source: { type: 'EDITOR' as const },
      templateContent: 'x',
    })),
  )
  expect([many.tiles.length, many.leftOut]).toEqual([100, 3])
})

test('damaged tile definitions have a note, or their readable parts are used', async () => {
  const broken: Partial<Tile>[] = [
    { source: 'nowhere', columns: 'none', series: 7, range: [], from: {}, cells: 1 },
    { source: { type: 'FILE', value: 3 } },
    { source: { type: 'SOURCE_TILE', value: {} } },
    { source: { type: 'DATA_PREP', value: { id: 'x' } } },
    { timeZone: 'Nowhere/None', series: [line('A'), 3, null, { symbolList: 'x' }] },
    { series: [{ groupName: 'Prices', symbols: { Code: 'A' }, column: 'Close', symbolList: [{ Code: 1 }] }] },
    { range: 'BETWEEN', from: '2026-02-01', to: '2026-01-01', series: [line('A')] },
    { sourceInputParamsId: 'p1' },
  ]
  const tiles = ['Table', 'Chart', 'STATS', 'Text'].flatMap((type) =>
    broken.map((tile, index) => ({ ...tile, type, id: `${type}${index}`, title: `${type} ${index}` })),
  )
  const datapreps = Object.fromEntries(tiles.map(({ id }) => [id, { symbols: [7, null, { groupName: 3 }] }]))
  const { tiles: reported } = await reportOf(tiles, { datapreps, inputParams: { p1: 'x', p2: { keys: 3 } } })
  expect(reported).toHaveLength(32)
  for (const tile of reported) expect(typeof tile.note).toBe('string')
  expect(reported.find(({ title }) => title === 'Chart 6')?.note).toBe(
    'The date range ends before it begins.',
  )
})

test('an aborted report stops', async () => {
  const { insightName } = await reportOf([{ type: 'Table' }], table([a]))
  const signal = AbortSignal.abort(new Error('given up'))
  await expect(read(anna, { groupName: 'Reports', insightName, signal })).rejects.toThrow('given up')
})

test('user text is escaped in the document', async () => {
  const hostile = ['<script>alert(1)</script>', '=1+1', '"quoted" \'words\' & more', '\u202eabc مرحبا']
  const report = await reportOf([
    {
      type: 'Table',
      title: 'Rows',
      source: { type: 'EDITOR' },
      dataContent: `Name\n${hostile.map((text) => `"${text.replaceAll('"', '""')}"`).join('\n')}\n`,
      columns: [{ columnId: 'Name', header: '<img src=x onerror=alert(1)>' }],
    },
    {
      type: 'Text',
      source: { type: 'EDITOR' },
      templateContent: '<b onclick=x>raw</b> [go](javascript:alert(1))',
    },
  ])
  const tile: ReportTile = report.tiles[0]!
  expect(tile.table?.rows.map(([cell]) => cell)).toEqual(hostile)
  const html = reportHtml({ title: '</title><script>', report, madeAt: new Date(0) })
  expect(html).not.toMatch(/<script|<img|<b |javascript:"|href="javascript/i)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toContain('>=1+1</td>')
})
