import { expect, test } from 'vitest'
import { dataQuery } from '../contract/index.ts'
import { createPageTokens, type PagePosition } from './page-token.ts'

test('the length of a page token does not reveal the numbers in it', () => {
  const tokens = createPageTokens('a secret of the installation')
  const principal = { userId: 7 } as Parameters<typeof tokens.write>[0]
  const query = dataQuery.parse({ size: 2 })
  const position = (number: number): PagePosition => ({
    now: 1_790_000_000_000,
    offset: number,
    states: [
      {
        groupId: number,
        version: number,
        files: number,
        removed: number,
        symbolId: number,
        columnId: number,
        formulas: number,
      },
    ],
    shape: 'columns',
  })
  const [few, many] = [position(1), position(9_999_999)]
  const token = tokens.write(principal, query, few)
  expect(tokens.write(principal, query, many)).toHaveLength(token.length)
  expect(tokens.read(principal, query, token)).toEqual(few)
  expect(tokens.read({ ...principal, userId: 8 }, query, token)).toBeUndefined()
})
