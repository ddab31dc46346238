import type { AccessMode, Page } from '@headwater/contract'
import type { JobQueue } from '@headwater/jobs'
import {
  createTimedCache,
  parseSearchQuery,
  type Clock,
  type Executor,
  type Principal,
} from '@headwater/server-kit'
import {
  groupErrors,
  type Group,
  type GroupChange,
  type GroupContentsCount,
  type GroupField,
  type NewGroup,
} from '../contract/index.ts'
import { makeScope, unlimitedRange, type AccessScope } from './access-scope.ts'
import type { GrantAccess } from './group-tables.ts'
import type { GroupsStore, StoredGroup } from './groups-store.ts'

/** What other rooms may ask of groups: which group is meant, and whether the caller may use it. */
export interface GroupAccess {
  /** The group with this name, if the caller may use it at `mode`; otherwise groupNotFound or groupForbidden. */
  getGroup(principal: Principal, name: string, mode: AccessMode): Promise<AccessibleGroup>
  /** The same by id. */
  getGroupById(principal: Principal, id: number, mode: AccessMode): Promise<AccessibleGroup>
  /** The groups that the caller can use at `mode`, by default read. */
  scope(principal: Principal, mode?: AccessMode): Promise<AccessScope>
}

/** A group together with what the caller may do with it. */
export interface AccessibleGroup {
  id: number
  name: string
  fields: GroupField[]
  ownerId: number
  access: AccessMode
  /** The group as a scope, for what reads its data. */
  scope: AccessScope
}

/** What later rooms keep of a group, and how it goes when the group does. */
export interface GroupContents {
  /** Ids of the groups that hold symbols. */
  groupIdsWithSymbols(): Promise<number[]>
  /** How much lies in a group. */
  count(group: Pick<AccessibleGroup, 'id' | 'name' | 'scope'>): Promise<GroupContentsCount>
  /** Ends what is under way in a group, in the transaction that deletes it. */
  onGroupDeleted(groupId: number, executor: Executor): Promise<void>
  /** Takes away what a deleted group left outside of the database. Called until it succeeds, so repeating it is safe. */
  clear(groupId: number): Promise<void>
  /** Serial key of the jobs that write outside of the database; clearing comes after those that are there already. */
  serialKey(groupId: number): string
}

export interface GroupsServiceDependencies {
  store: GroupsStore
  /** Names of the groups that are favourites of a user. */
  favoriteGroupNames: (userId: number) => Promise<string[]>
  contents: GroupContents
  jobs: JobQueue
  clock: Clock
}

export type GroupsService = ReturnType<typeof createGroupsService>

/** How long a group is believed to be there. One deleted through this server is gone at once. */
const knownGroupMs = 2000

const clearJobKind = 'clear-group'
/** Clearing is tried until it succeeds, for nothing else knows of what is left of a deleted group. */
const clearAttempts = 2 ** 31 - 1

