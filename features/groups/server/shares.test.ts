import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '@headwater/accounts/contract'
import { createFile } from '@headwater/files/contract'
import {
  refusal,
  startMailServer,
  startTestServer,
  type MailServer,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import {
  checkGroupShareable,
  createGroup,
  deleteGroup,
  getGroup,
  listGroupUsers,
  searchShareEmails,
  share,
  shareGroups,
  unshareGroup,
  updateGroup,
} from '../contract/index.ts'

let mail: MailServer
let server: TestServer
let anna: Session
let ben: Session
let carl: Session

beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ env: { HEADWATER_SMTP_URL: mail.url, HEADWATER_PUBLIC_URL: publicUrl } })
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  carl = await server.createUser({ email: 'carl@example.com' })
})
afterAll(async () => {
  await server.stop()
  await mail.stop()
})

const publicUrl = 'https://lake.example.com'
let count = 0
async function group(): Promise<string> {
  // No name is the start of another one, because tests search texts for names.
  const name = `Shared ${String(++count).padStart(3, '0')}`
  await anna.call(createGroup, { body: { name } })
  return name
}

type Entry = Record<string, unknown>
/** Sends shares of one group as a client would. */
const send = (session: Session, groupName: string, ...entries: Entry[]) =>
  session.call(shareGroups, {
    body: { sharesList: entries.map((entry) => ({ groupName, ...entry })) as never },
  })
const remove = (session: Session, groupName: string, ...emails: string[]) =>
  session.call(unshareGroup, { body: { groupName, emails } })
const accessOf = async (session: Session, name: string) => {
  const group = await session.call(getGroup, { params: { name } }).catch(() => undefined)
  return group?.access
}
const usersOf = async (session: Session, name: string) =>
  (await session.call(listGroupUsers, { params: { name } })).items
const problems = async (work: Promise<unknown>) => {
  const { status, body } = await refusal(work)
  return [status, (body as { validationErrors?: unknown }).validationErrors ?? body.code]
}

test('DP-157 DP-158 a share entry has e-mail address, access R, RW, RS or RWS, range, zone, address, message and group', () => {
  const entry = {
    email: 'ben@example.com',
    access: 'R',
    dataStart: '2026-01-01',
    dataEnd: '2026-02-01T00:00:00Z',
    timeZone: 'Europe/Warsaw',
    url: '/Lake/Groups/Prices',
    message: 'Here it is',
    sendMessage: true,
    groupName: 'Prices',
    merge: true,
  }
  expect(share.parse(entry)).toEqual(entry)
  for (const access of ['R', 'RW', 'RS', 'RWS']) expect(share.parse({ ...entry, access }).access).toBe(access)
  for (const access of ['', 'r', 'W', 'S', 'WS', 'RSW', 'RWSX', undefined])
    expect(share.safeParse({ ...entry, access }).success).toBe(false)
})

test('DP-159 DP-169 DP-171 DP-172 DP-173 a share lets a user use a group until it is removed, and is listed after the owner', async () => {
  const name = await group()
  await send(anna, name, { email: 'Ben@Example.com', access: 'R', sendMessage: false, merge: false })
  expect(await accessOf(ben, name)).toBe('R')
  expect(await usersOf(anna, name)).toEqual([
    {
      email: 'anna@example.com',
      access: 'RWS',
      source: 'owner',
      sourceId: null,
      expirationDate: null,
      dataStart: null,
      dataEnd: null,
      sharedBy: null,
      sharedOn: null,
    },
    {
      email: 'ben@example.com',
      access: 'R',
      source: 'share',
      sourceId: null,
      expirationDate: null,
      dataStart: null,
      dataEnd: null,
      sharedBy: 'anna@example.com',
      sharedOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    },
  ])
  await send(
    anna,
    name,
    { email: 'ben@example.com', access: 'RWS' },
    { email: 'carl@example.com', access: 'R' },
  )
  expect([await accessOf(ben, name), await accessOf(carl, name)]).toEqual(['RWS', 'R'])
  await remove(anna, name, 'ben@example.com', 'nobody@example.com')
  expect([await accessOf(ben, name), await accessOf(carl, name)]).toEqual([undefined, 'R'])
})

