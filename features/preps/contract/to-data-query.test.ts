import { expect, test } from 'vitest'
import { dataQuery, fillTypes, outputLayouts } from '@headwater/symbols/contract'
import { dataPrep, dataPrepDefinition, newDataPrep, toDataQuery, type DataPrepInput } from './index.ts'

const entry = { groupName: 'Prices', symbols: { Code: 'BRENT' } }

function queryOf(change: Partial<DataPrepInput>) {
  return toDataQuery(dataPrepDefinition.parse({ name: 'a', outputGroup: 'g', symbols: [entry], ...change }))
}

function keyOf(change: object) {
  return queryOf({ symbols: [{ ...entry, ...change }] }).keys![0]!
}

test('an entry states its source only if it has one', () => {
  expect(keyOf({})).not.toHaveProperty('source')
  expect(keyOf({ source: 'WAREHOUSE' })).toMatchObject({ source: 'WAREHOUSE' })
})

test('DP-317 DP-318 DP-319 DP-320 DP-321 DP-322 a data prep has exactly the fields of the specification', () => {
  const fields =
    'id name outputGroup version range dateFrom dateTo lastType lastTypeAmount lastTypeOnTime lastTypeOnTimeTimezone ' +
    'holidayCalendar deltaTransDateLimitType deltaTransDateLimitAmount decimalPrecision skipEmptyColumns delta ' +
    'outputLayout withType attachMetadataToNcsv failOnMissingSymbols ncsvEmptySymbolsInResult dateFormat timezone ' +
    'roundingMode corrections order source dataGroupName symbols'
  expect(Object.keys(dataPrep.shape).toSorted()).toEqual(fields.split(' ').toSorted())
})

test('DP-323 DP-324 DP-325 IN-317 IN-318 a symbols entry has exactly the fields of the specification', () => {
  const [symbol] = dataPrepDefinition.parse({ name: 'a', outputGroup: 'g', symbols: [entry] }).symbols
  expect(symbol).toEqual({
    groupName: 'Prices',
    symbols: { Code: 'BRENT' },
    metadata: {},
    valueColumnNames: [],
    valueColumnName: null,
    offsetType: null,
    offsetAmount: null,
    fillType: null,
    avgPointsAmount: null,
    pattern: false,
    patternExactMatch: false,
    symbolValuesExactMatch: false,
    source: null,
  })
})

test('DP-322 DP-327 DP-329 DP-381 DP-382 DP-383 DP-385 a new data prep requests the last 500 values in rows, UTC and two decimals', () => {
  expect(outputLayouts).toEqual(['COLUMNS', 'ROWS'])
  expect(newDataPrep('Prices')).toMatchObject({
    outputGroup: 'Prices',
    range: 'LAST',
    lastType: 'VALUES',
    lastTypeAmount: 500,
    outputLayout: 'ROWS',
    roundingMode: 'HALF_UP',
    decimalPrecision: 2,
    dateFormat: "yyyy-MM-dd'T'HH:mm:ss.SSS",
    timezone: 'UTC',
    source: 'WarehouseService',
    symbols: [],
  })
  expect(toDataQuery(dataPrepDefinition.parse({ ...newDataPrep('Prices'), name: 'a' }))).toMatchObject({
    range: 'LAST',
    lastType: 'VALUES',
    lastTypeAmount: 500,
    outputLayout: 'ROWS',
    roundingMode: 'HALF_UP',
    decimalPrecision: 2,
    dateFormat: "yyyy-MM-dd'T'HH:mm:ss.SSS",
    timeZone: 'UTC',
  })
})

const offsets = [
  ['DAYS', '2', { offsetType: 'DAYS', offsetAmount: '2' }],
  ['days', -3, { offsetType: 'DAYS', offsetAmount: '-3' }],
  ['DAYS', '1.5', {}],
  ['DAYS', '2.0', {}],
  ['DAYS', 'x', {}],
  ['DAYS', '', {}],
  ['DAYS', null, {}],
  [null, '2', {}],
] as const
test.each(offsets)(
  'DP-350 IN-337 the offset %s %s applies only if both are set and the amount has no decimal point',
  (type, amount, query) => {
    const { offsetType, offsetAmount } = keyOf({ offsetType: type, offsetAmount: amount })
    expect({ ...(offsetType ? { offsetType } : {}), ...(offsetAmount ? { offsetAmount } : {}) }).toEqual(
      query,
    )
  },
)

const fills = [
  ['AVERAGE', '', undefined, undefined],
  ['AVERAGE', null, undefined, undefined],
  ['avg', 3, 'AVERAGE', '3'],
  ['PREVIOUS', '', 'PREVIOUS', undefined],
  ['NONE', '', undefined, undefined],
] as const
test.each(fills)(
  'DP-351 IN-338 the fill type %s with the amount “%s” is sent as %s',
  (fillType, avgPointsAmount, fill, amount) => {
    expect(keyOf({ fillType, avgPointsAmount }).fillType).toBe(fill)
    expect(keyOf({ fillType, avgPointsAmount }).avgPointsAmount).toBe(amount)
  },
)

