import { expect, test } from 'vitest'
import { chartQuery, downloadQuery, tableQuery } from './point-ranges.ts'

const address = { groupName: 'Prices', symbols: { Code: 'A' } }

test('the table of a preview has the newest points of the range', () => {
  expect(tableQuery(address, 'ALL', [])).toMatchObject({ range: 'ALL', order: 'desc', size: 500 })
})

test('IN-334 a preview requests points as UI, a download as NCSV', () => {
  expect(
    [chartQuery, tableQuery, downloadQuery].map((query) => query(address, 'ALL', []).formatType),
  ).toEqual(['UI', 'UI', 'NCSV'])
})
