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
  /** Whether all files of the owner are transferred, including those in the trash. */
  transferAll: boolean
}

/**
 * Transfers files of one user to another and returns their number.
 * @throws notOwner, fileNotFound, userNotFound, recipientLimitReached
 */
export async function transferOwnership(
  { store, limits, findUserId }: Pick<FilesServiceDependencies, 'store' | 'limits' | 'findUserId'>,
  principal: Principal,
  change: OwnershipTransfer,
): Promise<number> {
  const [from, to] = [change.currentOwnerUser, change.targetOwnerUser].map((name) =>
    name.trim().toLowerCase(),
  ) as [string, string]
  if (from !== principal.userName) throw fileErrors.notOwner()
  const [fromOwnerId, toOwnerId] = await Promise.all([findUserId(from), findUserId(to)])
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
  })
  if (transferred === undefined) throw fileErrors.notOwner()
  if (toOwnerId === undefined && transferred > 0)
    throw fileErrors.userNotFound({ userName: change.targetOwnerUser })
  return transferred
}
