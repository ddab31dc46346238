import type { Page } from '@headwater/contract'
import type { JobQueue } from '@headwater/jobs'
import {
  formatUtc,
  parseSearchQuery,
  type Clock,
  type EventEmitter,
  type Executor,
  type Principal,
} from '@headwater/server-kit'
import {
  groupErrors,
  type Group,
  type GroupChange,
  type GroupContentsCount,
  type GroupField,
  type GroupTag,
  type NewGroup,
} from '../contract/index.ts'
import type { DataRange } from './access-scope.ts'
import type { LimitedGroup } from './access-scope.ts'
import { accessOf, createGroupAccess, type AccessibleGroup } from './group-access.ts'
import { createGroupContents } from './group-contents.ts'
import type { GroupsStore, StoredGroup } from './groups-store.ts'
import type { TrashedGroupsStore } from './trashed-groups.ts'

/** Dependencies of the service. */
export interface GroupsServiceDependencies {
  /** Stores groups, tags and grants. */
  store: GroupsStore
  /** Returns the names of the favourite groups of a user. */
  favoriteGroupNames: (userId: number) => Promise<string[]>
  /** Emitted in the transaction that deletes a group. */
  deleted: EventEmitter<[groupId: number, executor: Executor, ownerId: number]>
  /** Runs the jobs that clear deleted groups. */
  jobs: JobQueue
  /** Stores deleted groups. */
  trashed: TrashedGroupsStore
  /** Whether deleted groups can be restored. */
  keepsDeleted: boolean
  /** Clock of caches and deletions. */
  clock: Clock
}

/** The service of groups. */
export type GroupsService = ReturnType<typeof createGroupsService>

/** Query of the route `GET /file/group`; see `listGroups`. */
export interface GroupQuery {
  /** Maximum number of groups. */
  size: number
  /** Number of groups to skip. */
  from: number
  /** Free text, or `name=…` and `tags=…` pairs. */
  query: string
  /** Exact name. If it is set, `query` is ignored. */
  name?: string | undefined
  /** Tag names separated by commas. Only groups that have all of them. */
  tags?: string | undefined
  /** Only groups with write access. */
  writeOnly: boolean
  /** Only groups with symbols. */
  withSymbol: boolean
  /** Only groups whose data is visible in a public insight. */
  publicOnly?: boolean | undefined
  /** Only favourites. */
  favorite: boolean
  /** Sort key. */
  sortBy: 'createdOn' | 'name'
  /** Sort order. */
  sortOrder: 'asc' | 'desc'
}

