import { expect, test } from 'vitest'
import { dataQuery, formatSymbolParameter, parseSymbolParameter } from './index.ts'

test('DP-296 DP-297 DP-373 DP-375 DP-376 IN-327 IN-329 IN-330 IN-331 IN-333 IN-335 IN-336 a query keeps every field of its body', () => {
  const key = {
    groupName: 'Prices',
    columns: ['Close', 'Open'],
    symbols: { Code: 'B*' },
    metadatas: ['Unit', 'Lot'],
    metadata: ['Lot'],
    type: 'symbol',
    fillType: 'AVERAGE',
    avgPointsAmount: 3,
    offsetType: 'MONTHS',
    offsetAmount: 2,
    pattern: true,
    patternExactMatch: true,
    symbolValuesExactMatch: true,
    source: 'WarehouseService',
  }
  const body = {
    keys: [{ ...key, metadatas: ['Unit'] }],
    range: 'BETWEEN',
    startDate: '2024-01-01',
    endDate: '2024-12-31',
    lastType: 'DAYS',
    lastTypeAmount: 30,
    time: '16:30',
    timezone: 'Europe/London',
    holidayCalendar: 'GB-ENG',
    onDateTime: '2024-06-30T12:00:00',
    formatType: 'UI',
    dateFormat: 'yyyy-MM-dd',
    corrections: 'history',
    includeFileId: true,
    timeZone: 'America/New_York',
    decimalPrecision: 4,
    roundingMode: 'FLOOR',
    skipEmptyColumns: true,
    delta: true,
    stats: true,
    filters: [{ name: 'Close', operator: 'GREATER', value: 5 }],
    size: -1,
    order: 'desc',
    sortSymbols: true,
    symbolSize: 7,
    csv: true,
    omitNulls: true,
    absoluteSize: 5000,
  }
  expect(dataQuery.parse(body)).toMatchObject({ ...body, keys: [key] })
  const mapped = { keys: [{ ...key, metadata: { Unit: 'USD' } }] }
  expect(dataQuery.parse(mapped).keys[0]!.metadatas).toEqual(['Unit', 'Lot'])
  expect(dataQuery.parse({ ...body, somethingElse: true })).not.toHaveProperty('somethingElse')
})

