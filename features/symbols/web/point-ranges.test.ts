import { expect, test } from 'vitest'
import { tableQuery } from './point-ranges.ts'

test('the table of a preview has the newest points of the range', () => {
  const address = { groupName: 'Prices', symbols: { Code: 'A' } }
  expect(tableQuery(address, 'ALL', [])).toMatchObject({ range: 'ALL', order: 'desc', size: 500 })
})
