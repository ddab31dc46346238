import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJobQueue } from '@headwater/jobs'
import { migrationsFolders } from '@headwater/server/testing'
import { createEvent, executorOf, systemClock, type Database, type Principal } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'
import {
  commonScope,
  makeLimited,
  makeScope,
  narrowScope,
  scopeWithin,
  type AccessScope,
  type LimitedGroup,
} from './access-scope.ts'
import { createGrants, type Grants } from './grants.ts'
import { createGroupsService, type GroupsService } from './groups-service.ts'
import { createGroupsStore } from './groups-store.ts'
import { createTrashedGroupsStore } from './trashed-groups.ts'

let database: Database
let groups: GroupsService
let grants: Grants

beforeAll(async () => {
  database = await openTestDatabase(migrationsFolders)
  grants = createGrants(database)
  groups = createGroupsService({
    store: createGroupsStore(database),
    favoriteGroupNames: async () => [],
    deleted: createEvent(),
    trashed: createTrashedGroupsStore(database),
    keepsDeleted: true,
    jobs: createJobQueue({ pool: database.pool }),
    clock: systemClock,
  })
})
afterAll(() => database.close())

let count = 0
async function user({ isAdministrator = false } = {}): Promise<Principal> {
  const userName = `user${++count}@example.com`
  const { rows } = await database.pool.query(
    `insert into users (user_name, company_id) select $1, id from companies returning id, company_id`,
    [userName],
  )
  const { id: userId, company_id: companyId } = rows[0] as { id: number; company_id: number }
  return { userId, userName, companyId, scheme: 'Bearer', isAdministrator, can: () => true }
}

async function group(owner: Principal) {
  return groups.create(owner, { name: `group ${++count}`, description: '', fields: [], groupTags: ['tag'] })
}

interface TestGrant {
  access: string
  /** Hours from now. */
  endsIn?: number
  from?: string
  to?: string
}

/** Gives a user grants on a group: the first one directly, the others through insights. */
async function grant(groupId: number, { userId }: Principal, given: readonly TestGrant[]): Promise<void> {
  for (const [index, { access, endsIn, from, to }] of given.entries())
    await database.pool.query(
      `insert into group_grants (group_id, user_id, source, source_id, access, data_from, data_to, ends_at)
       values ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 hour')`,
      [
        groupId,
        userId,
        index === 0 ? 'direct' : 'insight',
        index === 0 ? '' : index,
        access,
        from,
        to,
        endsIn,
      ],
    )
}

test('grants from several sources allow everything that any of them allows', async () => {
  const owner = await user()
  const { groupId, name } = await group(owner)
  const modes = ['R', 'RW', 'RS', 'RWS']
  for (const one of modes)
    for (const other of modes) {
      const member = await user()
      await grant(groupId, member, [{ access: one }, { access: other }])
      const effective = await database
        .tables()
        .transaction()
        .execute((tx) => grants.effective(groupId, [member.userId], executorOf(tx)))
      const modes = ['R', 'W', 'S'].filter((letter) => `${one}${other}`.includes(letter)).join('')
      expect([one, other, effective.get(member.userId)]).toEqual([one, other, modes])
      const { access } = await groups.get(member, name)
      expect(access).toBe(modes)
    }
})

test('an expired grant gives no access, wherever access is checked', async () => {
  const owner = await user()
  const member = await user()
  const { groupId, name } = await group(owner)
  await grant(groupId, member, [{ access: 'RWS', endsIn: -1 }])
  const page = { size: 10, from: 0, query: '' }
  const list = () =>
    groups.list(member, {
      ...page,
      writeOnly: false,
      withSymbol: false,
      favorite: false,
      sortBy: 'name',
      sortOrder: 'asc',
    })
  await expect(groups.access.getGroup(member, name, 'R')).rejects.toMatchObject({ code: 'groupNotFound' })
  await expect(groups.access.getGroupById(member, groupId, 'R')).rejects.toMatchObject({
    code: 'groupNotFound',
  })
  expect((await list()).items).toEqual([])
  expect((await groups.listTags(member, page)).items).toEqual([])
  expect((await groups.access.scope(member)).groupIds).toEqual([])
  expect((await groups.get(owner, name)).shared).toBe(false)

  await grant(groupId, member, [])
  await database.pool.query(
    `update group_grants set ends_at = now() + interval '1 hour' where user_id = $1`,
    [member.userId],
  )
  expect((await groups.access.getGroup(member, name, 'RWS')).access).toBe('RWS')
  expect((await list()).items).toMatchObject([{ name, access: 'RWS' }])
  expect((await groups.listTags(member, page)).items).toHaveLength(1)
  expect((await groups.access.scope(member, 'RWS')).groupIds).toEqual([groupId])
  expect((await groups.get(owner, name)).shared).toBe(true)
})

test('when the highest grant expires, a user retains the access of the other grants', async () => {
  const { groupId, name } = await group(await user())
  const member = await user()
  await grant(groupId, member, [{ access: 'R' }, { access: 'RWS', endsIn: -1 }, { access: 'RW', endsIn: 1 }])
  expect((await groups.get(member, name)).access).toBe('RW')
  expect((await groups.access.scope(member, 'RWS')).groupIds).toEqual([])
})

const spring = { from: '2026-03-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' }

