import { expect, test } from 'vitest'
import { queryBoolean } from './page.ts'

test.each([
  [true, [true, 'true', 'True', 'TRUE', '1', 'yes', 'Yes', 'on']],
  [false, [false, 'false', 'False', 'FALSE', '0', 'no', 'No', 'off', '']],
] as const)(
  'parses a boolean of a query string as %s in every spelling that clients use',
  (meaning, spellings) => {
    expect(spellings.map((spelling) => queryBoolean.parse(spelling))).toEqual(spellings.map(() => meaning))
  },
)

test('rejects text that is not a boolean, and quotes it in the message', () => {
  const { error } = queryBoolean.safeParse('maybe')
  expect(error?.issues.map(({ message }) => message)).toEqual(['“maybe” is neither true nor false.'])
})
