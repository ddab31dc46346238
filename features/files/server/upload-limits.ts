import type { StorageLimits } from '@headwater/accounts/contract'
import type { ContentStore } from '@headwater/server-kit'
import { fileErrors } from '../contract/index.ts'
import type { Admission } from './file-locks.ts'
import type { FilesStore } from './files-store.ts'
import type { StorageScope, StoredBytes } from './stored-bytes.ts'

/** Remaining capacity and its limit. */
interface Headroom {
  bytes: number
  scope: StorageScope
  limitBytes: number
  storedBytes: number
}

/** Checks of one upload, from its first byte to its commit. */
export interface UploadAllowance {
  /** Counts bytes that have arrived. Rejects if they exceed a limit or the disk space that must stay free. */
  take(sizeBytes: number): Promise<void>
  /** Check in the transaction that stores the file; undefined if no limit is set. */
  admission: Admission | undefined
}

/** Checks uploads against the limits of stored files. */
export interface UploadLimits {
  /**
   * Begins the checks of one upload. Rejects if the upload cannot fit.
   * @param announcedBytes announced size; undefined if unknown
   * @param countedBytes stored bytes of the owner that this upload replaces, default 0
   */
  begin(ownerId: number, announcedBytes: number | undefined, countedBytes?: number): Promise<UploadAllowance>
  /**
   * Returns the check in a transaction that transfers files to another owner; undefined if no limit applies. It checks
   * the user limit, and the company limit if the company changes.
   */
  transferAdmission(fromOwnerId: number, toOwnerId: number): Promise<Admission | undefined>
}

/** Interval between checks of free disk space, in received bytes. Other uploads can fill the disk at the same time. */
const diskCheckIntervalBytes = 16_000_000

/** Creates the check. */
export function createUploadLimits(deps: {
  store: Pick<FilesStore, 'storedBytes' | 'areOfOneCompany'>
  contents: Pick<ContentStore, 'freeBytes'>
  storageLimits: () => Promise<StorageLimits>
}): UploadLimits {
  const { store, contents, storageLimits } = deps

  async function requireDisk({ reservedDiskBytes }: StorageLimits, comingBytes: number): Promise<void> {
    if (reservedDiskBytes === 0) return
    if ((await contents.freeBytes()) - comingBytes < reservedDiskBytes)
      throw fileErrors.diskReserved({ reservedDiskBytes })
  }

  return {
    async begin(ownerId, announcedBytes, countedBytes = 0) {
      const limits = await storageLimits()
      const scopes = limitedScopes(limits)
      const headroom =
        scopes.length === 0
          ? undefined
          : headroomOf(limits, scopes, without(await store.storedBytes(ownerId, scopes), countedBytes))
      if (headroom !== undefined && (announcedBytes ?? 0) > headroom.bytes)
        throw limitReached(headroom, announcedBytes ?? 0)
      await requireDisk(limits, announcedBytes ?? 0)
      let received = 0
      let nextDiskCheck = diskCheckIntervalBytes
      return {
        async take(sizeBytes) {
          received += sizeBytes
          if (headroom !== undefined && received > headroom.bytes)
            throw limitReached(headroom, received, true)
          if (received < nextDiskCheck) return
          nextDiskCheck = received + diskCheckIntervalBytes
          await requireDisk(await storageLimits(), 0)
        },
        admission: admissionFor(limits, scopes, (atCommit, addedBytes) => {
          if (addedBytes > atCommit.bytes) throw limitReached(atCommit, addedBytes)
        }),
      }
    },

    async transferAdmission(fromOwnerId, toOwnerId) {
      const limits = await storageLimits()
      const isInside = limits.bytesPerCompany === 0 || (await store.areOfOneCompany(fromOwnerId, toOwnerId))
      const scopes = limitedScopes(limits).filter(
        (scope) => scope === 'ofUser' || (scope === 'ofCompany' && !isInside),
      )
      return admissionFor(limits, scopes, (headroom, addedBytes) => {
        if (addedBytes > 0 && addedBytes > headroom.bytes) throw fileErrors.recipientLimitReached()
      })
    },
  }
}

const limitOf = { ofUser: 'bytesPerUser', ofCompany: 'bytesPerCompany', inAll: 'bytesInAll' } as const

function limitedScopes(limits: StorageLimits): StorageScope[] {
  return (['ofUser', 'ofCompany', 'inAll'] as const).filter((scope) => limits[limitOf[scope]] > 0)
}

function admissionFor(
  limits: StorageLimits,
  scopes: readonly StorageScope[],
  requireFit: (headroom: Headroom, addedBytes: number) => void,
): Admission | undefined {
  if (scopes.length === 0) return undefined
  return {
    scopes,
    require: (stored, addedBytes) => requireFit(headroomOf(limits, scopes, stored), addedBytes),
  }
}

function without(stored: StoredBytes, bytes: number): StoredBytes {
  const { ofUser, ofCompany, inAll } = stored
  return { ofUser: ofUser - bytes, ofCompany: ofCompany - bytes, inAll: inAll - bytes }
}

function headroomOf(limits: StorageLimits, scopes: readonly StorageScope[], stored: StoredBytes): Headroom {
  return scopes
    .map((scope) => {
      const [limitBytes, storedBytes] = [limits[limitOf[scope]], stored[scope]]
      return { scope, limitBytes, storedBytes, bytes: limitBytes - storedBytes }
    })
    .reduce((least, headroom) => (headroom.bytes < least.bytes ? headroom : least))
}

function limitReached(
  { scope, limitBytes, storedBytes }: Headroom,
  addedBytes: number,
  isPart = false,
): Error {
  if (scope === 'ofUser')
    return fileErrors.storageLimitReached({ limitBytes, storedBytes, addedBytes, isPart })
  const whose = scope === 'ofCompany' ? 'your company' : 'this installation'
  return fileErrors.storageLimitReached({ whose })
}
