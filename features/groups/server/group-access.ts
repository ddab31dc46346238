import { createTimedCache, type Clock, type Principal } from '@headwater/server-kit'
import {
  groupAccesses,
  groupErrors,
  includesAccess,
  type GroupAccessMode,
  type GroupField,
} from '../contract/index.ts'
import { makeLimited, makeScope, type AccessScope, type LimitedGroup } from './access-scope.ts'
import type { GroupsStore, StoredGroup } from './groups-store.ts'
import type { TrashedGroupsStore } from './trashed-groups.ts'

/** Finds groups by name or id and checks the access of a caller. */
export interface GroupAccess {
  /** Returns the group with this name if the caller has access at `mode`; throws `groupNotFound` and `groupForbidden`. */
  getGroup(principal: Principal, name: string, mode: GroupAccessMode): Promise<AccessibleGroup>
  /** Same as `getGroup`, by id. */
  getGroupById(principal: Principal, id: number, mode: GroupAccessMode): Promise<AccessibleGroup>
  /**
   * Returns a group if the caller can read its data only within a range; otherwise undefined. Only for code that applies the
   * range to everything that it returns or computes. Other methods throw `groupLimited` for such a group.
   */
  findLimited(principal: Principal, by: { name: string } | { id: number }): Promise<LimitedGroup | undefined>
  /** Returns all groups that the caller can read only within a range. */
  listLimited(principal: Principal): Promise<LimitedGroup[]>
  /** Returns the groups that the caller can use at `mode`, default R. */
  scope(principal: Principal, mode?: GroupAccessMode): Promise<AccessScope>
}

/** A group with the access of a caller. */
export interface AccessibleGroup {
  /** Id of the group. */
  id: number
  /** Unique name. */
  name: string
  /** Metadata fields of its files. */
  fields: GroupField[]
  /** Id of the owner. */
  ownerId: number
  /** Access of the caller. */
  access: GroupAccessMode
  /** The group as a scope, for queries of its data. */
  scope: AccessScope
}

/** Access to groups inside this feature. */
export interface InternalGroupAccess extends GroupAccess {
  /** Returns the stored group if the caller has access at `mode`; throws `groupNotFound` and `groupForbidden`. */
  require(
    principal: Principal,
    by: { name: string } | { id: number },
    mode: GroupAccessMode,
  ): Promise<StoredGroup & AccessibleGroup>
  /** Removes a changed or deleted group from the cache. */
  forget(name: string): void
}

/** Cache lifetime of a group, in milliseconds. A group that this server deletes is removed immediately. */
const groupTtlMs = 2000

/** Creates the access checks, with a cache for owners and administrators. */
export function createGroupAccess({
  store,
  trashed,
  clock,
}: {
  store: GroupsStore
  trashed: Pick<TrashedGroupsStore, 'liveIdsBesideDeleted'>
  clock: Clock
}): InternalGroupAccess {
  /** Groups by name, without grants. Names without a group are not cached. */
  const cache = createTimedCache({
    load: (name: string) => store.findOwned(name),
    ttlMs: groupTtlMs,
    maxEntries: 10_000,
    clock,
  })

  async function require(
    principal: Principal,
    by: { name: string } | { id: number },
    mode: GroupAccessMode,
  ): Promise<StoredGroup & AccessibleGroup> {
    const group = await store.find(by, principal.userId)
    const access = group && accessOf(group, principal)
    if (group === undefined || access === undefined) {
      const limited = group && (await store.findLimited(by, principal.userId))
      if (limited !== undefined) throw groupErrors.groupLimited({ name: limited.name })
      throw groupErrors.groupNotFound({ name: 'name' in by ? by.name : String(by.id) })
    }
    // Every access includes reading.
    if (mode !== 'R' && !includesAccess(access, mode))
      throw groupErrors.groupForbidden({ name: group.name, mode })
    return { ...group, access, scope: makeScope(access, [group.id]) }
  }

  /**
   * Returns a cached group if the caller owns it or is an administrator. For other users, the grants are read every time.
   */
  async function findOwned(
    principal: Principal,
    name: string,
    mode: GroupAccessMode,
  ): Promise<AccessibleGroup | undefined> {
    const group = mode === 'R' ? await cache.get(name) : undefined
    const isOwner = principal.isAdministrator || group?.ownerId === principal.userId
    if (group === undefined || !isOwner) return undefined
    return { ...group, access: 'RWS', scope: makeScope('RWS', [group.id]) }
  }

  return {
    require,
    forget: (name) => cache.drop(name),
    getGroup: async (principal, name, mode) =>
      (await findOwned(principal, name, mode)) ?? require(principal, { name }, mode),
    async findLimited(principal, by) {
      const group = principal.isAdministrator ? undefined : await store.findLimited(by, principal.userId)
      return group && makeLimited(group)
    },
    async listLimited(principal) {
      const groups = principal.isAdministrator ? [] : await store.listLimited(principal.userId)
      return groups.map(makeLimited)
    },
    getGroupById: (principal, id, mode) => require(principal, { id }, mode),
    scope: async (principal, mode = 'R') =>
      makeScope(
        mode,
        principal.isAdministrator
          ? // Rows of deleted groups still exist, so the scope must exclude these groups.
            ((await trashed.liveIdsBesideDeleted()) ?? 'all')
          : await store.groupIds(principal.userId, mode === 'R' ? undefined : including(mode)),
      ),
  }
}

/** Returns the accesses that allow a mode. */
function including(mode: GroupAccessMode): GroupAccessMode[] {
  return groupAccesses.filter((access) => includesAccess(access, mode))
}

/** Returns the access of a user to a group: RWS for administrators, otherwise the access of the effective grant. */
export function accessOf(group: StoredGroup, principal: Principal): GroupAccessMode | undefined {
  return principal.isAdministrator ? 'RWS' : group.access
}

/**
 * Returns whether the roles of a user allow sharing groups. Sharing a pipeline requires this too, because it also shares
 * groups.
 */
export function hasShareRole(principal: Principal): boolean {
  return principal.can('Lake/Groups', 'RW')
}
