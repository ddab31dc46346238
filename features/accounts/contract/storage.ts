import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

const limit = (of: string) =>
  z
    .int('Enter a whole number of bytes.')
    .min(0, 'Enter 0 (no limit) or more.')
    .max(1e15, 'The largest limit is 1,000,000 GB (1,000 TB).')
    .describe(`Bytes that ${of}. The default 0 means no limit.`)

/** Limits of stored files. Every version of every file counts with its own size. */
export const storageLimits = z.object({
  bytesPerUser: limit('one user can store'),
  bytesPerCompany: limit('all users of one company can store together'),
  bytesInAll: limit('all users can store together'),
  reservedDiskBytes: z
    .int('Enter a whole number of bytes.')
    .min(0, 'The smallest reserve is 0.')
    .max(1e15, 'The largest reserve is 1,000,000 GB (1,000 TB).')
    .describe(
      'Bytes of the disk that uploads leave free, default 1,000,000,000; 0 lets uploads use the whole disk.',
    ),
})
/** Limits of stored files, as a type. */
export type StorageLimits = z.infer<typeof storageLimits>

/** The limits, and how much of them is used. */
export const storageOverview = storageLimits.extend({
  storedBytes: z.int().describe('Bytes of all stored files.'),
  freeDiskBytes: z.int().describe('Bytes that are free on the disk of the files.'),
})
/** The limits, and how much of them is used, as a type. */
export type StorageOverview = z.infer<typeof storageOverview>

/** Storage used by one user. */
export const ownStorage = z.object({
  storedBytes: z.int().describe('Bytes of the files that the user owns, all versions counted.'),
  limitBytes: z.int().describe('Bytes that the user can store; 0 means no limit.'),
})

/** Route `GET /auth/storage`. */
export const getOwnStorage = defineRoute({
  name: 'getOwnStorage',
  method: 'GET',
  path: '/auth/storage',
  summary: 'How much the calling user has stored, and the limit.',
  permission: 'signed-in',
  output: ownStorage,
})

const administer = { resource: 'Administrator', mode: 'R' } as const

/** Route `GET /auth/storage/limits`. */
export const getStorageLimits = defineRoute({
  name: 'getStorageLimits',
  method: 'GET',
  path: '/auth/storage/limits',
  summary: 'The limits of stored files and how much is stored. For administrators.',
  permission: administer,
  output: storageOverview,
})

/** Route `PUT /auth/storage/limits`. */
export const updateStorageLimits = defineRoute({
  name: 'updateStorageLimits',
  method: 'PUT',
  path: '/auth/storage/limits',
  summary:
    'Changes the limits of stored files; omitted limits keep their value. Files that exceed a new limit stay, but nothing can be added. For administrators.',
  permission: administer,
  body: storageLimits.partial(),
  output: storageOverview,
})
