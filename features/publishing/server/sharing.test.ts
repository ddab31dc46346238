import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '@headwater/accounts/contract'
import { deleteFile } from '@headwater/files/contract'
import { createGroup, deleteGroup, getGroup } from '@headwater/groups/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { CallError, startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tiles/contract'
import {
  assignInsightRoles,
  listShared,
  shareInsight,
  unshareInsight,
  updatePublicStatus,
} from '../contract/index.ts'
import {
  createInsight,
  deleteInsight,
  getInsight,
  infoValue,
  updateInsight,
} from '@headwater/insights/contract'

let server: TestServer
let anna: Session
let ben: Session
let carl: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  carl = await server.createUser({ email: 'carl@example.com' })
})
afterAll(() => server.stop())

let count = 0
async function group(session = anna, label = 'group'): Promise<string> {
  const name = `${label} ${++count}`
  await session.call(createGroup, { body: { name } })
  return name
}

/** An insight in a group of its own that shows series of others. */
async function insight(...shown: string[]) {
  const groupName = await group()
  const place = { groupName, insightName: 'Shared' }
  const { id } = await anna.call(createInsight, { body: { ...place, content: showing(...shown) } })
  return { place, id }
}

function showing(...groups: string[]): InsightContent {
  const tiles = groups.map((name, index) => ({ id: `t${index}`, title: name, type: 'Table' }))
  const datapreps = Object.fromEntries(
    groups.map((groupName, index) => [`t${index}`, { symbols: [{ groupName, symbols: { Code: 'A' } }] }]),
  )
  return { ...emptyContent(), tiles, datapreps }
}

async function refusal(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => undefined,
    (problem: unknown) => problem,
  )
  expect(error).toBeInstanceOf(CallError)
  return error as CallError
}

const accessOf = (session: Session, name: string) =>
  session.call(getGroup, { params: { name } }).then(
    ({ access }) => access,
    () => undefined,
  )
const share = (location: { groupName: string; insightName: string }, ...shares: string[]) =>
  anna.call(shareInsight, { body: { ...location, shares } })
const unshare = (location: { groupName: string; insightName: string }, ...emails: string[]) =>
  anna.call(unshareInsight, { body: { ...location, emails } })

test('IN-005 IN-076 IN-077 a share gives read access to the insight and the groups it shows, and no more', async () => {
  const data = await group()
  const other = await group()
  const { place } = await insight(data)
  const outcome = await share(place, ' Ben@Example.com ')
  expect(outcome).toEqual({
    createdGroupsEntitlements: [
      { groupName: place.groupName, email: 'ben@example.com', access: 'R' },
      { groupName: data, email: 'ben@example.com', access: 'R' },
    ],
    updatedGroupsEntitlements: [],
    removedNotUsedGroupsEntitlements: [],
    groupsNotShared: [],
  })
  expect(await ben.call(getInsight, { params: place })).toMatchObject({ writeAccess: false, isShared: true })
  expect([await accessOf(ben, data), await accessOf(ben, other)]).toEqual(['R', undefined])
  const shared = await anna.call(listShared, {
    query: { groupName: place.groupName, name: place.insightName },
  })
  expect(shared.items).toMatchObject([
    { email: 'ben@example.com', sharedBy: 'anna@example.com', groups: [{}, {}] },
  ])
  expect(
    (await refusal(ben.call(shareInsight, { body: { ...place, shares: ['carl@example.com'] } }))).status,
  ).toBe(403)
  expect(
    (await refusal(ben.call(listShared, { query: { groupName: place.groupName, name: 'Shared' } }))).status,
  ).toBe(403)
})

