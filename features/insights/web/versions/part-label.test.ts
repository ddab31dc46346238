import { expect, test } from 'vitest'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import { diffContents } from '../../contract/index.ts'
import { pathLabel, valueText } from './part-label.ts'

test('describes differences between versions', () => {
  expect(
    ['series[0].label', 'source.value', 'templateContent', 'inputParams.p1.keys[1].symbolKey'].map(pathLabel),
  ).toEqual([
    'Series 1 › label',
    'Source › value',
    'Tile text',
    'Input parameters › p1 › keys 2 › symbol key',
  ])
  const basket = {
    items: [
      { groupName: 'Stock prices', symbols: { Ticker: 'IBM' }, valueColumnNames: ['Close'], pattern: false },
    ],
    settings: { range: 'ALL', from: '', absoluteSize: null },
  }
  expect(valueText(basket)).toBe(
    'Items: (Group name: Stock prices, Symbols: (Ticker: IBM), Value column names: (Close)), Settings: (Range: ALL)',
  )
  expect([valueText(true), valueText([]), valueText(5), valueText({ a: '' })]).toEqual([
    'yes',
    'none',
    '5',
    'none',
  ])
})

test('files of texts renamed with the insight do not count as a change of its tiles', () => {
  const content = (name: string, templateContent = 'Words') =>
    ({
      ...emptyContent(),
      tiles: [
        {
          id: 't',
          type: 'Text',
          title: 'T',
          source: { type: 'EDITOR', value: `${name}_T.md` },
          templateContent,
        },
      ],
    }) as InsightContent
  expect(diffContents(content('Old'), content('New')).tiles).toEqual([])
  const [changed] = diffContents(content('Old'), content('New', 'Other words')).tiles
  expect(changed?.fields.map(({ path }) => path)).toEqual(['templateContent'])
})
