import { expect, test } from 'vitest'
import { chartQuery, downloadQuery, tableQuery } from './point-ranges.ts'

const address = { groupName: 'Prices', symbols: { Code: 'A' } }

test('the preview table has the newest points of the range', () => {
  expect(tableQuery(address, 'ALL', [])).toMatchObject({ range: 'ALL', order: 'desc', size: 500 })
})

test('IN-334 a preview requests points in the format UI, a download in NCSV', () => {
  expect(
    [chartQuery, tableQuery, downloadQuery].map((query) => query(address, 'ALL', []).formatType),
  ).toEqual(['UI', 'UI', 'NCSV'])
})
