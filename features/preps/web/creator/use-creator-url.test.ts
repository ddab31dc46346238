import { expect, test } from 'vitest'
import { symbolsIn } from './use-creator-url.ts'

const brent = { groupName: 'Prices & more', symbols: { Code: 'BRENT', Formula: 'a=b|c' } }

test.each([
  ['', [], undefined, {}],
  ['groupName=Prices', [], 'Prices', {}],
  [
    'query=&groupName=Prices+%26+more&symbol=Code%3DBRENT%7CFormula%3Da%3Db%7Cc',
    [brent],
    brent.groupName,
    brent.symbols,
  ],
  ['groupName=Prices&symbol=Code%3DBR*', [], 'Prices', { Code: 'BR*' }],
  [
    'groupName=Prices&symbol=Code%3DB&group=&filter=',
    [{ groupName: 'Prices', symbols: { Code: 'B' } }],
    undefined,
    {},
  ],
  [
    'groupName=Prices&symbol=Code%3DB&group=Other&filter=Code%3DC',
    [{ groupName: 'Prices', symbols: { Code: 'B' } }],
    'Other',
    { Code: 'C' },
  ],
  [
    'groupName=G&symbol=Code%3DA&groupName=H&symbol=Code%3DB',
    [
      { groupName: 'G', symbols: { Code: 'A' } },
      { groupName: 'H', symbols: { Code: 'B' } },
    ],
    undefined,
    {},
  ],
])('the creator reads symbols and filters from the URL “%s”', (text, named, groupName, filters) => {
  expect(symbolsIn(new URLSearchParams(text))).toEqual({ named, groupName, filters })
})