test('DP-352 DP-353 IN-340 IN-341 a date without time becomes T00:00:00.000 as a start and T23:59:59.999 as an end', () => {
  expect(queryOf({ range: 'BETWEEN', dateFrom: '2024-01-31', dateTo: '2024-02-29' })).toMatchObject({
    range: 'BETWEEN',
    startDate: '2024-01-31T00:00:00.000',
    endDate: '2024-02-29T23:59:59.999',
  })
  expect(queryOf({ range: 'BETWEEN', dateTo: '2024-02-29T23:59:59' })).toMatchObject({
    endDate: '2024-02-29T23:59:59',
  })
  expect(queryOf({ range: 'LAST', dateTo: '2024-02-29' })).not.toHaveProperty('endDate')
})

test.each([
  [{ pattern: true }, 'patternNeedsColumns'],
  [{ pattern: true, valueColumnNames: ['*'] }, 'patternNeedsColumns'],
  [{ groupName: null }, 'entryNeedsGroup'],
])('DP-354 the entry %j is rejected with %s at the field symbols', (change, code) => {
  expect(() => keyOf(change)).toThrow(
    expect.objectContaining({ code, validationErrors: [expect.objectContaining({ field: 'symbols' })] }),
  )
})

test('DP-354 a pattern with named columns is sent as valueColumnNames or valueColumnName', () => {
  expect(keyOf({ pattern: true, valueColumnNames: ['Cl*'] })).toMatchObject({
    pattern: true,
    columns: ['Cl*'],
  })
  expect(keyOf({ pattern: true, valueColumnName: 'Close' })).toMatchObject({ columns: ['Close'] })
})

test('with delta the insertion limit replaces the range; an incomplete limit is ignored', () => {
  const limit = { deltaTransDateLimitType: 'days', deltaTransDateLimitAmount: '3' }
  const between = { range: 'BETWEEN', dateFrom: '2024-01-01' }
  expect(queryOf({ ...between, ...limit, delta: true })).toMatchObject({
    range: 'LAST',
    lastType: 'DAYS',
    lastTypeAmount: 3,
    delta: true,
  })
  expect(queryOf({ ...between, ...limit })).toMatchObject({ range: 'BETWEEN', delta: false })
  const { deltaTransDateLimitType } = limit
  expect(queryOf({ ...between, deltaTransDateLimitType, delta: true })).toMatchObject({ range: 'BETWEEN' })
})

test('the data query accepts every option of a data prep', () => {
  for (const fillType of fillTypes)
    expect(
      dataQuery.safeParse(queryOf({ symbols: [{ ...entry, fillType, avgPointsAmount: 2 }] })).error,
    ).toBe(undefined)
  const query = queryOf({
    range: 'NEXT',
    lastType: 'business days',
    lastTypeAmount: 5,
    lastTypeOnTime: '16:30',
    holidayCalendar: 'Germany',
    timezone: 'Europe/Berlin',
    outputLayout: 'columns',
    corrections: true,
    order: 'DESC',
    roundingMode: 'trunc',
    attachMetadataToNcsv: 'true',
    dataGroupName: 'Fallback',
    symbols: [{ symbols: { Code: 'x' } }],
  })
  expect(dataQuery.parse(query)).toMatchObject({
    keys: [{ groupName: 'Fallback' }],
    range: 'NEXT',
    lastType: 'WORKING_DAYS',
    lastTypeOnTime: '16:30',
    lastTypeOnTimeTimezone: 'Europe/Berlin',
    holidayCalendar: 'Germany',
    timeZone: 'Europe/Berlin',
    outputLayout: 'COLUMNS',
    corrections: 'true',
    order: 'desc',
    roundingMode: 'DOWN',
    metadata: true,
  })
})

test('DP-318 DP-324 offsets in working days use the holiday calendar, other units do not', () => {
  const calendarOf = (offsetType: 'WORKING_DAYS' | 'DAYS') =>
    queryOf({
      range: 'ALL',
      holidayCalendar: 'Germany',
      symbols: [{ ...entry, offsetType, offsetAmount: 1 }],
    }).holidayCalendar
  expect(calendarOf('WORKING_DAYS')).toBe('Germany')
  expect(calendarOf('DAYS')).toBeUndefined()
})

test('name and group are trimmed', () => {
  expect(dataPrepDefinition.parse({ name: ' a ', outputGroup: ' g ' })).toMatchObject({
    name: 'a',
    outputGroup: 'g',
  })
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: undefined }, 'name'],
  [{ name: 'a/b' }, 'name'],
  [{ name: '..' }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ timezone: '+02:00' }, 'timezone'],
  [{ outputGroup: ' ' }, 'outputGroup'],
  [{ outputGroup: undefined }, 'outputGroup'],
  [{ range: 'SOMETIMES' }, 'range'],
  [{ dateFrom: '2024-02-30' }, 'dateFrom'],
  [{ dateTo: 'soon' }, 'dateTo'],
  [{ lastTypeAmount: 0 }, 'lastTypeAmount'],
  [{ lastTypeOnTime: '25:00' }, 'lastTypeOnTime'],
  [{ decimalPrecision: 16 }, 'decimalPrecision'],
  [{ timezone: 'Mars/Base' }, 'timezone'],
  [{ symbols: [{ fillType: 'magic' }] }, 'symbols.0.fillType'],
  [{ symbols: Array.from({ length: 10_001 }, () => ({})) }, 'symbols'],
] as [object, string][])('rejects %j with the name of the field', (change, field) => {
  const { error } = dataPrepDefinition.safeParse({ name: 'a', outputGroup: 'g', ...change })
  expect(error!.issues[0]!.path.join('.')).toBe(field)
})