test('a query accepts names regardless of case, booleans and numbers as text, and null as absent', () => {
  const query = dataQuery.parse({
    keys: [
      {
        groupName: 'Prices',
        columns: [null],
        symbols: { Code: 'BRENT', Year: 2024 },
        metadatas: null,
        fillType: 'none',
        avgPointsAmount: '',
        offsetType: '',
        offsetAmount: null,
        pattern: 'True',
        patternExactMatch: 'false',
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
    delta: 'False',
    stats: null,
    csv: 'false',
    order: 'DESC',
  })
  expect(query).toMatchObject({
    keys: [
      {
        columns: [],
        metadatas: [],
        symbols: { Code: 'BRENT', Year: '2024' },
        pattern: true,
        patternExactMatch: false,
      },
    ],
    range: 'LAST',
    lastType: 'DAYS',
    lastTypeAmount: 30,
    formatType: 'PANDAS',
    corrections: 'true',
    includeFileId: false,
    delta: false,
    csv: false,
    order: 'desc',
  })
  for (const field of ['startDate', 'endDate', 'onDateTime'] as const) expect(query[field]).toBeUndefined()
})

test('IN-330 the range is ALL, BETWEEN, LAST or NEXT', () => {
  const rangeOf = (range: string) => dataQuery.parse({ range }).range
  expect(['ALL', 'BETWEEN', 'LAST', 'NEXT'].map(rangeOf)).toEqual(['ALL', 'BETWEEN', 'LAST', 'NEXT'])
  expect(dataQuery.safeParse({ range: 'FIRST' }).success).toBe(false)
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
])('the corrections %s mean %s', (given, meant) => {
  expect(dataQuery.parse({ corrections: given }).corrections).toBe(meant)
})

test('DP-380 IN-343 IN-344 IN-345 a query accepts the six rounding modes and half expand, expand and trunc as three of them', () => {
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

test('DP-297 IN-329 a key contains offset, fill, source and the exact match of values, with text parsed as its type', () => {
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

test('IN-339 the fill types, the units of offsets and the units of ranges are these and no others', () => {
  const units = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS', 'WORKING_DAYS']
  const meant = {
    fillType: ['NONE', 'PREVIOUS', 'NEXT', 'NEAREST', 'LINEAR', 'ZERO', 'AVERAGE'],
    offsetType: units,
  }
  for (const [field, names] of Object.entries(meant)) {
    const keys = names.map((name) => ({ groupName: 'Prices', [field]: name }))
    expect(dataQuery.parse({ keys }).keys).toMatchObject(keys)
  }
  for (const lastType of ['VALUES', ...units])
    expect(dataQuery.parse({ lastType })).toMatchObject({ lastType })
  for (const query of [
    { keys: [{ groupName: 'Prices', fillType: 'CUBIC' }] },
    { keys: [{ groupName: 'Prices', offsetType: 'VALUES' }] },
    { lastType: 'DECADES' },
  ])
    expect(dataQuery.safeParse(query).success, JSON.stringify(query)).toBe(false)
})

test('IN-334 IN-346 a query accepts the formats UI, NCSV, Standard and fast Ncsv', () => {
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
  [{ keys: [{ symbols: ['x'] }] }, 'keys.0.symbols', 'must be an object'],
  [{ keys: [{ fillType: 'GUESS' }] }, 'keys.0.fillType', 'NONE, PREVIOUS, NEXT'],
  [{ keys: [{ offsetType: 'MOONS', offsetAmount: 1 }] }, 'keys.0.offsetType', 'WORKING_DAYS'],
  [{ lastType: 'MOONS' }, 'lastType', 'VALUES, MINUTES'],
  [{ outputLayout: 'CUBE' }, 'outputLayout', 'COLUMNS, ROWS'],
  [{ drawPoints: 3 }, 'drawPoints', 'from 4 to 100000'],
  [{ resample: { functions: ['MAX'] } }, 'resample.unit', 'DAYS'],
  [{ resample: { unit: 'DAYS' } }, 'resample.functions', 'FIRST, LAST'],
  [{ resample: { unit: 'DAYS', functions: ['MODE'] } }, 'resample.functions.0', 'FIRST, LAST'],
  [{ resample: { unit: 'DAYS', amount: 1001, functions: ['MAX'] } }, 'resample.amount', 'from 1 to 1000'],
  [{ aggregate: { by: ['Country'] } }, 'aggregate.functions', 'SUM, MEAN'],
  [{ aggregate: { functions: [] } }, 'aggregate.functions', 'SUM, MEAN'],
  [{ aggregate: { functions: ['FIRST'] } }, 'aggregate.functions.0', 'SUM, MEAN'],
  [{ aggregate: { functions: ['TIME_WEIGHTED_AVERAGE'] } }, 'aggregate.functions.0', 'SUM, MEAN'],
  [{ aggregate: { functions: ['SUM', 'P101'] } }, 'aggregate.functions.1', 'SUM, MEAN'],
  [{ aggregate: { by: 'Country', functions: ['SUM'] } }, 'aggregate.by', 'must be a list'],
  [
    { aggregate: { by: Array.from({ length: 101 }, (_, at) => `K${at}`), functions: ['SUM'] } },
    'aggregate.by',
    'at most 100 keys',
  ],
  [{ lastTypeAmount: 1e10 }, 'lastTypeAmount', 'from 1'],
  [{ keys: [{ symbols: { __proto: {} } }] }, 'keys.0.symbols.__proto', ''],
])('rejects %j with the name of the field', (body, field, message) => {
  const { error } = dataQuery.safeParse(body)
  expect(error!.issues[0]!.path.join('.')).toBe(field)
  expect(error!.issues[0]!.message).toContain(message)
})

test('an aggregate accepts the functions of spans and combines all series by default', () => {
  expect(
    dataQuery.parse({ aggregate: { functions: ['avg', 'Average', 'std', 'p05', 'count'] } }).aggregate,
  ).toEqual({
    by: [],
    functions: ['MEAN', 'STDDEV', 'P5', 'COUNT'],
  })
  expect(dataQuery.parse({ aggregate: { by: null, functions: ['sum'] } }).aggregate!.by).toEqual([])
  expect(dataQuery.parse({ aggregate: null }).aggregate).toBeUndefined()
})

test('DP-293 the symbol of a URL is parsed and built as name=value pairs joined by a vertical bar', () => {
  const symbols = { Code: 'BRENT', Formula: 'a=b|c', Period: 'D' }
  expect(formatSymbolParameter(symbols)).toBe('Code=BRENT|Formula=a=b|c|Period=D')
  expect(parseSymbolParameter('Code=BRENT|Period=D')).toEqual({ Code: 'BRENT', Period: 'D' })
  expect(parseSymbolParameter(formatSymbolParameter(symbols))).toEqual(symbols)
  expect(parseSymbolParameter('nonsense')).toEqual({})
})

test('accepts keys named like inherited properties of objects', () => {
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
