import { isUuid } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import { fileErrors } from '../contract/index.ts'
import type { FilesServiceDependencies } from './files-service.ts'

/** A transfer of files to another owner. */
export interface OwnershipTransfer {
  /** Ids of the files; ignored with `transferAll`. */
  fileIds: string[]
  /** User name of the owner. */
  currentOwnerUser: string
  /** User name of the new owner. */
  targetOwnerUser: string
  /** Whether all files of the owner in groups that the owner can read are transferred, including those in the trash. */
  transferAll: boolean
}

/**
 * Transfers files of one user to another and returns their number. Both must be able to read the groups of the files.
 * Otherwise a user could fill the storage of another user with files that were not shared with that user.
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
  const [readable, readableByRecipient] = await Promise.all([
    groups.scope(principal),
    recipient && groups.scope(recipient),
  ])
  if (fromOwnerId === undefined) throw fileErrors.notOwner()
  const fileIds = change.transferAll ? ('all' as const) : change.fileIds
  const noId = fileIds === 'all' ? undefined : fileIds.find((id) => !isUuid(id))
  if (noId !== undefined) throw fileErrors.fileNotFound({ fid: noId })
  // Only a caller with files to transfer may learn whether the user exists.
  const transferred = await store.transfer({
    fileIds,
    groupIds: readable.groupIds,
    fromOwnerId,
    toOwnerId: toOwnerId ?? fromOwnerId,
    admission: await limits.transferAdmission(fromOwnerId, toOwnerId ?? fromOwnerId),
    requireReadable(ofFiles) {
      // Without access to the group of a file, its owner must not learn the current name and the readers of the group.
      const hidden = ofFiles.find(({ id }) => !readable.has(id))
      if (hidden !== undefined) throw fileErrors.fileNotFound({ fid: hidden.fileId })
      if (toOwnerId === undefined || toOwnerId === fromOwnerId) return
      const missing = ofFiles.find(({ id }) => readableByRecipient?.has(id) !== true)
      if (missing !== undefined)
        throw fileErrors.recipientCannotRead({ userName: to, groupName: missing.name })
    },
  })
  if (transferred === undefined) throw fileErrors.notOwner()
  if (toOwnerId === undefined && transferred > 0)
    throw fileErrors.userNotFound({ userName: change.targetOwnerUser })
  return transferred
}
