import { expect, test } from 'vitest'
import { dataRangeText } from './data-range-text.ts'

test.each([
  ['2026-03-01T00:00:00', '2026-04-01T00:00:00', 'from 1 March 2026 to 31 March 2026 (UTC)'],
  ['2026-03-01T06:00:00.000', null, 'from 1 March 2026, 06:00 (UTC)'],
  [null, '2026-03-31T22:00:00.000Z', 'until 31 March 2026, 22:00 (UTC)'],
  [undefined, '1900-01-01T00:00:00', 'to 31 December 1899 (UTC)'],
  [null, null, ''],
])('describes the readable data of a share with the limits %s and %s as %s', (dataStart, dataEnd, text) => {
  expect(dataRangeText({ dataStart, dataEnd })).toBe(text)
})