/** The rules of groups. */
export function createGroupsService(dependencies: GroupsServiceDependencies) {
  const { store, favoriteGroupNames, contents, jobs, clock } = dependencies

  jobs.handle<{ groupId: number }>(clearJobKind, { run: (job) => contents.clear(job.payload.groupId) })

  async function require(
    principal: Principal,
    by: { name: string } | { id: number },
    mode: AccessMode,
  ): Promise<StoredGroup & AccessibleGroup> {
    const group = await store.find(by, principal.userId)
    const access = group && accessOf(group, principal)
    if (group === undefined || access === undefined)
      throw groupErrors.groupNotFound({ name: 'name' in by ? by.name : String(by.id) })
    if (mode === 'RW' && access === 'R') throw groupErrors.groupForbidden({ name: group.name, mode })
    if (mode === 'RWS' && access !== 'RWS') throw groupErrors.groupForbidden({ name: group.name, mode })
    const range = principal.isAdministrator ? unlimitedRange : group.grant!.range
    return { ...group, access, scope: makeScope(access, new Map([[group.id, range]])) }
  }

  async function present(
    principal: Principal,
    groups: (StoredGroup & { access: AccessMode })[],
  ): Promise<Group[]> {
    const favorites = new Set(await favoriteGroupNames(principal.userId))
    return groups.map((group) => toGroup(group, favorites))
  }

  async function presentOne(principal: Principal, name: string): Promise<Group> {
    const [group] = await present(principal, [await require(principal, { name }, 'R')])
    return group!
  }

  /** Groups by name, as far as no grant is a part of it. A group that is not there is looked for every time. */
  const known = createTimedCache({
    load: (name: string) => store.findOwned(name),
    ttlMs: knownGroupMs,
    maxEntries: 10_000,
    clock,
  })

  /** Owners and administrators read most; what others may do is asked for every time. */
  async function findOwned(
    principal: Principal,
    name: string,
    mode: AccessMode,
  ): Promise<AccessibleGroup | undefined> {
    const group = mode === 'R' ? await known.get(name) : undefined
    const isOwner = principal.isAdministrator || group?.ownerId === principal.userId
    if (group === undefined || !isOwner) return undefined
    return { ...group, access: 'RWS', scope: makeScope('RWS', new Map([[group.id, unlimitedRange]])) }
  }

  const access: GroupAccess = {
    getGroup: async (principal, name, mode) =>
      (await findOwned(principal, name, mode)) ?? require(principal, { name }, mode),
    getGroupById: (principal, id, mode) => require(principal, { id }, mode),
    scope: async (principal, mode = 'R') =>
      makeScope(
        mode,
        principal.isAdministrator ? 'all' : await store.ranges(principal.userId, grantsOf[mode]),
      ),
  }

  return {
    access,

    async list(
      principal: Principal,
      query: {
        size: number
        from: number
        query: string
        name?: string | undefined
        tags?: string | undefined
        writeOnly: boolean
        withSymbol: boolean
        favorite: boolean
        sortBy: 'createdOn' | 'name'
        sortOrder: 'asc' | 'desc'
      },
    ): Promise<Page<Group>> {
      const { pairs, freeText } = parseSearchQuery(query.name === undefined ? query.query : '')
      const valueOf = (key: string) => pairs.find((pair) => pair.key.toLowerCase() === key)?.value
      const tags = query.tags ?? valueOf('tags') ?? ''
      const { groups, total } = await store.list(
        {
          readableBy: principal.isAdministrator ? 'everything' : principal.userId,
          writable: query.writeOnly,
          exactName: query.name,
          namePattern: valueOf('name'),
          freeText: freeText === '' || freeText === '*' ? undefined : freeText,
          tags: tags
            .split(',')
            .map((tag) => tag.trim())
            .filter((tag) => tag !== ''),
          onlyNames: query.favorite ? await favoriteGroupNames(principal.userId) : undefined,
          onlyIds: query.withSymbol ? await contents.groupIdsWithSymbols() : undefined,
          sortBy: query.sortBy,
          sortOrder: query.sortOrder,
          from: query.from,
          size: query.size,
        },
        principal.userId,
      )
      const accessible = groups.map((group) => ({ ...group, access: accessOf(group, principal) ?? 'R' }))
      return { from: query.from, totalSize: total, items: await present(principal, accessible) }
    },

    get: presentOne,

    async countContents(principal: Principal, name: string): Promise<GroupContentsCount> {
      return contents.count(await require(principal, { name }, 'R'))
    },

    async create(principal: Principal, group: NewGroup): Promise<Group> {
      checkFields(group.fields)
      const id = await store.create({ ...group, tags: group.groupTags, ownerId: principal.userId })
      if (id === undefined) throw groupErrors.groupExists({ name: group.name })
      return presentOne(principal, group.name)
    },

    /** Creates the home group of a user, in the transaction that creates the user. */
    async createHome(user: { userId: number; userName: string }, executor: Executor): Promise<void> {
      const home = {
        name: `${user.userName}_home`,
        description: `Home of ${user.userName}`,
        fields: [],
        tags: [],
        ownerId: user.userId,
        homeOf: user.userId,
      }
      await store.create(home, executor)
    },

    async update(principal: Principal, name: string, change: GroupChange): Promise<Group> {
      const { id } = await require(principal, { name }, 'RW')
      if (change.fields !== undefined) checkFields(change.fields)
      const isThere = await store.update(id, {
        description: change.description,
        fields: change.fields,
        tags: change.groupTags,
      })
      known.drop(name)
      if (!isThere) throw groupErrors.groupNotFound({ name })
      return presentOne(principal, name)
    },

    async remove(principal: Principal, name: string): Promise<void> {
      const group = await require(principal, { name }, 'RWS')
      if (group.ownerId !== principal.userId && !principal.isAdministrator)
        throw groupErrors.groupForbidden({ name, mode: 'RWS' })
      if (group.isHome) throw groupErrors.homeGroupStays({ name })
      await store.remove(group.id, async (executor) => {
        await contents.onGroupDeleted(group.id, executor)
        const options = { serialKey: contents.serialKey(group.id), maxAttempts: clearAttempts }
        await jobs.enqueue(clearJobKind, { groupId: group.id }, options, executor)
      })
      known.drop(name)
    },

    async listTags(
      principal: Principal,
      { query, from, size }: { query: string; from: number; size: number },
    ) {
      const readableBy = principal.isAdministrator ? ('everything' as const) : principal.userId
      const { tags, total } = await store.listTags({ readableBy, query, from, size })
      return { from, totalSize: total, items: tags }
    },
  }
}

/** The grants that allow a mode. */
const grantsOf: Record<AccessMode, readonly GrantAccess[] | undefined> = {
  R: undefined,
  RW: ['RW', 'RWS'],
  RWS: ['RWS'],
}

/** What a user can do with a group: administrators everything, others what their effective grant allows. */
function accessOf(group: StoredGroup, principal: Principal): AccessMode | undefined {
  if (principal.isAdministrator) return 'RWS'
  return group.grant && modeOf(group.grant.access)
}

/** The mode that a grant allows. RS shares without writing; where there are only three modes, it reads. */
export function modeOf(access: GrantAccess): AccessMode {
  return access === 'RS' ? 'R' : access
}

function checkFields(fields: GroupField[]): void {
  const seen = new Set<string>()
  for (const { name } of fields) {
    if (seen.has(name)) throw groupErrors.fieldTwice({ name })
    seen.add(name)
  }
}

function toGroup(group: StoredGroup & { access: AccessMode }, favorites: Set<string>): Group {
  return {
    groupId: group.id,
    name: group.name,
    description: group.description,
    fields: group.fields,
    groupTags: group.tags,
    type: 'DATA',
    access: group.access,
    shared: group.isShared,
    owner: group.owner,
    favorite: favorites.has(group.name),
    createTime: group.createdAt.getTime(),
  }
}
