import { expect, test } from 'vitest'
import { dataPrepDefinition } from '../contract/index.ts'
import { linksOfPrep } from './prep-links.ts'

test('a data prep references the groups of its entries and each symbol, with its keys in any order; a pattern references no symbol', () => {
  const { dataGroupName, symbols } = dataPrepDefinition.parse({
    name: 'Prices',
    outputGroup: 'Results',
    dataGroupName: 'Default group',
    symbols: [
      { groupName: 'Oil', symbols: { Type: 'spot', Code: 'WTI' }, valueColumnNames: ['Close'] },
      { symbols: { Code: 'GAS' }, valueColumnNames: ['Close'] },
      { groupName: 'Power', symbols: { Code: 'P*' }, pattern: true, valueColumnNames: ['Close'] },
    ],
  })
  expect(linksOfPrep({ dataGroupName, symbols })).toEqual([
    { type: 'group', target: 'Oil' },
    { type: 'symbol', group: 'Oil', target: '[["Code","WTI"],["Type","spot"]]' },
    { type: 'group', target: 'Default group' },
    { type: 'symbol', group: 'Default group', target: '[["Code","GAS"]]' },
    { type: 'group', target: 'Power' },
  ])
})
