import { expect, test } from 'vitest'
import { columnsText } from './columns-text.ts'

test('the columns of a stored series file and of its new version are listed if they differ, regardless of their order', () => {
  expect(columnsText(['Code', 'Close'], ['Close', 'Code'])).toBe('')
  expect(columnsText(['Code', 'Close'], ['Code'])).toBe(
    'The columns differ. Stored file: Code, Close. New version: Code.',
  )
  expect(columnsText(['a', 'b', 'c', 'd', 'e', 'f', 'g'], ['Code', 'Open'])).toBe(
    'The columns differ. Stored file: a, b, c, d, e, 2 more. New version: Code, Open.',
  )
})
