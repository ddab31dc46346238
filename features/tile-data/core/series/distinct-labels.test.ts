import { expect, test } from 'vitest'
import { distinctLabels, type LabelledSeries } from './distinct-labels.ts'
import { symbolName } from './series-name.ts'

function brent(fields: Partial<LabelledSeries> = {}): LabelledSeries {
  return { label: 'Brent', symbolList: [{ Code: 'Brent' }], column: 'Close', groupName: 'Oil', ...fields }
}

test('labels of a chart distinguish its series', () => {
  expect(distinctLabels([brent(), brent({ column: 'Open' })])).toEqual(['Brent · Close', 'Brent · Open'])
  expect(distinctLabels([brent(), brent({ groupName: 'Archive' })])).toEqual([
    'Brent · Oil',
    'Brent · Archive',
  ])
  const months = ['M01', 'M02'].map((Month) => brent({ symbolList: [{ Code: 'Brent', Month }] }))
  expect(distinctLabels(months)).toEqual(['Brent · M01', 'Brent · M02'])
  expect(distinctLabels([brent(), brent({ movingAverage: 20 })])).toEqual(['Brent', 'Brent · average of 20'])
})

test('labels contain several differences if one is not enough, and a number if series are equal', () => {
  const columns = [brent(), brent({ column: 'Open' }), brent({ groupName: 'Archive' })]
  expect(distinctLabels(columns)).toEqual([
    'Brent · Close · Oil',
    'Brent · Open · Oil',
    'Brent · Close · Archive',
  ])
  expect(distinctLabels([brent(), brent(), brent({ label: 'Brent (2)' })])).toEqual([
    'Brent',
    'Brent (2)',
    'Brent (2) (2)',
  ])
})

test('labels that differ are unchanged', () => {
  expect(distinctLabels([brent(), brent({ label: 'WTI', column: 'Open' })])).toEqual(['Brent', 'WTI'])
})

test('the name of a symbol contains each value only once', () => {
  expect(symbolName({ Code: 'Brent', Name: 'Brent', Month: 'M01' })).toBe('Brent M01')
})
