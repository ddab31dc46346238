import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '@headwater/accounts/contract'
import { deleteFile } from '@headwater/files/contract'
import { createGroup, deleteGroup, getGroup } from '@headwater/groups/contract'
import { createDataPrep } from '@headwater/preps/contract'
import {
  refusal,
  startTestServer,
  upload,
  type CallError,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
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

/** Creates an insight in a new group that shows series of other groups. */
async function insight(...groupNames: string[]) {
  const groupName = await group()
  const location = { groupName, insightName: 'Shared' }
  const { id } = await anna.call(createInsight, { body: { ...location, content: showing(...groupNames) } })
  return { location, id }
}

function showing(...groups: string[]): InsightContent {
  const tiles = groups.map((name, index) => ({ id: `t${index}`, title: name, type: 'Table' }))
  const datapreps = Object.fromEntries(
    groups.map((groupName, index) => [`t${index}`, { symbols: [{ groupName, symbols: { Code: 'A' } }] }]),
  )
  return { ...emptyContent(), tiles, datapreps }
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

test('IN-005 IN-076 IN-077 a share gives read access to the insight and its groups, and to nothing else', async () => {
  const data = await group()
  const other = await group()
  const { location } = await insight(data)
  const outcome = await share(location, ' Ben@Example.com ')
  expect(outcome).toEqual({
    createdGroupsEntitlements: [
      { groupName: location.groupName, email: 'ben@example.com', access: 'R' },
      { groupName: data, email: 'ben@example.com', access: 'R' },
    ],
    updatedGroupsEntitlements: [],
    removedNotUsedGroupsEntitlements: [],
    groupsNotShared: [],
  })
  expect(await ben.call(getInsight, { params: location })).toMatchObject({
    writeAccess: false,
    isShared: true,
  })
  expect([await accessOf(ben, data), await accessOf(ben, other)]).toEqual(['R', undefined])
  const shared = await anna.call(listShared, {
    query: { groupName: location.groupName, name: location.insightName },
  })
  expect(shared.items).toMatchObject([
    { email: 'ben@example.com', sharedBy: 'anna@example.com', groups: [{}, {}] },
  ])
  expect(
    (await refusal(ben.call(shareInsight, { body: { ...location, shares: ['carl@example.com'] } }))).status,
  ).toBe(403)
  expect(
    (await refusal(ben.call(listShared, { query: { groupName: location.groupName, name: 'Shared' } })))
      .status,
  ).toBe(403)
})

test('IN-044 IN-076 unsharing revokes the grants of the share, and only these', async () => {
  const data = await group()
  const own = await group()
  await server.grantGroup({ groupName: own, userName: 'ben@example.com', access: 'R' })
  const { location } = await insight(data, own)
  const outcome = await share(location, 'ben@example.com')
  const shared = await anna.call(getInsight, { params: location })
  expect(infoValue(shared.fields, 'insightShared')).toBe('true')
  expect(outcome.createdGroupsEntitlements.map(({ groupName }) => groupName)).not.toContain(own)
  await unshare(location, 'ben@example.com')
  expect([
    await accessOf(ben, location.groupName),
    await accessOf(ben, data),
    await accessOf(ben, own),
  ]).toEqual([undefined, undefined, 'R'])
  const { fields } = await anna.call(getInsight, { params: location })
  expect(infoValue(fields, 'insightShared')).toBe('false')
})

test('if two shared insights use a group, the grant remains until both shares are revoked', async () => {
  const data = await group()
  const first = await insight(data)
  const second = await insight(data)
  await share(first.location, 'ben@example.com')
  await share(second.location, 'ben@example.com')
  await unshare(first.location, 'ben@example.com')
  expect(await accessOf(ben, data)).toBe('R')
  await unshare(second.location, 'ben@example.com')
  expect(await accessOf(ben, data)).toBeUndefined()
})

test('IN-079 IN-080 IN-092 after a save users can read the current groups of the insight, except workflow groups', async () => {
  const [before, after, second] = [await group(), await group(), await group()]
  const [ofFile, ofBasket, ofBox, ofParams] = [await group(), await group(), await group(), await group()]
  const [run, ofRun, ofAction] = [await group(anna, 'run'), await group(), await group(anna, 'action')]
  const { location } = await insight(before)
  await share(location, 'ben@example.com')
  await anna.call(updateInsight, {
    body: {
      oldGroupName: location.groupName,
      oldInsightName: location.insightName,
      content: {
        ...showing(after, second),
        datapreps: { ...showing(after, second).datapreps, w: showing(ofRun).datapreps!['t0'] },
        basket: { items: [{ groupName: ofBasket, symbols: { Code: 'a' } }] },
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
  const outcome = await anna.call(assignInsightRoles, { body: location })
  const ofBen = (groupName: string) => ({ groupName, email: 'ben@example.com', access: 'R' })
  expect(outcome).toEqual({
    createdGroupsEntitlements: [after, second, ofFile, ofBasket, ofBox, ofParams].map(ofBen),
    updatedGroupsEntitlements: [],
    removedNotUsedGroupsEntitlements: [ofBen(before)],
    groupsNotShared: [],
  })
  expect([
    await accessOf(ben, before),
    await accessOf(ben, after),
    await accessOf(ben, second),
    await accessOf(ben, location.groupName),
  ]).toEqual([undefined, 'R', 'R', 'R'])
})

test('IN-079 IN-080 a mapping grants R, RW and RWS on groups, and lowers only access that shares have granted', async () => {
  const data = await group()
  const { location } = await insight(data)
  await share(location, 'ben@example.com')
  const assign = (access: 'R' | 'RW' | 'RWS') =>
    anna.call(assignInsightRoles, {
      body: { ...location, groups: { [location.groupName]: 'R', [data]: access } },
    })
  expect((await assign('RWS')).updatedGroupsEntitlements).toEqual([
    { groupName: data, email: 'ben@example.com', access: 'RWS' },
  ])
  expect(await accessOf(ben, data)).toBe('RWS')
  await assign('RW')
  expect(await accessOf(ben, data)).toBe('RW')
  await assign('R')
  expect(await accessOf(ben, data)).toBe('R')
})

test('IN-035 R allows reading, RW also writing and RWS also sharing; with RWS users can save data preps and files of actions', async () => {
  const [output, written] = [await group(anna, 'output'), await group(anna, 'written')]
  const { location } = await insight()
  await share(location, 'ben@example.com')
  let saves = 0
  /** Returns what Ben can do in the group of the insight, with data preps of the output group and with files of the other group. */
  const granted = async (access: 'R' | 'RW' | 'RWS') => {
    const groups = { [location.groupName]: access, [output]: access, [written]: access }
    await anna.call(assignInsightRoles, { body: { ...location, groups } })
    const status = (call: Promise<unknown>) =>
      call.then(
        () => 'yes',
        (error: unknown) => (error as CallError).status,
      )
    const dataPrep = { name: `Output ${++saves}`, outputGroup: output, range: 'ALL', symbols: [] }
    const body = { oldGroupName: location.groupName, oldInsightName: 'Shared', content: emptyContent() }
    return {
      read: await status(ben.call(getInsight, { params: location })),
      write: await status(ben.call(updateInsight, { body })),
      dataPrep: await status(ben.call(createDataPrep, { body: { dataPrep } as never })),
      file: await status(upload(ben, { groupName: written, fileName: 'action.csv' })),
      share: await status(ben.call(shareInsight, { body: { ...location, shares: ['carl@example.com'] } })),
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

test('a share reports groups that the caller cannot share, and grants no access to them', async () => {
  const foreign = await group(carl)
  const { location } = await insight(foreign)
  const outcome = await share(location, 'ben@example.com')
  expect(outcome.groupsNotShared).toEqual([foreign])
  expect(await accessOf(ben, foreign)).toBeUndefined()
})

test('IN-104 rejects people without an active account with the field and a message', async () => {
  const { location } = await insight()
  const error = await refusal(share(location, 'ben@example.com', 'nobody@example.com'))
  expect(error.body.validationErrors).toEqual([
    { field: 'shares', message: expect.stringContaining('nobody@example.com') },
  ])
  expect(await accessOf(ben, location.groupName)).toBeUndefined()
  const misspelt = await refusal(share(location, 'ben@example.com', 'no address'))
  expect(misspelt.body.validationErrors).toMatchObject([
    { message: '“no address” is not an e-mail address.' },
  ])
  await server.admin.call(createUser, { body: { email: 'invited@example.com' } })
  const invited = await refusal(share(location, 'ben@example.com', 'invited@example.com'))
  expect(invited.body.validationErrors).toEqual([
    {
      field: 'shares',
      message: expect.stringContaining('You cannot share with invited@example.com yet'),
    },
  ])
})

test('a share survives a rename and is deleted with the insight, its last file or its group', async () => {
  const ends = {
    insight: (location: { groupName: string; insightName: string }) =>
      anna.call(deleteInsight, { body: location }),
    group: ({ groupName }: { groupName: string }) => anna.call(deleteGroup, { params: { name: groupName } }),
    file: async (location: { groupName: string; insightName: string }) => {
      for (let left = 2; left > 0; left -= 1) {
        const { fid } = await anna.call(getInsight, { params: location })
        await anna.call(deleteFile, { params: { fid } })
      }
    },
  }
  for (const end of Object.values(ends)) {
    const data = await group()
    const { location } = await insight(data)
    await share(location, 'ben@example.com')
    await anna.call(updateInsight, {
      body: {
        oldGroupName: location.groupName,
        oldInsightName: location.insightName,
        newInsightName: 'Renamed',
        content: showing(data),
      },
    })
    const renamed = { ...location, insightName: 'Renamed' }
    expect(await ben.call(getInsight, { params: renamed })).toMatchObject({ isShared: true })
    await end(renamed)
    expect(await accessOf(ben, data)).toBeUndefined()
  }
})

test('a new insight with the name of a deleted one has no shares', async () => {
  const { location } = await insight()
  await share(location, 'ben@example.com')
  await anna.call(deleteInsight, { body: location })
  await anna.call(createInsight, { body: { ...location, content: emptyContent() } })
  const query = { groupName: location.groupName, name: location.insightName }
  expect((await anna.call(listShared, { query })).totalSize).toBe(0)
  expect((await refusal(ben.call(getInsight, { params: location }))).status).toBe(404)
})

test('many concurrent changes of shares finish, and the server keeps responding', async () => {
  const data = await group()
  const { location } = await insight(data)
  await share(location, 'ben@example.com')
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 4 === 3
        ? anna.call(updatePublicStatus, { body: { ...location, isPublic: index % 8 === 3 } })
        : anna.call(assignInsightRoles, {
            body: {
              ...location,
              groups: { [location.groupName]: 'R', [data]: index % 4 === 0 ? 'RW' : 'R' },
            },
          }),
    ),
  )
  await anna.call(assignInsightRoles, { body: location })
  expect(await accessOf(ben, data)).toBe('R')
})

test('revoking the higher of two shares reduces the access; revoking the last one ends it', async () => {
  const data = await group()
  const [first, second] = [await insight(data), await insight(data)]
  await share(first.location, 'ben@example.com')
  const assign = (access: 'R' | 'RW') =>
    anna.call(assignInsightRoles, { body: { ...first.location, groups: { [data]: access } } })
  await assign('RW')
  await share(second.location, 'ben@example.com')
  expect(await accessOf(ben, data)).toBe('RW')
  await assign('R')
  expect(await accessOf(ben, data)).toBe('R')
  await unshare(first.location, 'ben@example.com')
  await unshare(second.location, 'ben@example.com')
  expect(await accessOf(ben, data)).toBeUndefined()
})

test('a direct grant on a group is not changed by a share, until the grant expires', async () => {
  const data = await group()
  const { location } = await insight(data)
  const { pool } = server.running.platform.database
  await server.grantGroup({ groupName: data, userName: 'ben@example.com', access: 'R' })
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

test('users with write access who cannot share cannot assign roles', async () => {
  const data = await group()
  const { location } = await insight(data)
  await share(location, 'ben@example.com', 'carl@example.com')
  await anna.call(assignInsightRoles, {
    body: { ...location, groups: { [location.groupName]: 'RW', [data]: 'R' } },
  })
  const refused = await refusal(carl.call(assignInsightRoles, { body: { ...location, groups: {} } }))
  expect(refused.status).toBe(403)
  expect(await accessOf(ben, data)).toBe('R')
})

/** Points at which a test can block changes of shares: at the start, or before a later statement. */
const holds = {
  beginning: "select pg_advisory_xact_lock(hashtextextended('insight shares', 0))",
  midst: 'lock table insight_shares in share mode',
}

/** Blocks changes of shares until they are released; `waiting` returns the number of blocked statements. */
async function holdShares(at: keyof typeof holds) {
  const { pool } = server.running.platform.database
  const client = await pool.connect()
  await client.query('begin')
  await client.query(holds[at])
  return {
    async waiting(): Promise<number> {
      // Uses a separate connection, because within its transaction the client would always see the connections of the
      // first call.
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

test('concurrent sharing and deleting leave no grants, in either order', async () => {
  const ends = {
    insight: (location: { groupName: string; insightName: string }) =>
      anna.call(deleteInsight, { body: location }),
    group: ({ groupName }: { groupName: string }) => anna.call(deleteGroup, { params: { name: groupName } }),
  }
  for (const [what, end] of Object.entries(ends))
    for (const [isSharedFirst, at] of [
      [true, 'beginning'],
      [false, 'beginning'],
      [true, 'midst'],
    ] as const) {
      const data = await group()
      const { location } = await insight(data)
      const held = await holdShares(at)
      let isDone = false
      const steps = [
        () => share(location, 'ben@example.com'),
        () => end(location).then(() => (isDone = true)),
      ]
      const results: Promise<PromiseSettledResult<unknown>[]>[] = []
      try {
        for (const step of isSharedFirst ? steps : steps.toReversed()) {
          results.push(Promise.allSettled([step()]))
          await expect.poll(async () => isDone || (await held.waiting()) === results.length).toBe(true)
        }
      } finally {
        await held.release()
      }
      const outcomes = (await Promise.all(results)).flat()
      const problems = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      // A share can fail because its insight no longer exists; other errors are not expected.
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

test('a user who loses the highest of three shares retains the access of the higher of the other two', async () => {
  const data = await group()
  const locations: { groupName: string; insightName: string }[] = []
  for (const access of ['RW', 'R', 'RWS'] as const) {
    const { location } = await insight(data)
    await share(location, 'ben@example.com')
    const groups = { [location.groupName]: 'R' as const, [data]: access }
    await anna.call(assignInsightRoles, { body: { ...location, groups } })
    locations.push(location)
  }
  expect(await accessOf(ben, data)).toBe('RWS')
  await unshare(locations[2]!, 'ben@example.com')
  expect(await accessOf(ben, data)).toBe('RW')
})