test.for<{ what: string; grants: TestGrant[]; access: string | undefined }>([
  { what: 'only a range', grants: [{ access: 'R', ...spring }], access: undefined },
  { what: 'a range without an end', grants: [{ access: 'R', from: spring.from }], access: undefined },
  { what: 'a range and whole access', grants: [{ access: 'R', ...spring }, { access: 'RW' }], access: 'RW' },
  {
    what: 'a range and access that has ended',
    grants: [
      { access: 'R', ...spring },
      { access: 'RWS', endsIn: -1 },
    ],
    access: undefined,
  },
])('a grant with a range gives no access to the whole group: $what', async ({ grants, access }) => {
  const { groupId, name } = await group(await user())
  const member = await user()
  await grant(groupId, member, grants)
  expect((await groups.access.scope(member)).has(groupId)).toBe(access !== undefined)
  const readable = groups.access.getGroup(member, name, 'R')
  if (access === undefined) await expect(readable).rejects.toMatchObject({ code: 'groupLimited' })
  else expect((await readable).access).toBe(access)
})

test.each([
  ['R', 'R', false],
  ['RW', 'R', false],
  ['RS', 'R', true],
  ['RS', 'RW', false],
  ['RWS', 'RW', true],
] as const)('a user with %s can share a group with %s: %s', async (own, access, isAllowed) => {
  const { groupId: id } = await group(await user())
  const [sharer, reader] = [await user(), await user()]
  await grant(id, sharer, [{ access: own }])
  const shared = await groups.access.getGroupById(sharer, id, 'R')
  const executor = database.pool
  const given = { access, sharedBy: sharer.userId }
  const source = { kind: 'insight', id: 'x' } as const
  const outcomes = await Promise.allSettled([
    grants.shareDirectly(shared, [reader.userId], given, executor),
    grants.set(shared, { ...given, userId: reader.userId, source }, executor),
  ])
  const code = (outcome: PromiseSettledResult<unknown>) =>
    outcome.status === 'fulfilled' ? 'shared' : (outcome.reason as { code?: string }).code
  expect(outcomes.map(code)).toEqual(Array(2).fill(isAllowed ? 'shared' : 'groupForbidden'))
  expect((await grants.on(id, [reader.userId], executor)).length).toBe(isAllowed ? 2 : 0)
})

test('owners and administrators have all access and no limits', async () => {
  const owner = await user()
  const administrator = await user({ isAdministrator: true })
  const { groupId, name } = await group(owner)
  await grant(groupId, owner, [{ access: 'R', ...spring }])
  for (const principal of [owner, administrator]) {
    const group = await groups.access.getGroup(principal, name, 'RWS')
    expect([group.access, group.scope.has(groupId)]).toEqual(['RWS', true])
  }
  expect((await groups.access.scope(owner, 'RWS')).groupIds).toEqual([groupId])
  expect((await groups.access.scope(administrator, 'RWS')).groupIds).toBe('all')
})

test('a scope can be narrowed and intersected with others', () => {
  const one = makeScope('RW', [2, 1])
  const other = makeScope('RS', [2, 3])
  const all = makeScope('RWS', 'all')
  const seen = ({ access, groupIds }: AccessScope) => [access, groupIds]
  expect(seen(narrowScope(one, [2, 3]))).toEqual(['RW', [2]])
  expect(seen(narrowScope(all, [5]))).toEqual(['RWS', [5]])
  expect(seen(commonScope([one, other, all]))).toEqual(['R', [2]])
  expect(seen(commonScope([all, other]))).toEqual(['RS', [2, 3]])
  expect(seen(commonScope([all]))).toEqual(['RWS', 'all'])
  expect([one.has(1), one.has(3), all.has(9), commonScope([]).has(1)]).toEqual([true, false, true, false])
})

test('only features/groups creates scopes: an object with the same properties is not a scope', () => {
  const scope = makeScope('R', 'all')
  const same = { access: scope.access, groupIds: scope.groupIds, has: scope.has }
  // @ts-expect-error: the property that only features/groups can access is missing
  const forged: AccessScope = same
  expect(forged).toEqual(scope)
})

test('a group with a range has no scope until its range is applied', () => {
  const range = { from: new Date('2026-01-01T00:00:00Z'), to: null }
  const group = makeLimited({ id: 7, name: 'Limited', range })
  const other = makeLimited({ id: 8, name: 'Other', range: { ...range } })
  // @ts-expect-error: a limited group is not a scope
  const ignored: AccessScope = group
  expect(ignored).not.toHaveProperty('has')
  // @ts-expect-error: the applied ranges are missing
  expect(() => scopeWithin([group])).toThrow()
  // @ts-expect-error: only features/groups creates limited groups
  const forged: LimitedGroup = { id: 7, name: 'Limited', range }
  expect(forged).toEqual(group)

  expect(scopeWithin([group], { range })).toMatchObject({ access: 'R', groupIds: [7] })
  expect(scopeWithin([group, other], { groupIds: [7, 8] }).groupIds).toEqual([7, 8])
  expect(() => scopeWithin([other], { range })).toThrow('The range of the group 8 is not applied.')
  expect(() => scopeWithin([group, other], { groupIds: [7] })).toThrow(
    'The range of the group 8 is not applied.',
  )
})
