import { expect, test } from 'vitest'
import { parseFileQuery } from './file-query.ts'

const exact = (text: string) => ({ text, hasWildcard: false })
const pattern = (text: string) => ({ text, hasWildcard: true })
const empty = parseFileQuery('')

test('an empty query and * both match everything', () => {
  expect(parseFileQuery('*')).toEqual(empty)
  expect(parseFileQuery('**')).toEqual(empty)
})

test('pairs are split at & only where a key follows, and at the first =', () => {
  expect(parseFileQuery('name=a & b=c.csv&type=ncsv&groupName=Oil & Gas&fields.Desk=x=y')).toEqual({
    ...empty,
    names: [exact('a & b=c.csv')],
    types: [exact('NCSV')],
    groupNames: [exact('Oil & Gas')],
    fields: [{ name: 'Desk', match: exact('x=y') }],
  })
})

test('keys are read regardless of case; names of metadata fields are not changed', () => {
  expect(parseFileQuery('GROUPNAME.keyword=G&FileName=a*&Fields.My Key=v')).toEqual({
    ...empty,
    groupNames: [exact('G')],
    names: [pattern('a*')],
    fields: [{ name: 'My Key', match: exact('v') }],
  })
})

test('terms without a key of the language are free text', () => {
  expect(parseFileQuery('brent&type=NCSV')).toEqual({
    ...empty,
    types: [exact('NCSV')],
    freeText: exact('brent'),
  })
  expect(parseFileQuery('size=5').freeText).toEqual(exact('size=5'))
})

test('a UUID matches the id of a file', () => {
  const id = '0B8E6F1C-4b6e-4e0e-9f35-0c2a3a5b7d11'
  expect(parseFileQuery(id)).toEqual({ ...empty, ids: [exact(id.toLowerCase())] })
  expect(parseFileQuery(`uuid=${id}`)).toEqual({ ...empty, ids: [exact(id.toLowerCase())] })
})

test('search keys among the URL parameters are added to the query; other parameters are ignored', () => {
  const stray = { groupName: 'G', 'fields.a': ['1', '2'], withStatus: 'true', other: 'x', type: 'SOURCE' }
  expect(parseFileQuery('name=*', stray)).toEqual({
    ...empty,
    names: [pattern('*')],
    types: [exact('SOURCE')],
    groupNames: [exact('G')],
    fields: [
      { name: 'a', match: exact('1') },
      { name: 'a', match: exact('2') },
    ],
  })
})

test.each([
  ['2026', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2026-02-28', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['2026-02-28*', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['2026-02-28T23:59', '2026-02-28T23:59:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['2026-01..2026-02', '2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['2026-01..', '2026-01-01T00:00:00.000Z', undefined],
  ['..2026-01-31T12:00:00', undefined, '2026-01-31T12:00:01.000Z'],
])('arrivalTime=%s is the time from %s to before %s', (text, from, before) => {
  const { arrivedFrom, arrivedBefore } = parseFileQuery(`arrivalTime=${text}`)
  expect([arrivedFrom?.toISOString(), arrivedBefore?.toISOString()]).toEqual([from, before])
})

test.each(['', '..', 'soon', '2026-1', '2026-13', '2026-02-30', '2026-01-01T25', '1..2..3'])(
  'arrivalTime=%s is rejected',
  (text) => {
    expect(() => parseFileQuery(`arrivalTime=${text}`)).toThrow('arrivalTime')
  },
)

test.each([
  ['latest=true', true],
  ['latest=True', true],
  ['latest=', true],
  ['latest=False', false],
  ['name=x', undefined],
])('%s selects the latest version: %s', (text, latest) => {
  expect(parseFileQuery(text).latest).toBe(latest)
})