test('DP-158 each access level allows exactly its operations', async () => {
  const name = await group()
  const change = (session: Session) =>
    session
      .call(updateGroup, { params: { name }, body: { description: 'x' } })
      .then(() => session.call(createFile, { body: { groupName: name, fileName: 'a.txt' } }))
  const reshare = (session: Session) => send(session, name, { email: 'carl@example.com', access: 'R' })
  const works = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  const seen: Record<string, unknown> = {}
  for (const access of ['R', 'RW', 'RS', 'RWS']) {
    await send(anna, name, { email: 'ben@example.com', access })
    seen[access] = [
      await accessOf(ben, name),
      await works(change(ben)),
      await works(reshare(ben)),
      await works(usersOf(ben, name)),
      await works(ben.call(deleteGroup, { params: { name } })),
    ]
  }
  expect(seen).toEqual({
    R: ['R', false, false, false, false],
    RW: ['RW', true, false, false, false],
    RS: ['RS', false, true, true, false],
    RWS: ['RWS', true, true, true, false],
  })
})

test('users can share only access that they have, and can change or remove only such shares', async () => {
  const name = await group()
  await send(anna, name, { email: 'ben@example.com', access: 'RS' })
  for (const access of ['RW', 'RWS'])
    expect(await refusal(send(ben, name, { email: 'carl@example.com', access }))).toMatchObject({
      status: 403,
      body: { code: 'shareForbidden' },
    })
  expect(await accessOf(carl, name)).toBeUndefined()
  await send(ben, name, { email: 'carl@example.com', access: 'RS' })
  expect(await accessOf(carl, name)).toBe('RS')
  await send(anna, name, { email: 'carl@example.com', access: 'RW' })
  const forbidden = { status: 403, body: { code: 'shareForbidden' } }
  expect(await refusal(send(ben, name, { email: 'carl@example.com', access: 'R' }))).toMatchObject(forbidden)
  expect(await refusal(remove(ben, name, 'carl@example.com'))).toMatchObject(forbidden)
  expect(await accessOf(carl, name)).toBe('RW')
  expect((await refusal(send(carl, name, { email: 'ben@example.com', access: 'R' }))).status).toBe(403)
  expect((await refusal(remove(carl, name, 'ben@example.com'))).status).toBe(403)
  expect((await refusal(usersOf(carl, name))).status).toBe(403)
})

test('a user can neither raise their own share, share with the owner nor share a group without access', async () => {
  const name = await group()
  await send(anna, name, { email: 'ben@example.com', access: 'RS' })
  const own = [
    400,
    [
      {
        field: 'sharesList[0].email',
        message: 'You cannot change your own access. Ask the owner of the group.',
      },
    ],
  ]
  for (const access of ['R', 'RW', 'RWS'])
    expect(await problems(send(ben, name, { email: 'ben@example.com', access }))).toEqual(own)
  expect(await problems(send(ben, name, { email: 'anna@example.com', access: 'R' }))).toEqual([
    400,
    [
      {
        field: 'sharesList[0].email',
        message: `anna@example.com owns the group ${name} and has all access. Remove this address.`,
      },
    ],
  ])
  expect(await accessOf(ben, name)).toBe('RS')
  expect(await refusal(send(carl, name, { email: 'carl@example.com', access: 'R' }))).toMatchObject({
    status: 404,
    body: { code: 'groupNotFound' },
  })
  await remove(ben, name, 'ben@example.com')
  expect(await accessOf(ben, name)).toBeUndefined()
})

test('shares of several groups take effect together, or not at all', async () => {
  const [one, other] = [await group(), await group()]
  await send(anna, one, { email: 'ben@example.com', access: 'RS' })
  await send(anna, other, { email: 'ben@example.com', access: 'R' })
  const entry = (groupName: string) => ({ email: 'carl@example.com', access: 'R' as const, groupName })
  const both = ben.call(shareGroups, { body: { sharesList: [entry(one), entry(other)] } })
  expect((await refusal(both)).status).toBe(403)
  expect(await accessOf(carl, one)).toBeUndefined()
  const unknown = send(
    anna,
    one,
    { email: 'carl@example.com', access: 'R' },
    { email: 'who@example.com', access: 'R' },
  )
  expect(await refusal(unknown)).toMatchObject({ status: 400, body: { code: 'usersNotFound' } })
  expect(await accessOf(carl, one)).toBeUndefined()
  const twice = send(
    anna,
    one,
    { email: 'carl@example.com', access: 'R' },
    { email: 'CARL@example.com', access: 'RWS' },
  )
  expect((await problems(twice))[0]).toBe(400)
  await anna.call(shareGroups, { body: { sharesList: [entry(one), entry(other)] } as never })
  expect([await accessOf(carl, one), await accessOf(carl, other)]).toEqual(['R', 'R'])
})

