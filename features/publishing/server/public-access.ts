import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { AccessibleGroup, Groups } from '@headwater/groups/server'

/** Access to a group that the publisher and the author of an insight need, because publishing shares the group with everyone. */
export const publishingAccess = 'RWS'

type GroupAddress = { id: number } | { name: string }

/** Returns a group if the user can share it; undefined otherwise. */
export async function shareable(
  { access }: Pick<Groups, 'access'>,
  principal: Principal,
  by: GroupAddress,
): Promise<AccessibleGroup | undefined> {
  return unlessRefused(
    'id' in by
      ? access.getGroupById(principal, by.id, publishingAccess)
      : access.getGroup(principal, by.name, publishingAccess),
  )
}

/** Returns a group if all users can share it; undefined otherwise. */
export async function shareableByAll(
  groups: Pick<Groups, 'access'>,
  principals: readonly Principal[],
  by: GroupAddress,
): Promise<AccessibleGroup | undefined> {
  const granted = await Promise.all(principals.map((principal) => shareable(groups, principal, by)))
  return granted.includes(undefined) ? undefined : granted[0]
}
