import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { deleteSecret, listSecrets, putSecret, rotateSecretKey } from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser()
  ben = await server.createUser()
  await anna.call(createGroup, { body: { name: 'Keys' } })
})
afterAll(() => server.stop())

async function storedValues(): Promise<string[]> {
  const { pool } = server.running.platform.database
  const { rows } = await pool.query<{ value: string }>('select value from secrets order by id')
  return rows.map(({ value }) => value)
}

/** Shares the group directly with a user. */
async function share(session: Session, access: 'R' | 'RW'): Promise<void> {
  const { pool } = server.running.platform.database
  await pool.query(
    `insert into group_grants (group_id, user_id, source, source_id, access)
     select groups.id, users.id, 'direct', '', $1 from groups, users where groups.name = 'Keys' and user_name = $2
     on conflict do nothing`,
    [access, session.userName],
  )
}

test('a secret is stored encrypted; its name, author and date are listed, but its value is not', async () => {
  const carla = await server.createUser()
  const value = 'own value of Anna'
  const stored = await carla.call(putSecret, { params: { name: 'api-key' }, body: { value } })
  const expected = {
    name: 'api-key',
    groupName: null,
    modifiedBy: carla.userName,
    modifyDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as string,
  }
  expect(stored).toEqual(expected)
  expect(await carla.call(listSecrets, {})).toEqual({ from: 0, totalSize: 1, items: [expected] })
  for (const text of await storedValues()) expect(text).not.toContain('Anna')
})

test('personal secrets are visible only to their user, not even to administrators', async () => {
  await anna.call(putSecret, { params: { name: 'own' }, body: { value: 'only of Anna' } })
  for (const session of [ben, server.admin])
    expect(await session.call(listSecrets, {})).toMatchObject({ totalSize: 0 })
  const call = ben.call(deleteSecret, { params: { name: 'own' } })
  expect(await refusal(call)).toMatchObject({
    status: 404,
    body: {
      code: 'secretNotFound',
      message: 'You have no secret “own”. Check the name, or store the secret first.',
    },
  })
})

test('users with write access to a group can store its secrets, users with read access can list them', async () => {
  const inGroup = { value: 'value of the group', groupName: 'Keys' }
  await anna.call(putSecret, { params: { name: 'shared' }, body: inGroup })
  expect(await refusal(ben.call(listSecrets, { query: { groupName: 'Keys' } }))).toMatchObject({
    status: 404,
  })
  await share(ben, 'R')
  const { items } = await ben.call(listSecrets, { query: { groupName: 'Keys' } })
  expect(items).toMatchObject([{ name: 'shared', groupName: 'Keys', modifiedBy: anna.userName }])
  const forbidden = { status: 403, body: { code: 'groupForbidden' } }
  const stored = ben.call(putSecret, { params: { name: 'shared' }, body: inGroup })
  expect(await refusal(stored)).toMatchObject(forbidden)
  const deleted = ben.call(deleteSecret, { params: { name: 'shared' }, query: { groupName: 'Keys' } })
  expect(await refusal(deleted)).toMatchObject(forbidden)
  const missing = anna.call(deleteSecret, { params: { name: 'other' }, query: { groupName: 'Keys' } })
  expect((await refusal(missing)).body.message).toBe(
    'The group “Keys” has no secret “other”. Check the name, or ask a user with write access to the group to store it.',
  )
})

test('isNew rejects the name of an existing secret; without it, the value is replaced', async () => {
  const put = (value: string, isNew: boolean) =>
    anna.call(putSecret, { params: { name: 'taken' }, body: { value, isNew } })
  await put('the first value', true)
  const before = await storedValues()
  expect(await refusal(put('another value', true))).toMatchObject({
    status: 409,
    body: { code: 'secretNameTaken', validationErrors: [{ field: 'name' }] },
  })
  expect(await storedValues()).toEqual(before)
  await put('another value', false)
  expect(await storedValues()).not.toEqual(before)
})