test('a group that is deleted while an administrator shares it is not shared', async () => {
  const name = await group()
  const { pool } = server.running.platform.database
  const deletion = await pool.connect()
  try {
    await deletion.query('begin')
    await deletion.query('update groups set deleted_at = now() where name = $1', [name])
    const sharing = refusal(send(server.admin, name, { email: 'ben@example.com', access: 'R' }))
    await expect
      .poll(async () => {
        const { rowCount } = await pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rowCount
      })
      .toBe(1)
    await deletion.query('commit')
    expect(await sharing).toMatchObject({ status: 404, body: { code: 'groupDeleted' } })
  } finally {
    await deletion.query('rollback')
    deletion.release()
  }
})

test('a user who gives up their own share together with others’ shares removes all of them', async () => {
  const name = await group()
  await send(
    anna,
    name,
    { email: 'ben@example.com', access: 'RS' },
    { email: 'carl@example.com', access: 'R' },
  )
  await remove(ben, name, 'ben@example.com', 'carl@example.com')
  expect([await accessOf(ben, name), await accessOf(carl, name)]).toEqual([undefined, undefined])
})

test('merge preserves existing access of the share; without merge the share is replaced', async () => {
  const name = await group()
  await send(anna, name, { email: 'ben@example.com', access: 'RW' })
  await send(anna, name, { email: 'ben@example.com', access: 'RS', merge: true })
  expect(await accessOf(ben, name)).toBe('RWS')
  await send(anna, name, { email: 'ben@example.com', access: 'R', merge: false })
  expect(await accessOf(ben, name)).toBe('R')
})

test.each([
  ['a range without an end and all data until a date', 'range', 'until', [false, '2999-01-31']],
  ['all data until a date and a range without an end', 'until', 'range', [false, '2999-01-31']],
  ['a range until a date and another range without an end', 'rangeUntil', 'range', [true, null]],
] as const)('merging shares: %s', async (_, first, second, [isLimited, end]) => {
  const shares = {
    range: { dataStart: '2020-01-01', dataEnd: '2020-12-31' },
    rangeUntil: { dataStart: '2019-01-01', dataEnd: '2019-12-31', expirationDate: '2999-01-31' },
    until: { expirationDate: '2999-01-31' },
  }
  const name = await group()
  const entry = { email: 'ben@example.com', access: 'R', merge: true }
  await send(anna, name, { ...entry, ...shares[first] })
  await send(anna, name, { ...entry, ...shares[second] })
  const { dataStart, expirationDate } = (await usersOf(anna, name))[1]!
  expect([dataStart !== null, expirationDate?.slice(0, 10) ?? null]).toEqual([isLimited, end])
})

test('merging shares: access never lasts longer than one of them allows, and equal access lasts until the later end', async () => {
  const name = await group()
  const endOf = async () => (await usersOf(anna, name))[1]!.expirationDate
  const [email, expirationDate] = ['ben@example.com', '2999-01-31']
  await send(anna, name, { email, access: 'RWS', expirationDate })
  await send(anna, name, { email, access: 'R', merge: true })
  expect([await accessOf(ben, name), await endOf()]).toEqual(['RWS', '2999-01-31T23:59:59'])
  await send(anna, name, { email, access: 'RWS', merge: true })
  expect(await endOf()).toBeNull()
  await send(anna, name, { email, access: 'R', merge: true, expirationDate })
  expect([await accessOf(ben, name), await endOf()]).toEqual(['RWS', null])
  await send(anna, name, { email, access: 'R', merge: false })
  await send(anna, name, { email, access: 'RW', merge: true, expirationDate })
  expect([await accessOf(ben, name), await endOf()]).toEqual(['RW', '2999-01-31T23:59:59'])
})

