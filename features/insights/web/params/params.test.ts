import { describe, expect, test } from 'vitest'
import type { Tile } from '@headwater/tile-data/contract'
import {
  boundFilters,
  boundTile,
  filledText,
  rowFilter,
  fieldsOf,
  inOrder,
  newParamSet,
  paramSet,
  paramSetsOf,
  type ParamSet,
  initialValues,
  valuesToApply,
  valuesInUrl,
  writeAddress,
  type ParamValues,
} from '@headwater/tile-data/core'
import { paramErrorText } from './check-set.ts'
import { choicesBefore } from './use-param-choices.ts'

const set = (id: string, more: object = {}): ParamSet => ({ ...paramSet.parse(more), id })
const products = (id = 'p1', more: object = {}) =>
  set(id, {
    title: id,
    groupName: 'Prices',
    keys: [
      { symbolKey: 'Region', label: 'Area', defaultValue: 'EU' },
      { symbolKey: 'Code' },
      { symbolKey: 'Kind', symbolType: 'METADATA' },
    ],
    ...more,
  })
const applied = (chosen: Partial<ParamValues>, given = products()) => {
  const initial = initialValues(given)
  return { set: given, chosen: { ...initial, ...chosen, values: { ...initial.values, ...chosen.values } } }
}
const address = (text = '') => new URLSearchParams(text)

test('IN-293 sets are keyed by id and titled "Parameters N", skipping numbers in use', () => {
  expect(newParamSet({}, [])).toMatchObject({ id: 'p1', title: 'Parameters 1' })
  expect(newParamSet({ p1: {}, p3: {} }, ['Parameters 1', 'Parameters 3'])).toMatchObject({
    id: 'p2',
    title: 'Parameters 4',
  })
})

test('IN-294 IN-295 IN-303 IN-304 a new set has the defaults of the specification', () => {
  expect(newParamSet({}, [])).toMatchObject({
    basicInputParamsType: 'TS',
    shouldSynchronizeParams: false,
    lastValue: 500,
    lastType: 'VALUES',
    decimalPrecision: 2,
    timezone: 'UTC',
    dataRange: 'LAST',
  })
  expect(['TS', 'FILE', 'ELSE'].map((type) => set('p', { basicInputParamsType: type }))).toMatchObject([
    { basicInputParamsType: 'TS' },
    { basicInputParamsType: 'FILE' },
    { basicInputParamsType: 'TS' },
  ])
})

test('IN-302 IN-303 a set starts with its own range, amount, unit and dates', () => {
  const rangeOf = (more: object) => initialValues(set('p', { withDateRange: true, ...more })).range
  expect(rangeOf({ lastValue: 30, lastType: 'DAYS' })).toMatchObject({
    range: 'LAST',
    lastTypeAmount: 30,
    lastType: 'DAYS',
  })
  expect(rangeOf({ dataRange: 'BETWEEN', from: '2026-01-01', to: '2026-01-31' })).toMatchObject({
    range: 'BETWEEN',
    from: '2026-01-01',
    to: '2026-01-31',
  })
  expect(rangeOf({ dataRange: 'ALL' })).toMatchObject({ range: 'ALL' })
})

test('IN-296 IN-299 IN-300 keys and file columns become fields; damaged ones are omitted', () => {
  expect(fieldsOf(products()).map(({ name, kind, label, initial }) => [name, kind, label, initial])).toEqual([
    ['Region', 'symbol', 'Area', 'EU'],
    ['Code', 'symbol', 'Code', ''],
    ['Kind', 'metadata', 'Kind', ''],
  ])
  const file = set('f', {
    basicInputParamsType: 'FILE',
    fileColumns: [
      { column: 'City', defaultValue: 'Oslo' },
      { column: 'From', valueType: 'DATE', defaultValueFrom: '2026-01-01' },
      {
        column: 'To',
        label: 'Until',
        valueType: 'DATE',
        defaultValueFrom: '2026-01-01',
        defaultValueTo: '2026-02-01',
      },
      { label: 'no column' },
      7,
    ],
  })
  expect(fieldsOf(file).map(({ name, kind, label, initial }) => [name, kind, label, initial])).toEqual([
    ['City', 'column', 'City', 'Oslo'],
    ['From', 'dates', 'From', '2026-01-01..'],
    ['To', 'dates', 'Until', '2026-01-01..2026-02-01'],
  ])
  expect(paramSetsOf({ inputParams: { a: null, b: 7, c: { title: 'C' } } }).map(({ id }) => id)).toEqual([
    'c',
  ])
})

