import { expect, test } from 'vitest'
import { dataQuery, formatSymbolParameter, parseSymbolParameter } from './index.ts'

test('DP-373 DP-374 DP-375 DP-376 IN-327 IN-330 IN-331 IN-335 IN-336 every field of the query is understood in the spellings of clients', () => {
  const query = dataQuery.parse({
    keys: [
      {
        groupName: 'Prices',
        columns: [null],
        symbols: { Code: 'BRENT', Year: 2024 },
        metadatas: null,
        type: 'x',
        fillType: 'none',
        avgPointsAmount: '',
        offsetType: '',
        offsetAmount: null,
        pattern: 'True',
        patternExactMatch: 'false',
        source: 'WarehouseService',
      },
    ],
    range: 'last',
    startDate: null,
    endDate: '',
    lastType: 'days',
    lastTypeAmount: '30',
    onDateTime: null,
    formatType: 'pandas',
    corrections: 'Yes',
    includeFileId: 'false',
    timeZone: 'Europe/London',
    decimalPrecision: 2,
    skipEmptyColumns: false,
    delta: 'False',
    stats: null,
    filters: [],
    absoluteSize: 5000,
    omitNulls: false,
    csv: 'false',
    order: 'DESC',
    size: -1,
    somethingElse: { ignored: true },
  })
  expect(query).toMatchObject({
    keys: [{ groupName: 'Prices', columns: [], symbols: { Code: 'BRENT', Year: '2024' }, pattern: true }],
    range: 'LAST',
    lastType: 'DAYS',
    lastTypeAmount: 30,
    formatType: 'PANDAS',
    corrections: 'true',
    order: 'desc',
    absoluteSize: 5000,
    size: -1,
    delta: false,
  })
  expect(query).not.toHaveProperty('somethingElse')
})

test.each([
  ['false', 'false'],
  [false, 'false'],
  ['no', 'false'],
  [true, 'true'],
  ['YES', 'true'],
  ['History', 'history'],
  ['only', 'only'],
  [null, undefined],
])('corrections %s mean %s', (given, meant) => {
  expect(dataQuery.parse({ corrections: given }).corrections).toBe(meant)
})

test('DP-380 IN-343 IN-344 IN-345 the six rounding modes, and the words that mean three of them', () => {
  const meaning = (given: string) => dataQuery.parse({ roundingMode: given }).roundingMode
  expect(['Up', 'Down', 'Ceiling', 'Floor', 'Half up', 'half-even'].map(meaning)).toEqual([
    'UP',
    'DOWN',
    'CEILING',
    'FLOOR',
    'HALF_UP',
    'HALF_EVEN',
  ])
  expect(['half expand', 'expand', 'trunc'].map(meaning)).toEqual(['HALF_UP', 'UP', 'DOWN'])
  expect(dataQuery.safeParse({ roundingMode: 'half down' }).success).toBe(false)
})

test('IN-329 DP-297 a key says how its series are moved and filled, and how its values are meant', () => {
  const [key] = dataQuery.parse({
    keys: [
      {
        groupName: 'Prices',
        symbols: { Code: 'B*' },
        pattern: true,
        offsetAmount: '2',
        offsetType: 'months',
        fillType: 'average',
        avgPointsAmount: 3,
        symbolValuesExactMatch: 'true',
        source: 'WarehouseService',
      },
    ],
  }).keys
  expect(key).toMatchObject({
    offsetAmount: '2',
    offsetType: 'MONTHS',
    fillType: 'AVERAGE',
    avgPointsAmount: 3,
    symbolValuesExactMatch: true,
    source: 'WarehouseService',
  })
  const parse = (part: object) => dataQuery.safeParse({ keys: [part] }).success
  expect([parse({ fillType: 'cubic' }), parse({ offsetType: 'parsec' })]).toEqual([false, false])
})

test.each([
  ['days', 'DAYS'],
  ['Business days', 'WORKING_DAYS'],
  ['working-day', 'WORKING_DAYS'],
  ['value', 'VALUES'],
])('IN-339 the unit %s means %s', (given, meant) => {
  expect(dataQuery.parse({ lastType: given }).lastType).toBe(meant)
})

