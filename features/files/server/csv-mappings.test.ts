import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { deleteMapping, listMappings, saveMapping, type StoredMapping } from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
})
afterAll(() => server.stop())

const mapping: StoredMapping['mapping'] = {
  separator: ';',
  decimalSign: ',',
  symbolColumns: ['Ticker'],
  constantSymbols: [],
  date: { column: 'Datum', dateFormat: 'dd.MM.yyyy', timezone: 'Europe/Warsaw' },
  columns: [{ column: 'Kurs', columnType: 'Value', type: 'DB' }],
}

async function newGroup(): Promise<string> {
  const name = `group ${randomUUID()}`
  await anna.call(createGroup, { body: { name } })
  return name
}

const save = (session: Session, groupName: string, name: string, given: unknown = mapping) =>
  session.call(saveMapping, { body: { groupName, name, mapping: given } as never })
const list = async (session: Session, groupName: string) =>
  (await session.call(listMappings, { query: { groupName } })).items

test('a group stores mappings by name; saving under an existing name replaces the mapping, and deletion removes it', async () => {
  const groupName = await newGroup()
  expect(await list(anna, groupName)).toEqual([])
  await save(anna, groupName, ' Weekly ')
  await save(anna, groupName, 'Daily')
  expect((await list(anna, groupName)).map(({ name }) => name)).toEqual(['Daily', 'Weekly'])
  const columns = [{ ...mapping.columns[0], name: 'Close' }]
  await save(anna, groupName, 'Daily', { ...mapping, columns, decimalSign: '.' })
  const [daily, ...others] = await list(anna, groupName)
  expect(daily).toMatchObject({ name: 'Daily', mapping: { ...mapping, columns, decimalSign: '.' } })
  expect(others).toHaveLength(1)
  await anna.call(deleteMapping, { query: { groupName, name: 'Daily' } })
  expect((await list(anna, groupName)).map(({ name }) => name)).toEqual(['Weekly'])
  await expect(anna.call(deleteMapping, { query: { groupName, name: 'Daily' } })).rejects.toMatchObject({
    status: 404,
  })
})

test('users without write access can neither read nor change mappings, and a deleted group has none', async () => {
  const groupName = await newGroup()
  await save(anna, groupName, 'Daily')
  for (const call of [
    () => list(ben, groupName),
    () => save(ben, groupName, 'Daily'),
    () => ben.call(deleteMapping, { query: { groupName, name: 'Daily' } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
  await anna.call(deleteGroup, { params: { name: groupName } })
  await expect(list(anna, groupName)).rejects.toMatchObject({ status: 404 })
})

test('a group has at most 50 mappings, even after concurrent saves', async () => {
  const groupName = await newGroup()
  const saves = await Promise.allSettled(
    Array.from({ length: 53 }, (_, at) => save(anna, groupName, `mapping ${at}`)),
  )
  expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
  expect(saves.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 409 } })
  const { name } = (await list(anna, groupName))[0]!
  await save(anna, groupName, name)
})

test.each([
  ['a name with a control character', { ...mapping, symbolColumns: ['a\u0000b'] }],
  ['a line break in a symbol', { ...mapping, constantSymbols: [{ name: 'Symbol', value: 'a\nb' }] }],
  ['half a character', { ...mapping, symbolColumns: ['\ud800'] }],
  ['no symbol', { ...mapping, symbolColumns: [] }],
  ['an unknown time zone', { ...mapping, date: { ...mapping.date, timezone: 'Europe/Nowhere' } }],
  ['an unknown date format', { ...mapping, date: { ...mapping.date, dateFormat: 'day' } }],
  ['a date without a format', { ...mapping, columns: [{ column: 'X', columnType: 'Value', type: 'D' }] }],
  ['another separator', { ...mapping, separator: 'x' }],
  ['a blank name of values', { ...mapping, columns: [{ ...mapping.columns[0], name: ' ' }] }],
  [
    'the name of a date column for values',
    { ...mapping, columns: [{ ...mapping.columns[0], name: 'Date' }] },
  ],
  ['the code of a type in a name', { ...mapping, columns: [{ ...mapping.columns[0], name: 'Price(S)' }] }],
  [
    'the same name for two columns',
    { ...mapping, columns: [mapping.columns[0], { ...mapping.columns[0], column: 'X', name: 'Kurs' }] },
  ],
  [
    'more than 1,000 columns',
    {
      ...mapping,
      columns: Array.from({ length: 1001 }, (_, at) => ({ ...mapping.columns[0]!, column: `c${at}` })),
    },
  ],
  [
    'more than 100,000 characters',
    {
      ...mapping,
      columns: Array.from({ length: 900 }, (_, at) => ({
        ...mapping.columns[0]!,
        column: `${'c'.repeat(100)}${at}`,
      })),
    },
  ],
])('rejects a mapping with %s', async (_, given) => {
  await expect(save(anna, await newGroup(), 'Daily', given)).rejects.toMatchObject({ status: 400 })
})
