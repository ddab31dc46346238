import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  listGroupTags,
  updateGroup,
} from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
})
afterAll(() => server.stop())

const named = (name: string) => ({ params: { name } })
const listed = async (
  session: Session,
  query: Parameters<typeof session.call<typeof listGroups>>[1]['query'],
) => (await session.call(listGroups, { query })).items.map((group) => group.name)

/** Gives a user access to a group. */
async function grant(groupId: number, access: string, { userName }: Session): Promise<void> {
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access) select $1, id, $2 from users where user_name = $3`,
    [groupId, access, userName],
  )
}

test('DP-039 DP-040 DP-041 DP-047 DP-048 IN-411 IN-414 a group is created with a trimmed name, description, fields and tags, and can be fetched', async () => {
  const created = await anna.call(createGroup, {
    body: {
      name: '  Prices EU ',
      description: 'Spot prices',
      fields: [{ name: 'Desk', type: 'string', defaultValue: 'oil' }],
      groupTags: ['spot', 'Spot', 'energy'],
    },
  })
  expect(created).toMatchObject({
    groupId: expect.any(Number),
    name: 'Prices EU',
    description: 'Spot prices',
    owner: 'anna@example.com',
    access: 'RWS',
    shared: false,
    favorite: false,
    type: 'DATA',
    fields: [{ name: 'Desk', type: 'string', defaultValue: 'oil' }],
  })
  expect(created.groupTags).toEqual([
    { tagId: expect.any(Number), tagName: 'energy' },
    { tagId: expect.any(Number), tagName: 'Spot' },
  ])
  expect(await anna.call(getGroup, named('Prices EU'))).toEqual(created)
  const changed = {
    description: 'Futures',
    fields: [{ name: 'Lot', type: 'int' as const }],
    groupTags: ['late'],
  }
  await anna.call(updateGroup, { ...named('Prices EU'), body: changed })
  const groupTags = [{ tagId: expect.any(Number), tagName: 'late' }]
  const expected = { ...created, ...changed, groupTags, version: 2, changedBy: anna.userName }
  expect(await anna.call(getGroup, named('Prices EU'))).toEqual(expected)
  expect((await anna.call(listGroups, { query: { name: 'Prices EU' } })).items).toMatchObject([
    { name: 'Prices EU', description: 'Futures', fields: changed.fields, groupTags, favorite: false },
  ])
})

test('DP-039 IN-411 a group states whether it is shared and whether it is a favourite of the caller', async () => {
  const { groupId, shared, favorite } = await anna.call(createGroup, { body: { name: 'Known' } })
  expect({ shared, favorite }).toEqual({ shared: false, favorite: false })
  await grant(groupId, 'R', ben)
  await ben.call(updateSettings, {
    body: { settings: { favoriteGroups: JSON.stringify([{ name: 'Known', favorite: true }]) } },
  })
  expect(await ben.call(getGroup, named('Known'))).toMatchObject({ groupId, shared: true, favorite: true })
  expect(await anna.call(getGroup, named('Known'))).toMatchObject({ shared: true, favorite: false })
})

test('IN-412 groups are created, fetched, searched, updated and deleted with one request each', async () => {
  const request = async (method: string, path: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) }
    const response = await anna.fetch(path, init)
    return [response.status, await response.json()]
  }
  const path = '/file/group/One%20each'
  const group = { name: 'One each', description: '' }
  expect(await request('POST', '/file/group', { name: 'One each' })).toMatchObject([201, group])
  expect(await request('GET', path)).toMatchObject([200, group])
  const page = { totalSize: 1, items: [group] }
  expect(await request('GET', '/file/group?query=one+each')).toMatchObject([200, page])
  const description = 'changed'
  expect(await request('PUT', path, { description })).toMatchObject([200, { ...group, description }])
  expect(await request('GET', path)).toMatchObject([200, { description }])
  expect(await request('DELETE', path)).toEqual([200, {}])
  expect(await request('GET', path)).toMatchObject([404, { code: 'groupNotFound' }])
})

test('DP-042 DP-043 IN-413 a lookup by name is exact; without a name the query matches any part, regardless of case', async () => {
  for (const name of ['abc', 'abcd', 'xABCd', 'xabcx']) await anna.call(createGroup, { body: { name } })
  const sorted = { sortBy: 'name', sortOrder: 'ASC' } as const
  expect(await listed(anna, { name: 'abc' })).toEqual(['abc'])
  expect(await listed(anna, { name: 'abc', query: 'xabcx' })).toEqual(['abc'])
  expect(await listed(anna, { name: 'ABC' })).toEqual([])
  expect(await listed(anna, { name: 'ab*' })).toEqual([])
  expect(await listed(anna, { query: 'ABC', ...sorted })).toEqual(['abc', 'abcd', 'xABCd', 'xabcx'])
  expect(await listed(anna, { query: '*ABCX*' })).toEqual(['xabcx'])
  expect(await listed(anna, { query: 'name=x*', ...sorted })).toEqual(['xABCd', 'xabcx'])
  expect(await listed(anna, { query: '%' })).toEqual([])
})

test('DP-046 a group search takes a name and tags, and sorts by name ascending', async () => {
  await anna.call(createGroup, { body: { name: 'tagged b', groupTags: ['red', 'blue'] } })
  await anna.call(createGroup, { body: { name: 'tagged a', groupTags: ['Red'] } })
  expect(await listed(anna, { tags: 'red', sortBy: 'name', sortOrder: 'asc' })).toEqual([
    'tagged a',
    'tagged b',
  ])
  expect(await listed(anna, { tags: 'red,blue' })).toEqual(['tagged b'])
  expect(await listed(anna, { name: 'tagged a', tags: 'red' })).toEqual(['tagged a'])
  expect(await listed(anna, { name: 'tagged a', tags: 'blue' })).toEqual([])
  const tags = await anna.call(listGroupTags, { query: { query: 're' } })
  expect(tags.items.map((tag) => tag.tagName)).toEqual(['red'])
  expect((await ben.call(listGroupTags, { query: { query: 're' } })).items).toEqual([])
})

test('DP-049 an update changes the description and preserves omitted properties', async () => {
  const fields = [{ name: 'Desk', type: 'string' as const, defaultValue: 'oil' }]
  const body = { name: 'edited', description: 'old words', fields, groupTags: ['kept'] }
  const created = await anna.call(createGroup, { body })
  const description = 'new words'
  await anna.call(updateGroup, { ...named('edited'), body: { description } })
  const changed = { ...created, description, changedBy: anna.userName }
  expect(await anna.call(getGroup, named('edited'))).toEqual({ ...changed, version: 2 })
  await anna.call(updateGroup, { ...named('edited'), body: { fields: [] } })
  expect(await anna.call(getGroup, named('edited'))).toEqual({ ...changed, version: 3, fields: [] })
})

test('DP-050 a deleted group is no longer listed', async () => {
  await anna.call(createGroup, { body: { name: 'short-lived' } })
  await anna.call(deleteGroup, named('short-lived'))
  expect(await listed(anna, { query: 'short-lived' })).toEqual([])
  await expect(anna.call(getGroup, named('short-lived'))).rejects.toMatchObject({ status: 404 })
})

test('DP-054 DP-055 the group list is paged and can be limited to groups that the caller can write to', async () => {
  const reader = await server.createUser({ email: 'reader@example.com' })
  for (const access of ['R', 'RS', 'RW', 'RWS']) {
    const { groupId } = await anna.call(createGroup, { body: { name: `granted ${access}` } })
    await grant(groupId, access, reader)
  }
  const query = { query: 'granted', sortBy: 'name', sortOrder: 'asc' } as const
  expect(await listed(reader, query)).toEqual(['granted R', 'granted RS', 'granted RW', 'granted RWS'])
  expect(await listed(reader, { ...query, writeOnly: 'true' })).toEqual(['granted RW', 'granted RWS'])
  for (const [from, access] of ['RW', 'RWS'].entries()) {
    const page = await reader.call(listGroups, { query: { ...query, writeOnly: 'true', size: 1, from } })
    expect(page).toMatchObject({ from, totalSize: 2, items: [{ name: `granted ${access}`, access }] })
  }
})

test('SH-095 a user owns a home group, which cannot be deleted', async () => {
  const home = await anna.call(getGroup, named('anna@example.com_home'))
  expect(home.owner).toBe('anna@example.com')
  await expect(anna.call(deleteGroup, named(home.name))).rejects.toMatchObject({
    status: 400,
    body: { code: 'homeGroupStays' },
  })
})

test('without a grant another user can neither see, change nor delete a group; an administrator can', async () => {
  await anna.call(createGroup, { body: { name: 'private' } })
  expect(await listed(ben, { query: 'private' })).toEqual([])
  for (const attempt of [
    () => ben.call(getGroup, named('private')),
    () => ben.call(updateGroup, { ...named('private'), body: { description: 'mine' } }),
    () => ben.call(deleteGroup, named('private')),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404, body: { code: 'groupNotFound' } })
  expect((await server.admin.call(getGroup, named('private'))).access).toBe('RWS')
})

test('a user with full access to someone else’s group cannot delete it; an administrator can', async () => {
  const { groupId } = await anna.call(createGroup, { body: { name: 'lent' } })
  await grant(groupId, 'RWS', ben)
  await expect(ben.call(deleteGroup, named('lent'))).rejects.toMatchObject({
    status: 403,
    body: { code: 'onlyOwnerDeletes' },
  })
  expect(await anna.call(getGroup, named('lent'))).toMatchObject({ groupId })
  await server.admin.call(deleteGroup, named('lent'))
  await expect(anna.call(getGroup, named('lent'))).rejects.toMatchObject({ status: 404 })
})

test('a name that is taken, empty, too long, only dots, reserved for a home or contains a control character is reported on its field', async () => {
  await anna.call(createGroup, { body: { name: 'taken' } })
  for (const name of [
    'taken',
    '',
    '   ',
    'x'.repeat(201),
    'a\u0000b',
    'a/b',
    '.',
    '..',
    'later@example.com_home',
  ])
    await expect(anna.call(createGroup, { body: { name } })).rejects.toMatchObject({
      status: 400,
      body: { validationErrors: [{ field: 'name' }] },
    })
  await expect(
    anna.call(createGroup, { body: { name: 'twice', fields: [{ name: 'A' }, { name: 'A' }] } }),
  ).rejects.toMatchObject({ status: 400, body: { validationErrors: [{ field: 'fields' }] } })
  await anna.call(createGroup, { body: { name: 'once', fields: [{ name: 'A' }] } })
  await expect(
    anna.call(updateGroup, { ...named('once'), body: { fields: [{ name: 'B' }, { name: 'B' }] } }),
  ).rejects.toMatchObject({ status: 400, body: { validationErrors: [{ field: 'fields' }] } })
  expect((await anna.call(getGroup, named('once'))).fields).toMatchObject([{ name: 'A' }])
})

test('rejects a field default that does not match the type of the field, and names the field', async () => {
  const field = (type: 'int' | 'float' | 'date' | 'array' | 'string', defaultValue: string) => ({
    name: `${type}=${defaultValue}`,
    type,
    defaultValue,
  })
  for (const wrong of [field('int', 'x'), field('int', '1.5'), field('float', '1,5'), field('date', 'soon')])
    await expect(
      anna.call(createGroup, { body: { name: 'defaults', fields: [field('int', '1'), wrong] } }),
    ).rejects.toMatchObject({
      status: 400,
      body: { validationErrors: [{ field: 'fields[1].defaultValue' }] },
    })
  const right = [
    field('int', '-3'),
    field('float', '1e3'),
    field('date', '2024-02-29'),
    field('array', 'a,b'),
    field('string', 'x'),
    field('int', ''),
  ]
  const { fields } = await anna.call(createGroup, { body: { name: 'defaults', fields: right } })
  expect(fields).toEqual(right)
  await expect(
    anna.call(updateGroup, { ...named('defaults'), body: { fields: [field('int', 'x')] } }),
  ).rejects.toMatchObject({ status: 400, body: { validationErrors: [{ field: 'fields[0].defaultValue' }] } })
})

test('twenty concurrent creations with one name create one group', async () => {
  const attempts = Array.from({ length: 20 }, () => anna.call(createGroup, { body: { name: 'raced' } }))
  const results = await Promise.allSettled(attempts)
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  expect(await listed(anna, { name: 'raced' })).toEqual(['raced'])
})

test('a change based on an outdated version is rejected and returns the newer version; a change without a version takes effect', async () => {
  await anna.call(createGroup, { body: { name: 'versioned' } })
  expect(await anna.call(getGroup, named('versioned'))).toMatchObject({ version: 1, changedBy: null })
  const change = (description: string, basedOn?: number) =>
    anna.call(updateGroup, { ...named('versioned'), body: { description, basedOn } })
  expect(await change('second', 1)).toMatchObject({ version: 2, changedBy: anna.userName })
  const outdated = await refusal(change('other', 1))
  expect(outdated).toMatchObject({ status: 409, body: { code: 'groupChanged' } })
  expect(outdated.message).toContain(`saved by ${anna.userName} as version 2`)
  expect(await anna.call(getGroup, named('versioned'))).toMatchObject({ description: 'second', version: 2 })
  expect(await change('third')).toMatchObject({ description: 'third', version: 3 })
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => change(text, 3)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await anna.call(getGroup, named('versioned'))).toMatchObject({ version: 4 })
})
