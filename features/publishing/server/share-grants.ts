import { unlessRefused, type Executor, type Principal } from '@headwater/server-kit'
import { joinAccess, type GroupAccessMode } from '@headwater/groups/contract'
import type { AccessibleGroup, Grant, Groups, InsightSource } from '@headwater/groups/server'
import { DefinitionError } from '@headwater/insights/contract'
import { visibleGroups } from '@headwater/insights/core'
import type { InsightFiles } from '@headwater/insights/server'
import type { GroupEntitlement, RoleAssignment } from '../contract/index.ts'
import type { SharingStore } from './sharing-store.ts'

/** Dependencies of the grants of shares. */
export interface ShareGrantsDependencies {
  /** Stored shares. */
  store: SharingStore
  /** Stored definitions of insights. */
  insightFiles: InsightFiles
  /** Checks access to groups and stores grants. */
  groups: Pick<Groups, 'access' | 'grants'>
}

/** A group of a mapping. */
export interface MappedGroup {
  /** Name of the group. */
  groupName: string
  /** Access that the shares grant. */
  access: GroupAccessMode
  /** The group; undefined if the caller cannot share it. */
  group: AccessibleGroup | undefined
}

/** A grant on a group whose source is a share. */
export type ShareGrant = Grant & { groupName: string; userName: string }

/** Returns the default mapping: R for the group of the insight and every group whose data it shows. */
export async function readMapping(
  { insightFiles }: ShareGrantsDependencies,
  principal: Principal,
  group: AccessibleGroup,
  file: { fid: string; sizeBytes: number },
): Promise<Map<string, GroupAccessMode>> {
  try {
    const content = await insightFiles.readContent(principal, file)
    return new Map([group.name, ...visibleGroups(content)].map((name) => [name, 'R']))
  } catch (error) {
    if (error instanceof DefinitionError) return new Map([[group.name, 'R']])
    throw error
  }
}

/** Looks up the groups of a mapping. Call it before the change of the shares, which can use only its own connection. */
export async function resolveMapping(
  { groups }: ShareGrantsDependencies,
  principal: Principal,
  mapping: ReadonlyMap<string, GroupAccessMode>,
): Promise<MappedGroup[]> {
  const mapped: MappedGroup[] = []
  for (const [groupName, access] of mapping)
    mapped.push({
      groupName,
      access,
      group: await unlessRefused(groups.access.getGroup(principal, groupName, joinAccess(access, 'RS'))),
    })
  return mapped
}

/**
 * Sets the grants of all shares of an insight to a mapping and revokes their other grants.
 * @param change.existing ids of the groups that still exist
 * @param change.keepsHigher whether users keep higher access of an earlier mapping; default false
 */
export async function assignGrants(
  deps: ShareGrantsDependencies,
  insightId: string,
  mapping: readonly MappedGroup[],
  change: { executor: Executor; existing: ReadonlySet<number>; keepsHigher?: boolean },
): Promise<RoleAssignment> {
  const { executor, existing, keepsHigher = false } = change
  const outcome = noChange()
  const shares = await deps.store.shares(insightId, executor)
  const granted = await grantsOf(deps, insightId, executor)
  for (const { groupName, access, group } of mapping) {
    if (group === undefined || !existing.has(group.id)) {
      if (shares.length > 0) outcome.groupsNotShared.push(groupName)
      continue
    }
    const users = shares.filter(({ userId }) => userId !== group.ownerId)
    const accessFor = (userId: number) => {
      const own = granted.find((grant) => grant.userId === userId && grant.groupId === group.id)
      return keepsHigher && own !== undefined ? joinAccess(access, own.access) : access
    }
    const { created, updated } = await assignGroup(deps, insightId, group, users, accessFor, executor)
    outcome.createdGroupsEntitlements.push(...created)
    outcome.updatedGroupsEntitlements.push(...updated)
  }
  const mappedNames = new Set(mapping.map(({ groupName }) => groupName))
  const unused = granted.filter(({ groupName }) => !mappedNames.has(groupName))
  outcome.removedNotUsedGroupsEntitlements.push(...(await revokeGrants(deps, unused, executor)))
  return outcome
}

/** Sets the grants of the shares on one group; returns those that changed the access of a user. */
async function assignGroup(
  { groups }: ShareGrantsDependencies,
  insightId: string,
  group: AccessibleGroup,
  users: readonly { userId: number; userName: string }[],
  accessFor: (userId: number) => GroupAccessMode,
  executor: Executor,
): Promise<{ created: GroupEntitlement[]; updated: GroupEntitlement[] }> {
  const userIds = users.map(({ userId }) => userId)
  const before = await groups.grants.effective(group.id, userIds, executor)
  const held = Map.groupBy(await groups.grants.on(group.id, userIds, executor), ({ userId }) => userId)
  for (const userId of userIds) {
    const grants = held.get(userId) ?? []
    // A share does not change access that a user has through grants of other kinds.
    if (grants.length > 0 && !grants.some(({ source: { kind } }) => kind === 'insight')) continue
    const grant = { userId, source: sourceOf(insightId), access: accessFor(userId) }
    await groups.grants.set(group, grant, executor)
  }
  const after = await groups.grants.effective(group.id, userIds, executor)
  const created: GroupEntitlement[] = []
  const updated: GroupEntitlement[] = []
  for (const { userId, userName } of users) {
    const access = after.get(userId)
    if (access === undefined || access === before.get(userId)) continue
    const entitlement = { groupName: group.name, email: userName, access }
    if (before.has(userId)) updated.push(entitlement)
    else created.push(entitlement)
  }
  return { created, updated }
}

/** Revokes grants of shares; returns those whose users have no other access to the group. */
export async function revokeGrants(
  { groups }: ShareGrantsDependencies,
  grants: readonly ShareGrant[],
  executor: Executor,
): Promise<GroupEntitlement[]> {
  const revoked: GroupEntitlement[] = []
  for (const { access, groupName, userName, ...grant } of grants) {
    await groups.grants.remove(grant, executor)
    const remaining = await groups.grants.effective(grant.groupId, [grant.userId], executor)
    if (!remaining.has(grant.userId)) revoked.push({ groupName, email: userName, access })
  }
  return revoked
}

/** Returns the grants of the shares of an insight. */
export async function grantsOf(
  { groups }: ShareGrantsDependencies,
  insightId: string,
  executor?: Executor,
): Promise<ShareGrant[]> {
  return groups.grants.from(sourceOf(insightId), executor)
}

/** Returns the result of an assignment without changes. */
export function noChange(): RoleAssignment {
  return {
    createdGroupsEntitlements: [],
    updatedGroupsEntitlements: [],
    removedNotUsedGroupsEntitlements: [],
    groupsNotShared: [],
  }
}

function sourceOf(insightId: string): InsightSource {
  return { kind: 'insight', id: insightId }
}
