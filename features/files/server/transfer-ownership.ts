import { isUuid } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import { fileErrors } from '../contract/index.ts'
import type { FilesServiceDependencies } from './files-service.ts'

/** Files that get another owner. */
export interface OwnershipTransfer {
  /** Ids of the files; ignored with `transferAll`. */
  fileIds: string[]
  /** User name of the owner. */
  currentOwnerUser: string
  /** User name of the new owner. */
  targetOwnerUser: string
  /** Whether all files of the owner are transferred, including those in the trash, but not those of deleted groups. */
  transferAll: boolean
}

/**
 * Transfers files of one user to another, who must be able to read their groups, and returns their number. So a
 * user cannot fill the storage of any other user with files that nobody shared with that user.
 * @throws notOwner, fileNotFound, userNotFound, recipientCannotRead, recipientLimitReached
 */
export async function transferOwnership(
  {
    store,
    limits,
    groups,
    findUserId,
    findPrincipal,
  }: Pick<FilesServiceDependencies, 'store' | 'limits' | 'groups' | 'findUserId' | 'findPrincipal'>,
  principal: Principal,
  change: OwnershipTransfer,
): Promise<number> {
  const [from, to] = [change.currentOwnerUser, change.targetOwnerUser].map((name) =>
    name.trim().toLowerCase(),
  ) as [string, string]
  if (from !== principal.userName) throw fileErrors.notOwner()
  const [fromOwnerId, toUserId] = await Promise.all([findUserId(from), findUserId(to)])
  // A deactivated user cannot become an owner.
  const recipient = toUserId === undefined ? undefined : await findPrincipal(toUserId)
  const toOwnerId = recipient?.userId
  const readable = recipient && (await groups.scope(recipient))
  if (fromOwnerId === undefined) throw fileErrors.notOwner()
  const fileIds = change.transferAll ? ('all' as const) : change.fileIds
  const noId = fileIds === 'all' ? undefined : fileIds.find((id) => !isUuid(id))
  if (noId !== undefined) throw fileErrors.fileNotFound({ fid: noId })
  // Only a caller with files to transfer learns whether the user exists.
  const transferred = await store.transfer({
    fileIds,
    fromOwnerId,
    toOwnerId: toOwnerId ?? fromOwnerId,
    admission: await limits.transferAdmission(fromOwnerId, toOwnerId ?? fromOwnerId),
    requireReadable(owned) {
      const missing = owned.find(({ id }) => readable?.has(Number(id)) !== true)
      if (missing !== undefined)
        throw fileErrors.recipientCannotRead({ userName: to, groupName: missing.name })
    },
  })
  if (transferred === undefined) throw fileErrors.notOwner()
  if (toOwnerId === undefined && transferred > 0)
    throw fileErrors.userNotFound({ userName: change.targetOwnerUser })
  return transferred
}
