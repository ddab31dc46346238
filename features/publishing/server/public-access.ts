import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { AccessibleGroup, Groups } from '@headwater/groups/server'

/** Access to a group that the publisher and the author of an insight need: publishing is sharing with everybody. */
export const publishingAccess = 'RWS'

type GroupAddress = { id: number } | { name: string }

/** Returns a group that a user can share, undefined for any other. */
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

/** Returns a group that all of some users can share, undefined for any other. */
export async function shareableByAll(
  groups: Pick<Groups, 'access'>,
  principals: readonly Principal[],
  by: GroupAddress,
): Promise<AccessibleGroup | undefined> {
  const granted = await Promise.all(principals.map((principal) => shareable(groups, principal, by)))
  return granted.includes(undefined) ? undefined : granted[0]
}