describe('the URL', () => {
  test('stores and restores chosen values, and omits initial ones', () => {
    const given = products('p1', { withDateRange: true })
    const chosen: ParamValues = {
      values: { Region: 'a|b=c&d', Code: '*', Kind: '' },
      range: { range: 'BETWEEN', from: '2026-01-01', to: '', lastType: 'VALUES', lastTypeAmount: 500 },
    }
    const search = address('edit=true')
    writeAddress(given, chosen, search)
    expect(search.get('params.p1')).toBe('Region=a%7Cb%3Dc%26d|Code=*|%40range=2026-01-01..')
    expect(valuesInUrl(given, address(search.toString()))).toEqual(chosen)
    writeAddress(given, initialValues(given), search)
    expect(search.toString()).toBe('edit=true')
  })

  test.each(['', 'nonsense', 'Unknown=1', '@range=soon', '@range=LAST 0 DAYS', '@range=LAST 5 EONS', '%=%'])(
    'in %j invalid parts are ignored',
    (text) => {
      const given = products('p1', { withDateRange: true })
      expect(valuesInUrl(given, address(`params.p1=${encodeURIComponent(text)}`))).toEqual(
        initialValues(given),
      )
    },
  )

  test('reads ranges written as ALL, LAST and two dates', () => {
    const given = products('p1', { withDateRange: true })
    const rangeOf = (text: string) =>
      valuesInUrl(given, address(`params.p1=${encodeURIComponent(`@range=${text}`)}`)).range
    expect(rangeOf('ALL')).toMatchObject({ range: 'ALL' })
    expect(rangeOf('LAST 30 DAYS')).toMatchObject({ range: 'LAST', lastTypeAmount: 30, lastType: 'DAYS' })
    expect(rangeOf('2026-01-01..2026-01-31')).toMatchObject({ range: 'BETWEEN', to: '2026-01-31' })
  })
})

test('IN-310 values are copied to fields with the same label of other flagged sets, and to no others', () => {
  const flag = { shouldSynchronizeParams: true }
  const sets = [
    products('p1', flag),
    set('p2', { ...flag, keys: [{ symbolKey: 'Zone', label: 'Area' }, { symbolKey: 'Other' }] }),
    set('p3', { keys: [{ symbolKey: 'Zone', label: 'Area' }] }),
  ]
  const chosen = { ...initialValues(sets[0]!), values: { Region: 'US', Code: 'WTI', Kind: '' } }
  const all = valuesToApply(sets, sets[0]!, chosen, initialValues)
  expect([...all].map(([{ id }, { values }]) => [id, values])).toEqual([
    ['p1', chosen.values],
    ['p2', { Zone: 'US', Other: '' }],
  ])
  expect(valuesToApply(sets, sets[2]!, initialValues(sets[2]!), initialValues).size).toBe(1)
})

