import { invalidInput, type Page } from '@headwater/contract'
import {
  formatUtcSeconds,
  unlessRefused,
  type Clock,
  type Executor,
  type Principal,
} from '@headwater/server-kit'
import {
  modeOf,
  type AccessibleGroup,
  type Grant,
  type Groups,
  type GrantSource,
} from '@headwater/groups/server'
import { DefinitionError, insightErrors } from '@headwater/insights/contract'
import {
  publishingErrors,
  type GroupEntitlement,
  type InsightShare,
  type RoleAssignment,
} from '../contract/index.ts'
import { shownGroups } from '@headwater/insights/core'
import type { InsightAccess } from '@headwater/insights/server'
import type { InsightFiles } from '@headwater/insights/server'
import type { InsightItems } from '@headwater/insights/server'
import type { ShareAccess, SharingStore } from './sharing-store.ts'

export interface SharingServiceDependencies {
  store: SharingStore
  insightAccess: InsightAccess
  insightFiles: InsightFiles
  insights: Pick<InsightItems['insights'], 'hold'>
  groups: Pick<Groups, 'access' | 'grants'>
  /** An active user by e-mail address; undefined when there is none. */
  findUser: (email: string) => Promise<{ userId: number; status: string } | undefined>
  /** Whether the installation lets users share. */
  sharingEnabled: boolean
  /** Notes in the file of an insight whether it is shared. */
  noteShared: (principal: Principal, fid: string, shared: boolean) => Promise<void>
  clock: Clock
}

export type SharingService = ReturnType<typeof createSharingService>

interface Named {
  groupName: string
  insightName: string
}

/** A group of a mapping; without `group` the caller may not share it. */
interface MappedGroup {
  groupName: string
  access: ShareAccess
  group: AccessibleGroup | undefined
}

/** A grant on a group that came with a share. */
type ShareGrant = Grant & { access: ShareAccess; groupName: string; userName: string }

const rank: Record<ShareAccess, number> = { R: 1, RW: 2, RWS: 3 }

/**
 * The rules of sharing. There are no rights on insights besides those on groups: a share gives its users grants on the
 * groups that the insight shows, whose source is the insight, and removes only these again.
 */
