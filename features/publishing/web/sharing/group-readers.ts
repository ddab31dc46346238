import type { GroupUser } from '@headwater/groups/contract'
import { countOf } from '@headwater/web-kit'

/**
 * Returns text about the users who can read all insights of a group, without those whose share is limited to dates.
 * @param users the users of the group with the source of their access
 * @param omitted names of users that do not count: the caller, and users that are listed
 * @returns undefined if there are none
 */
export function groupReadersText(
  groupName: string,
  users: readonly Pick<GroupUser, 'email' | 'dataStart' | 'dataEnd'>[],
  omitted: readonly string[],
): string | undefined {
  const readers = new Set(
    users.flatMap(({ email, dataStart, dataEnd }) => (dataStart === null && dataEnd === null ? [email] : [])),
  )
  for (const name of omitted) readers.delete(name)
  return readers.size === 0
    ? undefined
    : `${countOf(readers.size, 'other user')} can read this insight through the group ${groupName}.`
}
