import { sharingErrors } from '@headwater/accounts/contract'
import { findRecipients } from '@headwater/accounts/server'
import { invalidInput, type Page } from '@headwater/contract'
import { formatUtcSeconds, type Clock, type Principal } from '@headwater/server-kit'
import type { GroupAccessMode } from '@headwater/groups/contract'
import { insightErrors } from '@headwater/insights/contract'
import type { InsightAccess, InsightItems, InsightNames } from '@headwater/insights/server'
import type { InsightShare, RoleAssignment } from '../contract/index.ts'
import {
  assignGrants,
  grantsOf,
  noChange,
  readMapping,
  resolveMapping,
  revokeGrants,
  type MappedGroup,
  type ShareGrantsDependencies,
} from './share-grants.ts'

/** Dependencies of the use cases of shares. */
export interface SharingServiceDependencies extends ShareGrantsDependencies {
  /** Checks access to insights. */
  insightAccess: InsightAccess
  /** Locks the item of an insight. */
  insights: Pick<InsightItems['insights'], 'hold'>
  /** Returns a user by e-mail address. */
  findUser: (email: string) => Promise<{ userId: number; status: string } | undefined>
  /** Whether sharing is switched on. */
  sharingEnabled: boolean
  /** Stores in the file of an insight whether it is shared. */
  noteShared: (principal: Principal, fid: string, shared: boolean) => Promise<void>
  /** Dates new shares. */
  clock: Clock
}

/** Use cases of shares. */
export type SharingService = ReturnType<typeof createSharingService>

/**
 * Creates the use cases of shares. Insights themselves have no grants. A share gives its users grants on the groups
 * whose data the insight contains, and revoking it removes only these grants.
 */
export function createSharingService(deps: SharingServiceDependencies) {
  return {
    share: (principal: Principal, request: InsightNames & { shares: string[] }): Promise<RoleAssignment> =>
      shareInsight(deps, principal, request),

    unshare: (principal: Principal, request: InsightNames & { emails: string[] }): Promise<RoleAssignment> =>
      unshareInsight(deps, principal, request),

    list: (principal: Principal, names: InsightNames): Promise<Page<InsightShare>> =>
      listShares(deps, principal, names),

    assignRoles: (
      principal: Principal,
      request: InsightNames & { groups?: Record<string, GroupAccessMode> | undefined },
    ): Promise<RoleAssignment> => assignRoles(deps, principal, request),
  }
}

/**
 * Shares an insight with users and grants them R on the groups that it shows.
 * @throws sharingOff, usersNotFound, usersNotActivated, insightNotFound
 */
async function shareInsight(
  deps: SharingServiceDependencies,
  principal: Principal,
  { groupName, insightName, shares }: InsightNames & { shares: string[] },
): Promise<RoleAssignment> {
  if (!deps.sharingEnabled) throw sharingErrors.sharingOff()
  const { group, stored } = await deps.insightAccess.toShare(principal, { groupName, insightName })
  const users = await findRecipients(deps.findUser, {
    emails: shares,
    field: 'shares',
    hint: 'For others, create a public link.',
  })
  const userIds = users.map(({ userId }) => userId)
  if (userIds.includes(principal.userId))
    throw invalidInput([{ field: 'shares', message: 'You already have access to this insight.' }])
  const mapping = await resolveMapping(deps, principal, await readMapping(deps, principal, group, stored))
  const { id: insightId } = stored
  const outcome = await deps.store.change(async (executor, existing) => {
    // Another request may have deleted it before the lock.
    if (!(await deps.insights.hold(insightId, executor)))
      throw insightErrors.insightNotFound({ name: insightName, group: group.name })
    const added = { userIds, sharedBy: principal.userId, now: deps.clock.now() }
    await deps.store.addShares(insightId, added, executor)
    // A share with another user must not lower the access of anyone, including the caller.
    return assignGrants(deps, insightId, mapping, { executor, existing, keepsHigher: true })
  }, idsOf(mapping))
  await deps.noteShared(principal, stored.fid, true)
  return outcome
}

async function unshareInsight(
  deps: SharingServiceDependencies,
  principal: Principal,
  { groupName, insightName, emails }: InsightNames & { emails: string[] },
): Promise<RoleAssignment> {
  const { stored } = await deps.insightAccess.toShare(principal, { groupName, insightName })
  const { id: insightId } = stored
  const { revoked, isShared } = await deps.store.change(async (executor) => {
    const shares = await deps.store.shares(insightId, executor)
    const leaving = shares.filter(({ userName }) => emails.includes(userName)).map(({ userId }) => userId)
    const grants = await grantsOf(deps, insightId, executor)
    const ofLeaving = grants.filter(({ userId }) => leaving.includes(userId))
    const entitlements = await revokeGrants(deps, ofLeaving, executor)
    await deps.store.removeShares(insightId, leaving, executor)
    return { revoked: entitlements, isShared: shares.length > leaving.length }
  })
  await deps.noteShared(principal, stored.fid, isShared)
  return { ...noChange(), removedNotUsedGroupsEntitlements: revoked }
}

async function listShares(
  deps: SharingServiceDependencies,
  principal: Principal,
  { groupName, insightName }: InsightNames,
): Promise<Page<InsightShare>> {
  const group = await deps.groups.access.getGroup(principal, groupName, 'RW')
  const { id: insightId } = await deps.insightFiles.find(group, insightName)
  const [shares, grants] = await Promise.all([deps.store.shares(insightId), grantsOf(deps, insightId)])
  const items = shares.map(({ userId, userName, sharedBy, sharedAt }) => ({
    email: userName,
    sharedBy,
    sharedOn: formatUtcSeconds(sharedAt),
    groups: grants
      .filter((grant) => grant.userId === userId)
      .map(({ groupName: name, access }) => ({ groupName: name, access })),
  }))
  return { from: 0, totalSize: items.length, items }
}

/** Sets the grants of the shares of an insight; by default R on the groups that it shows, as after each save. */
async function assignRoles(
  deps: SharingServiceDependencies,
  principal: Principal,
  { groupName, insightName, groups }: InsightNames & { groups?: Record<string, GroupAccessMode> | undefined },
): Promise<RoleAssignment> {
  // Every author can apply the default after a save. Choosing the access needs permission to share.
  const names = { groupName, insightName }
  const { group, stored } = await (groups === undefined
    ? deps.insightAccess.toEdit(principal, names)
    : deps.insightAccess.toShare(principal, names))
  if (!stored.isShared) return noChange()
  const { id: insightId } = stored
  const mapping = await resolveMapping(
    deps,
    principal,
    groups === undefined
      ? await readMapping(deps, principal, group, stored)
      : new Map(Object.entries(groups)),
  )
  return deps.store.change(async (executor, existing) => {
    // Otherwise grants of an insight that is being deleted would remain.
    const isLocked = await deps.insights.hold(insightId, executor)
    return isLocked ? assignGrants(deps, insightId, mapping, { executor, existing }) : noChange()
  }, idsOf(mapping))
}

function idsOf(mapping: readonly MappedGroup[]): number[] {
  return mapping.flatMap(({ group }) => (group === undefined ? [] : [group.id]))
}