test('a share expires at its end date, and an end date in the past is rejected', async () => {
  const name = await group()
  await send(anna, name, { email: 'ben@example.com', access: 'R', expirationDate: '2999-01-31' })
  expect((await usersOf(anna, name))[1]!.expirationDate).toBe('2999-01-31T23:59:59')
  expect(await accessOf(ben, name)).toBe('R')
  await server.running.platform.database.pool.query(
    `update group_grants set ends_at = now() - interval '1 second' where group_id = (select id from groups where name = $1)`,
    [name],
  )
  expect(await accessOf(ben, name)).toBeUndefined()
  expect(await usersOf(anna, name)).toHaveLength(1)
  const past = send(anna, name, { email: 'ben@example.com', access: 'R', expirationDate: '2020-01-31' })
  expect(await problems(past)).toEqual([
    400,
    [
      {
        field: 'sharesList[0].expirationDate',
        message: 'This date is in the past. Choose a later date, or none.',
      },
    ],
  ])
})

test('DP-163 the user receives an e-mail with the message and a link only if the share requests it', async () => {
  const name = await group()
  // Other tests also send mails.
  const mails = () => mail.mails.filter(({ text }) => text.includes(name))
  await send(anna, name, { email: 'carl@example.com', access: 'R', message: 'Not sent', sendMessage: false })
  await send(anna, name, { email: 'ben@example.com', access: 'R', message: 'Look at May', sendMessage: true })
  await expect.poll(() => mails().length).toBe(1)
  const sent = mails()[0]!
  expect(sent.to).toEqual(['ben@example.com'])
  const link = `${publicUrl}/Lake/Groups/${encodeURIComponent(name)}`
  for (const text of [name, 'anna@example.com', 'Look at May', link]) expect(sent.text).toContain(text)
  expect(sent.text).not.toContain('Not sent')
  for (const url of [
    'https://evil.example.com/a',
    '//evil.example.com/a',
    'javascript:alert(1)',
    'https://lake.example.com.evil.com/',
  ])
    expect(
      await problems(send(anna, name, { email: 'ben@example.com', access: 'R', url, sendMessage: true })),
    ).toEqual([
      400,
      [
        {
          field: 'sharesList[0].url',
          message: 'This URL does not belong to this installation. Enter a path.',
        },
      ],
    ])
})

test('the e-mail about a share with a range states the range and links to the group', async () => {
  const name = await group()
  const dora = await server.createUser()
  await send(anna, name, {
    email: dora.userName,
    access: 'R',
    dataStart: '2020-01-01',
    dataEnd: '2020-12-31',
    sendMessage: true,
  })
  const sent = () => mail.mails.find(({ to }) => to.includes(dora.userName))?.text
  await expect.poll(sent).toContain('Open it:')
  const text = sent()!.replaceAll('=\r\n', '').replaceAll('\r\n', ' ')
  expect(text).toContain('read its data from 1 January 2020 to 31 December 2020 (UTC)')
  expect(text).toContain(`/Lake/Groups/${encodeURIComponent(name)}`)
})

test('DP-174 e-mail addresses of active users are suggested to users who can share the group', async () => {
  const name = await group()
  const search = (session: Session, query: string) =>
    session.call(searchShareEmails, { params: { name }, query: { query } })
  expect(await search(anna, 'EN@exam')).toEqual({ emails: ['ben@example.com'] })
  await server.admin.call(createUser, { body: { email: 'benedict@example.com' } })
  expect(await search(anna, 'EN@exam')).toEqual({ emails: ['ben@example.com'] })
  expect(await search(anna, 'benedict')).toEqual({ emails: [] })
  expect(await search(anna, '%%')).toEqual({ emails: [] })
  expect((await refusal(search(anna, 'b'))).status).toBe(400)
  expect((await refusal(search(ben, 'carl'))).status).toBe(404)
  await send(anna, name, { email: 'ben@example.com', access: 'RW' })
  expect((await refusal(search(ben, 'carl'))).status).toBe(403)
})

test('DP-175 a check reports whether the group can be shared', async () => {
  const name = await group()
  const check = (session: Session) => session.call(checkGroupShareable, { params: { name } })
  expect(await check(anna)).toEqual({ shareable: true, reason: null })
  expect((await refusal(check(ben))).status).toBe(404)
  await send(anna, name, { email: 'ben@example.com', access: 'RW' })
  expect(await check(ben)).toEqual({
    shareable: false,
    reason: `You can read the group “${name}” but not share it. Ask its owner for access.`,
  })
})