describe('a tile that is bound to a set', () => {
  const tile = (more: object = {}): Tile => ({
    id: 't',
    title: 'T',
    type: 'Table',
    sourceInputParamsId: 'p1',
    ...more,
  })
  const entry = (symbols: Record<string, string>, more: object = {}) => ({
    groupName: 'Prices',
    symbols,
    ...more,
  })
  const bound = (
    symbols: object[],
    sets = [applied({ values: { Code: 'WTI', Region: 'US', Kind: 'oil' } })],
  ) => boundTile(tile(), { symbols: symbols as never }, sets).dataPrep.symbols

  test('IN-308 requests the chosen values of its keys by pattern, ignoring those of another set', () => {
    expect(bound([entry({ Code: 'Brent', Region: 'EU' })])).toEqual([
      entry({ Code: 'WTI', Region: 'US' }, { pattern: true, patternExactMatch: true }),
    ])
    expect(bound([entry({ code: 'Brent' })])).toEqual([
      entry({ code: 'WTI' }, { pattern: true, patternExactMatch: true }),
    ])
    expect(bound([entry({ City: 'Oslo' })])).toEqual([entry({ City: 'Oslo' })])
    const other = applied({ values: { Code: 'WTI' } }, products('p2'))
    expect(bound([entry({ Code: 'Brent' })], [other])).toEqual([entry({ Code: 'Brent' })])
  })

  test('IN-208 any value is a star; patterns are extended by the chosen keys', () => {
    expect(bound([entry({ Code: 'B' })], [applied({ values: { Code: '*' } })])[0]).toMatchObject({
      symbols: { Code: '*' },
      pattern: true,
    })
    expect(bound([entry({}), entry({ Code: '*' }, { pattern: true })])).toEqual([
      entry({ Region: 'US', Code: 'WTI' }, { pattern: true }),
      entry({ Code: 'WTI', Region: 'US' }, { pattern: true }),
    ])
  })

  test('IN-297 chosen metadata and the filters of the set become conditions', () => {
    const filters = [
      { name: 'Close', value: 5, operator: 'GREATER' },
      { name: 'Note', value: 'left over', operator: 'IS_EMPTY' },
      { name: 'Volume', operator: 'IS_NOT_EMPTY' },
      { name: 'Open', value: '', operator: 'LESS' },
      { name: '' },
    ]
    const given = applied({ values: { Kind: 'oil' } }, products('p1', { filters }))
    expect(boundFilters(given)).toEqual([
      { name: 'Close', value: '5', operator: 'GREATER' },
      { name: 'Note', value: '', operator: 'IS_EMPTY' },
      { name: 'Volume', value: '', operator: 'IS_NOT_EMPTY' },
      { name: 'metadata.Kind', value: 'oil', operator: 'EQUALS' },
    ])
    expect(boundFilters(applied({ values: { Kind: '*' } }))).toEqual([])
  })

  test('IN-302 the chosen range replaces the range of the tile only in a set with withDateRange', () => {
    const between = {
      range: 'BETWEEN' as const,
      from: '2026-01-01',
      to: '',
      lastType: 'VALUES',
      lastTypeAmount: 5,
    }
    const given = applied(
      { range: between },
      products('p1', { withDateRange: true, timezone: 'Europe/Oslo' }),
    )
    const bound = (sets: (typeof given)[]) => boundTile(tile({ range: 'ALL' }), { symbols: [] }, sets).tile
    expect(bound([given])).toMatchObject({ range: 'BETWEEN', from: '2026-01-01', timeZone: 'Europe/Oslo' })
    expect(bound([applied({})])).toMatchObject({ range: 'ALL' })
  })

  test('the series of a chart follow the chosen values, and labels in braces are replaced with values', () => {
    const chart = tile({
      type: 'Chart',
      series: [{ label: '{{Code}} in {{Area}}', symbolList: [{ Code: 'Brent', Region: 'EU' }] }],
    })
    const { series } = boundTile(chart, { symbols: [] }, [applied({ values: { Code: 'WTI' } })]).tile
    expect(series).toMatchObject([{ label: 'WTI in EU', symbolList: [{ Code: 'WTI', Region: 'EU' }] }])
  })

  test('chosen values filter the rows of a table by columns of the same name', () => {
    const columns = ['Region', 'From'].map((name, index) => ({ name, index }))
    const file = set('f', {
      basicInputParamsType: 'FILE',
      fileColumns: [{ column: 'region' }, { column: 'From', valueType: 'DATE' }],
    })
    const keeps = (values: Record<string, string>) =>
      [
        ['N', '2026-01-05T23:00:00'],
        ['S', '2026-02-05'],
        ['N', ''],
      ].filter(rowFilter(applied({ values }, file), columns) ?? (() => true)).length
    expect(keeps({})).toBe(3)
    expect(keeps({ region: 'N' })).toBe(2)
    expect(keeps({ region: '*', From: '2026-01-05..2026-01-05' })).toBe(1)
    expect(keeps({ From: '..2026-01-31' })).toBe(1)
  })
})