test('DP-386 DP-387 IN-334 IN-346 the formats of the app and of downloads: UI, Standard and fast Ncsv', () => {
  const meaning = (given: string) => dataQuery.parse({ formatType: given }).formatType
  expect(['UI', 'ui', 'NCSV', 'Standard', 'fast Ncsv'].map(meaning)).toEqual([
    'UI',
    'UI',
    'NCSV',
    'STANDARD',
    'NCSV',
  ])
  expect(dataQuery.safeParse({ formatType: 'xml' }).success).toBe(false)
})

test.each([
  [{ range: 'SOMETIMES' }, 'range', 'ALL, BETWEEN, LAST, NEXT'],
  [{ lastTypeAmount: 0 }, 'lastTypeAmount', 'from 1'],
  [{ lastTypeAmount: '1.5' }, 'lastTypeAmount', 'whole number'],
  [{ delta: 'maybe' }, 'delta', 'neither true nor false'],
  [{ decimalPrecision: 16 }, 'decimalPrecision', 'from 0 to 15'],
  [{ keys: Array.from({ length: 10_001 }, () => ({})) }, 'keys', '10000 keys'],
  [
    { keys: [{ symbols: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`K${at}`, 'x'])) }] },
    'keys.0.symbols',
    'at most 100 keys',
  ],
  [{ keys: [{ symbols: ['x'] }] }, 'keys.0.symbols', 'expected record'],
  [{ keys: [{ fillType: 'GUESS' }] }, 'keys.0.fillType', 'NONE, PREVIOUS, NEXT'],
  [{ keys: [{ offsetType: 'MOONS', offsetAmount: 1 }] }, 'keys.0.offsetType', 'WORKING_DAYS'],
  [{ lastType: 'MOONS' }, 'lastType', 'VALUES, MINUTES'],
  [{ outputLayout: 'CUBE' }, 'outputLayout', 'COLUMNS, ROWS'],
  [{ drawPoints: 3 }, 'drawPoints', 'from 4 to 100000'],
  [{ resample: { functions: ['MAX'] } }, 'resample.unit', 'DAYS'],
  [{ resample: { unit: 'DAYS' } }, 'resample.functions', 'FIRST, LAST'],
  [{ resample: { unit: 'DAYS', functions: ['MEDIAN'] } }, 'resample.functions.0', 'FIRST, LAST'],
  [{ resample: { unit: 'DAYS', amount: 1001, functions: ['MAX'] } }, 'resample.amount', 'from 1 to 1000'],
  [{ lastTypeAmount: 1e10 }, 'lastTypeAmount', 'from 1'],
  [{ keys: [{ symbols: { __proto: {} } }] }, 'keys.0.symbols.__proto', ''],
])('%j is refused with the name of the field', (body, field, message) => {
  const { error } = dataQuery.safeParse(body)
  expect(error!.issues[0]!.path.join('.')).toBe(field)
  expect(error!.issues[0]!.message).toContain(message)
})

test('DP-293 the symbol of a URL is parsed and built as name=value pairs joined by a vertical bar', () => {
  const symbols = { Code: 'BRENT', Formula: 'a=b|c', Period: 'D' }
  expect(formatSymbolParameter(symbols)).toBe('Code=BRENT|Formula=a=b|c|Period=D')
  expect(parseSymbolParameter(formatSymbolParameter(symbols))).toEqual(symbols)
  expect(parseSymbolParameter('nonsense')).toEqual({})
})

test('keys may be called like anything that objects inherit', () => {
  const symbols = '{"__proto__":"a","___proto__":"b","constructor":"c","toString":4,"":"d","_":null}'
  const { keys } = dataQuery.parse(JSON.parse(`{"keys":[{"symbols":${symbols}}]}`))
  expect(Object.entries(keys[0]!.symbols)).toEqual([
    ['__proto__', 'a'],
    ['___proto__', 'b'],
    ['constructor', 'c'],
    ['toString', '4'],
    ['', 'd'],
  ])
})
