import { expect, test } from 'vitest'
import { dataQuery, type DataQueryInput } from '../contract/index.ts'
import { checkVariants } from './engine-query.ts'
import { seriesVariant } from './series-variant.ts'

function variant(key: NonNullable<DataQueryInput['keys']>[number]) {
  return seriesVariant(dataQuery.parse({ keys: [key] }).keys[0]!, 'keys[0]')
}

test.each([
  [1, { shift: { amount: 1, unit: 'YEARS' } }],
  ['-12', { shift: { amount: -12, unit: 'YEARS' } }],
  [' +3 ', { shift: { amount: 3, unit: 'YEARS' } }],
  [0, {}],
  [1.5, {}],
  ['1.0', {}],
  ['x', {}],
  ['', {}],
  [null, {}],
])(
  'IN-337 the offset of %j years applies only if it is a number without a decimal point',
  (amount, meant) => {
    expect(variant({ offsetType: 'years', offsetAmount: amount })).toEqual(meant)
  },
)

test('IN-337 an amount without a type shifts nothing; an amount above a million is rejected', () => {
  expect(variant({ offsetAmount: 3 })).toEqual({})
  expect(() => variant({ offsetType: 'DAYS', offsetAmount: 1_000_001 })).toThrow('keys[0].offsetAmount')
})

test.each([
  ['previous', { kind: 'previous' }],
  ['forward', { kind: 'previous' }],
  ['fill forward', { kind: 'previous' }],
  ['ffill', { kind: 'previous' }],
  ['next', { kind: 'next' }],
  ['Backward', { kind: 'next' }],
  ['fill-backward', { kind: 'next' }],
  ['bfill', { kind: 'next' }],
  ['nearest', { kind: 'nearest' }],
  ['linear', { kind: 'linear' }],
  ['interpolate', { kind: 'linear' }],
  ['zero', { kind: 'zero' }],
  ['none', undefined],
  ['', undefined],
])('IN-329 the fill type %s is accepted', (fillType, fill) => {
  expect(variant({ fillType }).fill).toEqual(fill)
})

test('IN-338 the fill type AVERAGE without its amount fills nothing; an invalid amount is rejected', () => {
  expect(variant({ fillType: 'AVERAGE', avgPointsAmount: '' })).toEqual({})
  expect(variant({ fillType: 'avg' })).toEqual({})
  expect(variant({ fillType: 'AVG', avgPointsAmount: '3' })).toEqual({ fill: { kind: 'average', points: 3 } })
  for (const avgPointsAmount of [0, 1.5, 'x', 1001])
    expect(() => variant({ fillType: 'AVERAGE', avgPointsAmount })).toThrow('keys[0].avgPointsAmount')
})

test('rejects more than 100 different offsets and fills; equal ones count once', () => {
  const variants = Array.from({ length: 300 }, (_, index) => ({
    shift: { amount: 1 + (index % 101), unit: 'DAYS' as const },
  }))
  expect(() => checkVariants(variants, dataQuery.parse({}))).toThrow('101 different offsets and fills')
  expect(() => checkVariants(variants.slice(0, 100), dataQuery.parse({}))).not.toThrow()
})

test('rejects offsets and fills with corrections or delta, with the path of the key', () => {
  const shift = { shift: { amount: 1, unit: 'DAYS' } } as const
  const fill = { fill: { kind: 'zero' } } as const
  const check = (query: DataQueryInput) => () => checkVariants([{}, shift, fill], dataQuery.parse(query))
  expect(check({})).not.toThrow()
  expect(check({ delta: true })).toThrow('keys[1].offsetAmount')
  expect(check({ corrections: 'only' })).toThrow('keys[1].offsetAmount')
  expect(() => checkVariants([fill], dataQuery.parse({ corrections: 'yes' }))).toThrow('keys[0].fillType')
})