test('a value is never interpreted as markup of the text that contains it', () => {
  const tile = { id: 't', title: 'T', type: 'Text', templateContent: '# {{Code}}' }
  const evil = '[x](http://evil.example) <b>\n# y'
  const { tile: bound } = boundTile(tile, { symbols: [] }, [applied({ values: { Code: evil } })])
  expect(bound.templateContent).toBe('# \\[x\\]\\(http\\:\\/\\/evil\\.example\\) \\<b\\> \\# y')
})

test('unknown labels in texts remain, and a chosen value takes precedence over a default', () => {
  const sets = [applied({ values: { Code: 'WTI' } }), applied({}, products('p2'))]
  expect(filledText('{{ Code }}, {{Kind}}, {{Nothing}}, {single}', sets, undefined)).toBe(
    'WTI, the default kind, {{Nothing}}, {single}',
  )
})

test('the placeholder of an empty parameter fits into the sentence and is capitalised at its start', () => {
  const sets = [applied({ values: { Code: '*' } })]
  expect(filledText('Prices of {{Code}} today', sets, undefined)).toBe('Prices of any code today')
  expect(filledText('# {{Code}}\n\nDaily. {{Code}}', sets, undefined)).toBe('# Any code\n\nDaily. Any code')
  expect(filledText('Prices of {{Code}}', [applied({})], undefined)).toBe('Prices of the default code')
})

test('IN-306 IN-307 with isHierarchyEnabled, earlier choices narrow the choices of a field', () => {
  const given = products('p1', { isHierarchyEnabled: true })
  const field = fieldsOf(given)[1]!
  expect(choicesBefore(given, field, { Region: 'EU', Kind: 'oil' })).toEqual([
    { field: fieldsOf(given)[0], value: 'EU' },
  ])
  expect(choicesBefore(given, field, { Region: '*' })).toEqual([])
  expect(choicesBefore(products(), field, { Region: 'EU' })).toEqual([])
})

test('IN-312 IN-313 the text of a parameter data error selects the message', () => {
  expect(paramErrorText(new Error('We Could not find symbols'))).toBe('We Could not find symbols')
  expect(paramErrorText(new Error('Could not find symbols'))).toBe(
    'One of choosen symbols does not exist. Please select different ones.',
  )
  expect(paramErrorText(new Error('Too busy'))).toBe('Too busy')
  expect(paramErrorText(undefined)).toBe('Unknown error')
  expect(paramErrorText(new Error(''))).toBe('Unknown error')
})

test('sets keep any order, even if their ids are numbers', () => {
  const stored = { '10': { title: 'Ten' }, '2': { title: 'Two' }, p1: { title: 'First' } }
  const titlesOf = (inputParams: Record<string, unknown>) =>
    paramSetsOf({ inputParams }).map(({ title }) => title)
  expect(titlesOf(stored)).toEqual(['Two', 'Ten', 'First'])
  const moved = inOrder(stored, ['p1', '10', '2'])
  expect(titlesOf(moved)).toEqual(['First', 'Ten', 'Two'])
  expect(titlesOf(JSON.parse(JSON.stringify(moved)) as Record<string, unknown>)).toEqual([
    'First',
    'Ten',
    'Two',
  ])
  expect(titlesOf({ ...moved, new: { title: 'New' } })).toEqual(['First', 'Ten', 'Two', 'New'])
  expect(titlesOf({ a: { title: 'A', position: 'odd' }, b: { title: 'B', position: 0 } })).toEqual(['A', 'B'])
})