/** Creates the service of groups. */
export function createGroupsService(dependencies: GroupsServiceDependencies) {
  const { store, favoriteGroupNames, trashed, keepsDeleted, clock } = dependencies
  const access = createGroupAccess(dependencies)
  const contents = createGroupContents(dependencies)

  async function present(
    principal: Principal,
    groups: readonly StoredGroup[],
    limited: readonly LimitedGroup[],
  ): Promise<Group[]> {
    const favorites = new Set(await favoriteGroupNames(principal.userId))
    const rangeOf = new Map(limited.map(({ id, range }) => [id, range]))
    return groups.map((group) => ({
      ...toGroup({ ...group, access: accessOf(group, principal) ?? 'R' }, favorites),
      ...limitsOf(rangeOf.get(group.id)),
    }))
  }

  /** Returns the group names to which the filters of the query limit the result; undefined if there is no such filter. */
  async function onlyNames(
    { userId }: Principal,
    { favorite, publicOnly }: GroupQuery,
  ): Promise<string[] | undefined> {
    const favorites = favorite ? await favoriteGroupNames(userId) : undefined
    if (!publicOnly) return favorites
    const visible = await contents.publicGroupNames()
    return favorites === undefined ? [...visible] : favorites.filter((name) => visible.has(name))
  }

  async function get(principal: Principal, name: string): Promise<Group> {
    const group = await store.find({ name }, principal.userId)
    const isWhole = group !== undefined && accessOf(group, principal) !== undefined
    const limited = group === undefined || isWhole ? undefined : await access.findLimited(principal, { name })
    if (group === undefined || (!isWhole && limited === undefined)) throw groupErrors.groupNotFound({ name })
    const [presented] = await present(principal, [group], limited === undefined ? [] : [limited])
    return presented!
  }

  return {
    /** Checks access to groups. */
    access,
    /** Contents of groups that later features store. */
    contents,

    /** Returns a page of groups that the caller can read. */
    async list(principal: Principal, query: GroupQuery): Promise<Page<Group>> {
      const { pairs, freeText } = parseSearchQuery(query.name === undefined ? query.query : '')
      const valueOf = (key: string) => pairs.find((pair) => pair.key.toLowerCase() === key)?.value
      const tags = query.tags ?? valueOf('tags') ?? ''
      const limited = query.writeOnly ? [] : await access.listLimited(principal)
      const { groups, total } = await store.list(
        {
          limitedIds: limited.map(({ id }) => id),
          readableBy: principal.isAdministrator ? 'everything' : principal.userId,
          writable: query.writeOnly,
          exactName: query.name,
          namePattern: valueOf('name'),
          freeText: freeText === '' || freeText === '*' ? undefined : freeText,
          tags: tags
            .split(',')
            .map((tag) => tag.trim())
            .filter((tag) => tag !== ''),
          onlyNames: await onlyNames(principal, query),
          onlyIds: query.withSymbol ? await contents.groupIdsWithSymbols(limited) : undefined,
          sortBy: query.sortBy,
          sortOrder: query.sortOrder,
          from: query.from,
          size: query.size,
        },
        principal.userId,
      )
      return { from: query.from, totalSize: total, items: await present(principal, groups, limited) }
    },

    /** Returns one group by name; throws `groupNotFound`. */
    get,

    /** Returns the numbers of objects in a group; throws `groupNotFound`. */
    async countContents(principal: Principal, name: string): Promise<GroupContentsCount> {
      return contents.count(await access.require(principal, { name }, 'R'))
    },

    /** Creates a group of the caller; throws `groupExists` and `fieldTwice`. */
    async create(principal: Principal, group: NewGroup): Promise<Group> {
      checkFields(group.fields)
      const id = await store.create({ ...group, tags: group.groupTags, ownerId: principal.userId })
      if (id === undefined) throw groupErrors.groupExists({ name: group.name })
      return get(principal, group.name)
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

    /** Changes a group; throws `groupNotFound`, `groupForbidden`, `groupChanged` and `fieldTwice`. */
    async update(principal: Principal, name: string, change: GroupChange): Promise<Group> {
      const { id } = await access.require(principal, { name }, 'RW')
      if (change.fields !== undefined) checkFields(change.fields)
      const { description, fields, groupTags: tags, basedOn } = change
      const outcome = await store.update(
        id,
        { description, fields, tags },
        { userId: principal.userId, basedOn },
      )
      access.forget(name)
      if (outcome === 'gone') throw groupErrors.groupNotFound({ name })
      const group = await get(principal, name)
      if (outcome === 'changed')
        throw groupErrors.groupChanged({
          name,
          by: group.changedBy ?? 'another user',
          version: group.version,
        })
      return group
    },

    /**
     * Deletes a group with its contents. Moves it to the trash if the installation has one and `isPermanent` is false.
     * Throws `groupNotFound`, `groupForbidden`, `onlyOwnerDeletes` and `homeGroupStays`.
     */
    async remove(principal: Principal, name: string, { isPermanent = false } = {}): Promise<void> {
      const group = await access.require(principal, { name }, 'R')
      if (group.ownerId !== principal.userId && !principal.isAdministrator)
        throw groupErrors.onlyOwnerDeletes({ name })
      if (group.isHome) throw groupErrors.homeGroupStays({ name })
      if (keepsDeleted && !isPermanent) {
        const deletion = {
          userId: principal.userId,
          at: clock.now(),
          contents: await contents.count(group),
        }
        await trashed.trash(group.id, deletion, (id, executor) =>
          dependencies.deleted.emit(id, executor, group.ownerId),
        )
      } else {
        await store.remove(group.id, async (executor) => {
          await dependencies.deleted.emit(group.id, executor, group.ownerId)
          await contents.enqueueClear(group.id, executor)
        })
      }
      access.forget(name)
    },

    /** Returns a page of the tags of readable groups, by name. */
    async listTags(
      principal: Principal,
      { query, from, size }: { query: string; from: number; size: number },
    ): Promise<Page<GroupTag>> {
      const readableBy = principal.isAdministrator ? ('everything' as const) : principal.userId
      const { tags, total } = await store.listTags({ readableBy, query, from, size })
      return { from, totalSize: total, items: tags }
    },
  }
}

function limitsOf(range: DataRange | undefined): Pick<Group, 'dataStart' | 'dataEnd'> {
  if (range === undefined) return {}
  return { dataStart: range.from && formatUtc(range.from), dataEnd: range.to && formatUtc(range.to) }
}

function checkFields(fields: GroupField[]): void {
  const seen = new Set<string>()
  for (const { name } of fields) {
    if (seen.has(name)) throw groupErrors.fieldTwice({ name })
    seen.add(name)
  }
}

function toGroup(group: StoredGroup & Pick<AccessibleGroup, 'access'>, favorites: Set<string>): Group {
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
    version: group.version,
    changedBy: group.changedBy ?? null,
    createTime: group.createdAt.getTime(),
  }
}
