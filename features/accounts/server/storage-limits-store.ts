import type { StorageLimits } from '@headwater/accounts/contract'
import type { Database } from '@headwater/server-kit'
import type { AccountTables } from './account-tables.ts'

/** Stores the limits of stored files. */
export interface StorageLimitsStore {
  /** Returns all limits. */
  read(): Promise<StorageLimits>
  /** Changes limits; absent ones keep their value. */
  update(change: Partial<StorageLimits>): Promise<void>
}

/** Creates the store of limits. */
export function createStorageLimitsStore({ database }: { database: Database }): StorageLimitsStore {
  const db = database.tables<AccountTables>()
  return {
    async read() {
      const row = await db.selectFrom('storage_limits').selectAll().executeTakeFirstOrThrow()
      return {
        bytesPerUser: row.bytes_per_user,
        bytesPerCompany: row.bytes_per_company,
        bytesInAll: row.bytes_in_all,
        reservedDiskBytes: row.reserved_disk_bytes,
      }
    },
    async update({ bytesPerUser, bytesPerCompany, bytesInAll, reservedDiskBytes }) {
      await db
        .updateTable('storage_limits')
        .set({
          // Kysely omits undefined values; an empty change must still name a column.
          only_row: true,
          bytes_per_user: bytesPerUser,
          bytes_per_company: bytesPerCompany,
          bytes_in_all: bytesInAll,
          reserved_disk_bytes: reservedDiskBytes,
        })
        .execute()
    },
  }
}
