import type { StorageLimits } from '@headwater/accounts/contract'
import type { ContentStore } from '@headwater/server-kit'
import { fileErrors } from '../contract/index.ts'
import type { Admission, FilesStore } from './files-store.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** How much more may arrive, and why no more. */
interface Room {
  bytes: number
  refuse: (addedBytes: number) => Error
}

/** What one upload is checked by, from its first byte to its commit. */
export interface UploadAllowance {
  /** Counts bytes that have arrived. Rejects when they exceed a limit or reach the reserve of the disk. */
  take(sizeBytes: number): Promise<void>
  /** The check in the transaction that stores the file; undefined when no limit is set. */
  admission: Admission | undefined
}

/** Checks uploads against the limits of stored files. */
export interface UploadLimits {
  /**
   * Begins the check of one upload. Rejects when it cannot fit.
   * @param announcedBytes how much will arrive; undefined when the sender does not say
   */
  begin(ownerId: number, announcedBytes: number | undefined): Promise<UploadAllowance>
  /** The check in a transaction that gives files to another owner; undefined when no limit is set for users. */
  transferAdmission(): Promise<Admission | undefined>
}

/** The disk is looked at again whenever so much has arrived: other uploads fill it at the same time. */
const bytesBetweenLooks = 16_000_000

/** Creates the check. */
export function createUploadLimits(deps: {
  store: Pick<FilesStore, 'storedBytes'>
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
    async begin(ownerId, announcedBytes) {
      const limits = await storageLimits()
      const isLimited = limits.bytesPerUser + limits.bytesPerCompany + limits.bytesInAll > 0
      const room = isLimited ? roomOf(limits, await store.storedBytes(ownerId)) : undefined
      if (room !== undefined && (announcedBytes ?? 0) > room.bytes) throw room.refuse(announcedBytes ?? 0)
      await requireDisk(limits, announcedBytes ?? 0)
      let received = 0
      let nextLook = bytesBetweenLooks
      return {
        async take(sizeBytes) {
          received += sizeBytes
          if (room !== undefined && received > room.bytes) throw room.refuse(received)
          if (received < nextLook) return
          nextLook = received + bytesBetweenLooks
          await requireDisk(await storageLimits(), 0)
        },
        admission: isLimited ? admissionFor(limits) : undefined,
      }
    },

    async transferAdmission() {
      const { bytesPerUser } = await storageLimits()
      const ofUser = { bytesPerUser, bytesPerCompany: 0, bytesInAll: 0, reservedDiskBytes: 0 }
      return bytesPerUser === 0 ? undefined : admissionFor(ofUser)
    },
  }
}

function admissionFor(limits: StorageLimits): Admission {
  return {
    scope: limits.bytesPerCompany + limits.bytesInAll > 0 ? 'everybody' : 'owner',
    require(stored, addedBytes) {
      const room = roomOf(limits, stored)
      if (addedBytes > room.bytes) throw room.refuse(addedBytes)
    },
  }
}

function roomOf(limits: StorageLimits, stored: StoredBytes): Room {
  const rooms = [
    roomBelow(limits.bytesPerUser, stored.ofUser, 'its owner'),
    roomBelow(limits.bytesPerCompany, stored.ofCompany, 'the company of its owner'),
    roomBelow(limits.bytesInAll, stored.inAll, 'this installation'),
  ]
  return rooms.reduce((least, room) => (room.bytes < least.bytes ? room : least))
}

function roomBelow(limitBytes: number, storedBytes: number, whose: string): Room {
  return {
    bytes: limitBytes === 0 ? Infinity : limitBytes - storedBytes,
    refuse: (addedBytes) => fileErrors.storageLimitReached({ whose, limitBytes, storedBytes, addedBytes }),
  }
}