test.each([
  ['short', 'name', 'seven77', 'value'],
  ['long', 'name', 'x'.repeat(8193), 'value'],
  ['with NUL', 'name', 'abcdefgh\u0000', 'value'],
  ['in a name with a slash', 'a/b', 'long enough', 'name'],
  ['in a name with a blank', 'a b', 'long enough', 'name'],
  ['in a name that begins with a dot', '.a', 'long enough', 'name'],
])('rejects a value %s, and the response does not contain it', async (_what, name, value, field) => {
  const { status, body } = await refusal(anna.call(putSecret, { params: { name }, body: { value } }))
  expect({ status, fields: body.validationErrors?.map((error) => error.field) }).toEqual({
    status: 400,
    fields: [field],
  })
  expect(JSON.stringify(body)).not.toContain(value)
})

test('a key rotation re-encrypts all secrets without changing their values', async () => {
  await anna.call(putSecret, { params: { name: 'rotated' }, body: { value: 'long enough' } })
  const before = await storedValues()
  const { count } = await server.admin.call(rotateSecretKey, {})
  expect(count).toBe(before.length)
  const after = await storedValues()
  const keyOf = (text: string) => text.split('.')[1]
  expect(new Set(after.map(keyOf)).size).toBe(1)
  expect(after.map(keyOf)).not.toContain(keyOf(before[0]!))
  const { encryptionKeys } = JSON.parse(await readFile(join(server.dataFolder, 'secrets.json'), 'utf8')) as {
    encryptionKeys: { id: string }[]
  }
  expect(encryptionKeys.map(({ id }) => id)).toEqual([keyOf(after[0]!), keyOf(before[0]!)])
  expect(await server.admin.call(rotateSecretKey, {})).toEqual({ count: before.length })
})

test('a value that was moved to a different record cannot be used', async () => {
  const { secrets } = server.running.platform
  const { pool } = server.running.platform.database
  const principal = (await server.running.platform.accounts.findUserByName(anna.userName))!
  const access = (await server.running.platform.accounts.findPrincipal(principal.userId))!
  await anna.call(putSecret, { params: { name: 'moved' }, body: { value: 'own value of Anna' } })
  const inGroup = { value: 'value of the group', groupName: 'Keys' }
  await anna.call(putSecret, { params: { name: 'shared' }, body: inGroup })
  expect(await secrets.reveal(access, 'moved')).toBe('own value of Anna')
  expect(await secrets.reveal(access, 'shared', 'Keys')).toBe('value of the group')
  expect(await secrets.reveal(access, 'missing')).toBeUndefined()
  expect(await secrets.reveal(access, 'shared', 'No group')).toBeUndefined()
  await pool.query(
    `update secrets set value = (select value from secrets where name = 'shared') where name = 'moved'`,
  )
  await expect(secrets.reveal(access, 'moved')).rejects.toThrow()
})

test('a group has at most 200 secrets, and its secrets are deleted permanently together with it', async () => {
  const { groupId } = await anna.call(createGroup, { body: { name: 'Many' } })
  const put = (index: number) =>
    anna.call(putSecret, {
      params: { name: `key-${index}` },
      body: { value: 'long enough', groupName: 'Many' },
    })
  for (let index = 0; index < 200; index += 20)
    await Promise.all(Array.from({ length: 20 }, (_, offset) => put(index + offset)))
  expect(await refusal(put(200))).toMatchObject({ status: 409, body: { code: 'tooManySecrets' } })
  await put(7)
  const before = await storedValues()
  await anna.call(deleteGroup, { params: { name: 'Many' } })
  expect(await storedValues()).toEqual(before)
  expect((await anna.fetch(`/trash/groups/${groupId}`, { method: 'DELETE' })).ok).toBe(true)
  expect((await storedValues()).length).toBe(before.length - 200)
})
