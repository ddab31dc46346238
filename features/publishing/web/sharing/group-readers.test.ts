import { expect, test } from 'vitest'
import { groupReadersText } from './group-readers.ts'

const user = (email: string, dataStart: string | null = null, dataEnd: string | null = null) => ({
  email,
  dataStart,
  dataEnd,
})

test('counts each user of the group once, excluding listed users and users whose share is limited to dates', () => {
  const users = [
    user('anna'),
    user('ben'),
    user('ben'),
    user('carl'),
    user('dora', '2026-01-01T00:00:00'),
    user('emil', null, '2026-01-01T00:00:00'),
  ]
  expect(groupReadersText('Prices', users, ['anna'])).toBe(
    '2 other users can read this insight through the group Prices.',
  )
  expect(groupReadersText('Prices', users, ['anna', 'ben'])).toBe(
    '1 other user can read this insight through the group Prices.',
  )
  expect(groupReadersText('Prices', users, ['anna', 'ben', 'carl'])).toBeUndefined()
})