export function createSharingService(dependencies: SharingServiceDependencies) {
  const { store, insightAccess, insightFiles, insights, groups } = dependencies
  const { findUser, sharingEnabled, noteShared, clock } = dependencies

  /** R for the own group and every group the content shows. */
  async function readMapping(
    principal: Principal,
    group: AccessibleGroup,
    file: { fid: string; sizeBytes: number },
  ): Promise<Map<string, ShareAccess>> {
    try {
      const content = await insightFiles.readContent(principal, file)
      return new Map([group.name, ...shownGroups(content)].map((name) => [name, 'R']))
    } catch (error) {
      if (error instanceof DefinitionError) return new Map([[group.name, 'R']])
      throw error
    }
  }

  /** The groups of a mapping as far as the caller may share them; asked before the change, which must not wait for it. */
  async function resolve(
    principal: Principal,
    mapping: ReadonlyMap<string, ShareAccess>,
  ): Promise<MappedGroup[]> {
    const mapped: MappedGroup[] = []
    for (const [groupName, access] of mapping)
      mapped.push({
        groupName,
        access,
        group: await unlessRefused(groups.access.getGroup(principal, groupName, 'RWS')),
      })
    return mapped
  }

  /**
   * Gives everybody the insight is shared with what the mapping says, and takes away what earlier ones gave besides.
   * @param change.keepsHigher whether people keep what an earlier mapping allows them on a group beyond this one
   */
  async function assign(
    insightId: string,
    mapping: readonly MappedGroup[],
    change: { executor: Executor; there: ReadonlySet<number>; keepsHigher?: boolean },
  ): Promise<RoleAssignment> {
    const { executor, there, keepsHigher = false } = change
    const outcome = noChange()
    const shares = await store.shares(insightId, executor)
    const given = await grantsOf(insightId, executor)
    const emailOf = new Map(shares.map(({ userId, userName }) => [userId, userName]))
    for (const { groupName, access: mapped, group } of mapping) {
      if (group === undefined || !there.has(group.id)) {
        if (shares.length > 0) outcome.groupsNotShared.push(groupName)
        continue
      }
      const userIds = shares.map(({ userId }) => userId).filter((userId) => userId !== group.ownerId)
      const before = await groups.grants.effective(group.id, userIds, executor)
      const held = Map.groupBy(await groups.grants.on(group.id, userIds, executor), ({ userId }) => userId)
      for (const userId of userIds) {
        const grants = held.get(userId) ?? []
        // A share does not change what somebody could already do by a grant of another kind.
        if (grants.length > 0 && !grants.some(({ source: { kind } }) => kind === 'insight')) continue
        const own = given.find((grant) => grant.userId === userId && grant.groupId === group.id)
        const access = keepsHigher ? highest(mapped, own?.access) : mapped
        await groups.grants.set(group, { userId, source: sourceOf(insightId), access }, executor)
      }
      const after = await groups.grants.effective(group.id, userIds, executor)
      for (const userId of userIds) {
        const access = after.get(userId)
        if (access === undefined || access === before.get(userId)) continue
        const kind = before.has(userId) ? 'updatedGroupsEntitlements' : 'createdGroupsEntitlements'
        outcome[kind].push({
          groupName: group.name,
          email: emailOf.get(userId)!,
          access: modeOf(access),
        })
      }
    }
    const named = new Set(mapping.map(({ groupName }) => groupName))
    const unused = given.filter(({ groupName }) => !named.has(groupName))
    outcome.removedNotUsedGroupsEntitlements.push(...(await takeBack(unused, executor)))
    return outcome
  }

  /** Removes grants of an insight; reports those whose users have no access by other grants. */
  async function takeBack(grants: readonly ShareGrant[], executor: Executor): Promise<GroupEntitlement[]> {
    const removed: GroupEntitlement[] = []
    for (const { access, groupName, userName, ...grant } of grants) {
      await groups.grants.remove(grant, executor)
      const left = await groups.grants.effective(grant.groupId, [grant.userId], executor)
      if (!left.has(grant.userId)) removed.push({ groupName, email: userName, access })
    }
    return removed
  }

  /** Grants that came with the shares of an insight. */
  async function grantsOf(insightId: string, executor?: Executor): Promise<ShareGrant[]> {
    const grants = await groups.grants.from(sourceOf(insightId), executor)
    return grants.map((grant) => ({ ...grant, access: modeOf(grant.access) }))
  }

  async function usersOf(emails: readonly string[]): Promise<number[]> {
    const found = await Promise.all(emails.map(async (email) => ({ email, user: await findUser(email) })))
    const listed = (isMeant: (status: string | undefined) => boolean) =>
      found.filter(({ user }) => isMeant(user?.status)).map(({ email }) => email)
    const pending = listed((status) => status === 'PENDING')
    if (pending.length > 0) throw publishingErrors.usersNotActivated({ emails: pending.join(', ') })
    const unknown = listed((status) => status !== 'ACTIVE')
    if (unknown.length > 0) throw publishingErrors.usersNotFound({ emails: unknown.join(', ') })
    return [...new Set(found.map(({ user }) => user!.userId))]
  }

  return {
    async share(
      principal: Principal,
      { groupName, insightName, shares }: Named & { shares: string[] },
    ): Promise<RoleAssignment> {
      if (!sharingEnabled) throw publishingErrors.sharingOff()
      const { group, stored } = await insightAccess.toShare(principal, { groupName, insightName })
      const userIds = await usersOf(shares)
      if (userIds.includes(principal.userId))
        throw invalidInput([{ field: 'shares', message: 'You have this insight already.' }])
      const mapping = await resolve(principal, await readMapping(principal, group, stored))
      const { id: insightId } = stored
      const outcome = await store.change(async (executor, there) => {
        // It may have been deleted while this waited.
        if (!(await insights.hold(insightId, executor)))
          throw insightErrors.insightNotFound({ name: insightName, group: group.name })
        const given = { userIds, sharedBy: principal.userId, now: clock.now() }
        await store.addShares(insightId, given, executor)
        // To share with one more person must not lower anybody else, least of all the caller.
        return assign(insightId, mapping, { executor, there, keepsHigher: true })
      }, idsOf(mapping))
      await noteShared(principal, stored.fid, true)
      return outcome
    },

    async unshare(
      principal: Principal,
      { groupName, insightName, emails }: Named & { emails: string[] },
    ): Promise<RoleAssignment> {
      const { stored } = await insightAccess.toShare(principal, { groupName, insightName })
      const { id: insightId } = stored
      const { removed, isShared } = await store.change(async (executor) => {
        const shares = await store.shares(insightId, executor)
        const leaving = shares.filter(({ userName }) => emails.includes(userName)).map(({ userId }) => userId)
        const grants = await grantsOf(insightId, executor)
        const theirs = grants.filter(({ userId }) => leaving.includes(userId))
        const gone = await takeBack(theirs, executor)
        await store.removeShares(insightId, leaving, executor)
        return { removed: gone, isShared: shares.length > leaving.length }
      })
      await noteShared(principal, stored.fid, isShared)
      return { ...noChange(), removedNotUsedGroupsEntitlements: removed }
    },

    async list(principal: Principal, { groupName, insightName }: Named): Promise<Page<InsightShare>> {
      const group = await groups.access.getGroup(principal, groupName, 'RW')
      const { id: insightId } = await insightFiles.find(group, insightName)
      const [shares, grants] = await Promise.all([store.shares(insightId), grantsOf(insightId)])
      const items = shares.map(({ userId, userName, sharedBy, sharedAt }) => ({
        email: userName,
        sharedBy,
        sharedOn: formatUtcSeconds(sharedAt),
        groups: grants
          .filter((grant) => grant.userId === userId)
          .map(({ groupName: name, access }) => ({ groupName: name, access })),
      }))
      return { from: 0, totalSize: items.length, items }
    },

    async assignRoles(
      principal: Principal,
      {
        groupName,
        insightName,
        groups: wanted,
      }: Named & { groups?: Record<string, ShareAccess> | undefined },
    ): Promise<RoleAssignment> {
      // What a save does by itself is for everybody who may save; saying who may do what is for who may share.
      const names = { groupName, insightName }
      const { group, stored } = await (wanted === undefined
        ? insightAccess.toEdit(principal, names)
        : insightAccess.toShare(principal, names))
      if (!stored.isShared) return noChange()
      const { id: insightId } = stored
      const mapping = await resolve(
        principal,
        wanted === undefined ? await readMapping(principal, group, stored) : new Map(Object.entries(wanted)),
      )
      return store.change(async (executor, there) => {
        // Grants of an insight that is being deleted would outlive it.
        const isThere = await insights.hold(insightId, executor)
        return isThere ? assign(insightId, mapping, { executor, there }) : noChange()
      }, idsOf(mapping))
    },
  }
}

function idsOf(mapping: readonly MappedGroup[]): number[] {
  return mapping.flatMap(({ group }) => (group === undefined ? [] : [group.id]))
}

function sourceOf(insightId: string): GrantSource {
  return { kind: 'insight', id: insightId }
}

function highest(access: ShareAccess, other: ShareAccess | undefined): ShareAccess {
  return other !== undefined && rank[other] > rank[access] ? other : access
}

function noChange(): RoleAssignment {
  return {
    createdGroupsEntitlements: [],
    updatedGroupsEntitlements: [],
    removedNotUsedGroupsEntitlements: [],
    groupsNotShared: [],
  }
}
