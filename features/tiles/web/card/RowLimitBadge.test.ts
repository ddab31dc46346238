import { expect, test } from 'vitest'
import { rowLimitHints } from './RowLimitBadge.tsx'

const hints = (isVisitor: boolean, canChooseRange: boolean, ofFile = false) =>
  rowLimitHints({ ofFile, isVisitor, canChooseRange })

test('the hint states the row limit of the page: 100,000, or 50,000 in a public view', () => {
  expect(hints(false, true)).toEqual({
    more: 'All series share this limit. Click to load all rows (at most 100,000).',
    all: 'A tile loads at most 100,000 rows. Choose a shorter range, or read all rows over the HTTP API.',
  })
  expect(hints(true, true)).toEqual({
    more: 'All series share this limit. Click to load all rows (at most 50,000).',
    all: 'A tile of a public view loads at most 50,000 rows. Choose a shorter range.',
  })
  expect(hints(true, false).all).toBe('A tile of a public view loads at most 50,000 rows.')
  expect(hints(true, true, true).more).toBe('Click to load all rows of the file.')
})