test('IN-044 IN-076 unsharing revokes the grants of the share, and only these', async () => {
  const data = await group()
  const own = await group()
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access)
      select groups.id, users.id, 'R' from groups, users where groups.name = $1 and user_name = 'ben@example.com'`,
    [own],
  )
  const { place } = await insight(data, own)
  const outcome = await share(place, 'ben@example.com')
  const shared = await anna.call(getInsight, { params: place })
  expect(infoValue(shared.fields, 'insightShared')).toBe('true')
  expect(outcome.createdGroupsEntitlements.map(({ groupName }) => groupName)).not.toContain(own)
  await unshare(place, 'ben@example.com')
  expect([await accessOf(ben, place.groupName), await accessOf(ben, data), await accessOf(ben, own)]).toEqual(
    [undefined, undefined, 'R'],
  )
  const { fields } = await anna.call(getInsight, { params: place })
  expect(infoValue(fields, 'insightShared')).toBe('false')
})

test('two insights that show one group: the grant stays until both shares are gone', async () => {
  const data = await group()
  const first = await insight(data)
  const second = await insight(data)
  await share(first.place, 'ben@example.com')
  await share(second.place, 'ben@example.com')
  await unshare(first.place, 'ben@example.com')
  expect(await accessOf(ben, data)).toBe('R')
  await unshare(second.place, 'ben@example.com')
  expect(await accessOf(ben, data)).toBeUndefined()
})

test('IN-079 IN-080 IN-092 after a save people can read the groups of the insight that are no workflow groups, and no earlier ones', async () => {
  const [before, after, second] = [await group(), await group(), await group()]
  const [ofFile, ofBox, ofParams] = [await group(), await group(), await group()]
  const [run, ofRun, ofAction] = [await group(anna, 'run'), await group(), await group(anna, 'action')]
  const { place } = await insight(before)
  await share(place, 'ben@example.com')
  await anna.call(updateInsight, {
    body: {
      oldGroupName: place.groupName,
      oldInsightName: place.insightName,
      content: {
        ...showing(after, second),
        datapreps: { ...showing(after, second).datapreps, w: showing(ofRun).datapreps!['t0'] },
        headerBoxes: [{ id: 'h', title: 'Now', content: 'SERIES', groupName: ofBox }],
        inputParams: { p1: { title: 'Choose', groupName: ofParams, keys: [] } },
        tiles: [
          ...showing(after, second).tiles,
          {
            id: 'f',
            type: 'Table',
            title: 'File',
            source: { type: 'FILE', value: { groupName: ofFile, fileName: 'a.csv' } },
            actions: [{ actionName: 'Run', type: 'RUN_PIPELINE', groupName: ofAction }],
          },
          { id: 'w', type: 'STATUS', title: 'Runs', settings: { groupName: run } },
        ],
      },
    },
  })
  const outcome = await anna.call(assignInsightRoles, { body: place })
  const ofBen = (groupName: string) => ({ groupName, email: 'ben@example.com', access: 'R' })
  expect(outcome).toEqual({
    createdGroupsEntitlements: [after, second, ofFile, ofBox, ofParams].map(ofBen),
    updatedGroupsEntitlements: [],
    removedNotUsedGroupsEntitlements: [ofBen(before)],
    groupsNotShared: [],
  })
  expect([
    await accessOf(ben, before),
    await accessOf(ben, after),
    await accessOf(ben, second),
    await accessOf(ben, place.groupName),
  ]).toEqual([undefined, 'R', 'R', 'R'])
})

test('IN-079 IN-080 a mapping grants R, RW and RWS on groups, and lowers only what shares granted', async () => {
  const data = await group()
  const { place } = await insight(data)
  await share(place, 'ben@example.com')
  const assign = (access: 'R' | 'RW' | 'RWS') =>
    anna.call(assignInsightRoles, { body: { ...place, groups: { [place.groupName]: 'R', [data]: access } } })
  expect((await assign('RWS')).updatedGroupsEntitlements).toEqual([
    { groupName: data, email: 'ben@example.com', access: 'RWS' },
  ])
  expect(await accessOf(ben, data)).toBe('RWS')
  await assign('RW')
  expect(await accessOf(ben, data)).toBe('RW')
  await assign('R')
  expect(await accessOf(ben, data)).toBe('R')
})

test('IN-035 R lets people read, RW write and RWS share; with RWS they save data preps and files of actions', async () => {
  const [output, written] = [await group(anna, 'output'), await group(anna, 'written')]
  const { place } = await insight()
  await share(place, 'ben@example.com')
  let saves = 0
  /** What Ben may do in the group of the insight, with data preps of the output group and with files of the other group. */
  const granted = async (access: 'R' | 'RW' | 'RWS') => {
    const groups = { [place.groupName]: access, [output]: access, [written]: access }
    await anna.call(assignInsightRoles, { body: { ...place, groups } })
    const status = (call: Promise<unknown>) =>
      call.then(
        () => 'yes',
        (error: unknown) => (error as CallError).status,
      )
    const dataPrep = { name: `Output ${++saves}`, outputGroup: output, range: 'ALL', symbols: [] }
    const body = { oldGroupName: place.groupName, oldInsightName: 'Shared', content: emptyContent() }
    return {
      read: await status(ben.call(getInsight, { params: place })),
      write: await status(ben.call(updateInsight, { body })),
      dataPrep: await status(ben.call(createDataPrep, { body: { dataPrep } as never })),
      file: await status(upload(ben, { groupName: written, fileName: 'action.csv' })),
      share: await status(ben.call(shareInsight, { body: { ...place, shares: ['carl@example.com'] } })),
    }
  }
  expect(await granted('R')).toEqual({ read: 'yes', write: 403, dataPrep: 403, file: 403, share: 403 })
  expect(await granted('RW')).toEqual({
    read: 'yes',
    write: 'yes',
    dataPrep: 'yes',
    file: 'yes',
    share: 403,
  })
  expect(await granted('RWS')).toEqual({
    read: 'yes',
    write: 'yes',
    dataPrep: 'yes',
    file: 'yes',
    share: 'yes',
  })
})

test('nobody shares groups of others: what the caller may not share is told and stays closed', async () => {
  const foreign = await group(carl)
  const { place } = await insight(foreign)
  const outcome = await share(place, 'ben@example.com')
  expect(outcome.groupsNotShared).toEqual([foreign])
  expect(await accessOf(ben, foreign)).toBeUndefined()
})

test('IN-104 rejects people without an active account with the field and a message', async () => {
  const { place } = await insight()
  const answer = await refusal(share(place, 'ben@example.com', 'nobody@example.com'))
  expect(answer.body.validationErrors).toEqual([
    { field: 'shares', message: expect.stringContaining('nobody@example.com') },
  ])
  expect(await accessOf(ben, place.groupName)).toBeUndefined()
  const misspelt = await refusal(share(place, 'ben@example.com', 'no address'))
  expect(misspelt.body.validationErrors).toMatchObject([
    { message: '“no address” is not an e-mail address.' },
  ])
  await server.admin.call(createUser, { body: { email: 'invited@example.com' } })
  const invited = await refusal(share(place, 'ben@example.com', 'invited@example.com'))
  expect(invited.body.validationErrors).toEqual([
    {
      field: 'shares',
      message: expect.stringContaining('invited@example.com cannot be shared with yet'),
    },
  ])
})

test('a share follows a rename, and goes with the insight, its last file or its group', async () => {
  const ends = {
    insight: (place: { groupName: string; insightName: string }) => anna.call(deleteInsight, { body: place }),
    group: ({ groupName }: { groupName: string }) => anna.call(deleteGroup, { params: { name: groupName } }),
    file: async (place: { groupName: string; insightName: string }) => {
      for (let left = 2; left > 0; left -= 1) {
        const { fid } = await anna.call(getInsight, { params: place })
        await anna.call(deleteFile, { params: { fid } })
      }
    },
  }
  for (const end of Object.values(ends)) {
    const data = await group()
    const { place } = await insight(data)
    await share(place, 'ben@example.com')
    await anna.call(updateInsight, {
      body: {
        oldGroupName: place.groupName,
        oldInsightName: place.insightName,
        newInsightName: 'Renamed',
        content: showing(data),
      },
    })
    const renamed = { ...place, insightName: 'Renamed' }
    expect(await ben.call(getInsight, { params: renamed })).toMatchObject({ isShared: true })
    await end(renamed)
    expect(await accessOf(ben, data)).toBeUndefined()
  }
})

test('a new insight with the name of a deleted one is shared with nobody', async () => {
  const { place } = await insight()
  await share(place, 'ben@example.com')
  await anna.call(deleteInsight, { body: place })
  await anna.call(createInsight, { body: { ...place, content: emptyContent() } })
  const query = { groupName: place.groupName, name: place.insightName }
  expect((await anna.call(listShared, { query })).totalSize).toBe(0)
  expect((await refusal(ben.call(getInsight, { params: place }))).status).toBe(404)
})

test('many changes of shares at once come to their end, and the server goes on to answer', async () => {
  const data = await group()
  const { place } = await insight(data)
  await share(place, 'ben@example.com')
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 4 === 3
        ? anna.call(updatePublicStatus, { body: { ...place, isPublic: index % 8 === 3 } })
        : anna.call(assignInsightRoles, {
            body: { ...place, groups: { [place.groupName]: 'R', [data]: index % 4 === 0 ? 'RW' : 'R' } },
          }),
    ),
  )
  await anna.call(assignInsightRoles, { body: place })
  expect(await accessOf(ben, data)).toBe('R')
})

test('what one share gave higher than another is lowered to the other, and goes with the last', async () => {
  const data = await group()
  const [first, second] = [await insight(data), await insight(data)]
  await share(first.place, 'ben@example.com')
  const assign = (access: 'R' | 'RW') =>
    anna.call(assignInsightRoles, { body: { ...first.place, groups: { [data]: access } } })
  await assign('RW')
  await share(second.place, 'ben@example.com')
  expect(await accessOf(ben, data)).toBe('RW')
  await assign('R')
  expect(await accessOf(ben, data)).toBe('R')
  await unshare(first.place, 'ben@example.com')
  await unshare(second.place, 'ben@example.com')
  expect(await accessOf(ben, data)).toBeUndefined()
})

test('a direct grant on a group stays as it is beside a share, until it ends', async () => {
  const data = await group()
  const { place: location } = await insight(data)
  const { pool } = server.running.platform.database
  await pool.query(
    `insert into group_grants (group_id, user_id, access)
      select groups.id, users.id, 'R' from groups, users where groups.name = $1 and user_name = 'ben@example.com'`,
    [data],
  )
  const assign = () =>
    anna.call(assignInsightRoles, {
      body: { ...location, groups: { [location.groupName]: 'R', [data]: 'RW' } },
    })
  await share(location, 'ben@example.com')
  expect(await assign()).toMatchObject({ createdGroupsEntitlements: [], updatedGroupsEntitlements: [] })
  expect(await accessOf(ben, data)).toBe('R')
  await pool.query(
    `update group_grants set ends_at = now() where source = 'direct' and group_id in
    (select id from groups where name = $1)`,
    [data],
  )
  expect(await accessOf(ben, data)).toBeUndefined()
  expect((await assign()).createdGroupsEntitlements).toEqual([
    { groupName: data, email: 'ben@example.com', access: 'RW' },
  ])
  expect(await accessOf(ben, data)).toBe('RW')
  await unshare(location, 'ben@example.com')
  expect(await accessOf(ben, data)).toBeUndefined()
})

test('who may write but not share cannot say who may use which groups', async () => {
  const data = await group()
  const { place } = await insight(data)
  await share(place, 'ben@example.com', 'carl@example.com')
  await anna.call(assignInsightRoles, {
    body: { ...place, groups: { [place.groupName]: 'RW', [data]: 'R' } },
  })
  const refused = await refusal(carl.call(assignInsightRoles, { body: { ...place, groups: {} } }))
  expect(refused.status).toBe(403)
  expect(await accessOf(ben, data)).toBe('R')
})

/** Where changes of shares can be kept waiting: at their beginning, or in their midst. */
const holds = {
  beginning: "select pg_advisory_xact_lock(hashtextextended('insight shares', 0))",
  midst: 'lock table insight_shares in share mode',
}

/** Keeps changes of shares waiting until they are released; `waiting` tells how many statements wait. */
async function holdShares(at: keyof typeof holds) {
  const { pool } = server.running.platform.database
  const client = await pool.connect()
  await client.query('begin')
  await client.query(holds[at])
  return {
    async waiting(): Promise<number> {
      // Not by the client: within its transaction it would go on to see the connections of the first call.
      const { rows } = await pool.query<{ pids: number }>(
        `select count(distinct pid)::int as pids from pg_locks where not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`,
      )
      return rows[0]!.pids
    },
    async release(): Promise<void> {
      await client.query('commit')
      client.release()
    },
  }
}

test('sharing and deleting at once leave no grants behind, whichever comes first', async () => {
  const ends = {
    insight: (place: { groupName: string; insightName: string }) => anna.call(deleteInsight, { body: place }),
    group: ({ groupName }: { groupName: string }) => anna.call(deleteGroup, { params: { name: groupName } }),
  }
  for (const [what, end] of Object.entries(ends))
    for (const [isSharedFirst, at] of [
      [true, 'beginning'],
      [false, 'beginning'],
      [true, 'midst'],
    ] as const) {
      const data = await group()
      const { place } = await insight(data)
      const held = await holdShares(at)
      let isDone = false
      const steps = [() => share(place, 'ben@example.com'), () => end(place).then(() => (isDone = true))]
      const results: Promise<PromiseSettledResult<unknown>[]>[] = []
      try {
        for (const step of isSharedFirst ? steps : steps.toReversed()) {
          results.push(Promise.allSettled([step()]))
          await expect
            .poll(async () => isDone || (await held.waiting()) === results.length, { timeout: 20_000 })
            .toBe(true)
        }
      } finally {
        await held.release()
      }
      const outcomes = (await Promise.all(results)).flat()
      const problems = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      // A share may find its insight gone; nothing else may go wrong.
      expect(
        problems.filter((problem) => (problem as CallError).status !== 404),
        what,
      ).toEqual([])
      expect(isDone).toBe(true)
      expect(
        await accessOf(ben, data),
        `${what}, shared first: ${isSharedFirst}, held at the ${at}`,
      ).toBeUndefined()
    }
})

test('a user who loses the highest of three shares keeps the higher of the other two', async () => {
  const data = await group()
  const places: { groupName: string; insightName: string }[] = []
  for (const access of ['RW', 'R', 'RWS'] as const) {
    const { place } = await insight(data)
    await share(place, 'ben@example.com')
    const groups = { [place.groupName]: 'R' as const, [data]: access }
    await anna.call(assignInsightRoles, { body: { ...place, groups } })
    places.push(place)
  }
  expect(await accessOf(ben, data)).toBe('RWS')
  await unshare(places[2]!, 'ben@example.com')
  expect(await accessOf(ben, data)).toBe('RW')
})
