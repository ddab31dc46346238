import { z } from 'zod'

/** Keys by which deleted objects can be sorted. */
export const deletedSortKeys = ['name', 'groupName', 'deletedAt', 'sizeBytes'] as const
/** A key by which deleted objects can be sorted. */
export type DeletedSortKey = (typeof deletedSortKeys)[number]

/** A deleted object that can be restored. */
export const deletedObject = z.object({
  id: z.string().describe('Id of the deleted object.'),
  name: z.string().describe('Name at the time of deletion; for a symbol, its keys and values.'),
  keys: z
    .record(z.string(), z.string())
    .nullable()
    .describe('Keys and values of a symbol; null for other objects.'),
  groupName: z.string().describe('Name of its group; for a group, its own name.'),
  owner: z.string().nullable().describe('User name of the owner; null for a symbol.'),
  deletedBy: z
    .string()
    .nullable()
    .describe('User name of the user who deleted it; null if the user is gone.'),
  deletedAt: z.string().describe('Time of deletion, ISO 8601 in UTC without a zone.'),
  sizeBytes: z.int().min(0).nullable().describe('Stored bytes of its files; null for a symbol.'),
  content: z.string().describe('Description for users, such as “version 2” or “12 files”.'),
  file: z
    .object({
      version: z.int().min(1).describe('Number of the deleted version.'),
      isSeries: z.boolean().describe('Whether series were ingested from it.'),
    })
    .nullable()
    .describe('The version of a deleted file; null for other objects.'),
  isBeingRestored: z
    .boolean()
    .describe('Whether its series are being restored. Afterwards it disappears from the trash.'),
  message: z.string().describe('Reason why the last restoration failed; empty if none failed.'),
  canRestore: z.boolean().describe('Whether the caller can restore it and delete it permanently.'),
})
/** Type of a deleted object that can be restored. */
export type DeletedObject = z.infer<typeof deletedObject>

/** Result of restoring an object. */
export const restoredObject = z.object({
  id: z.string().describe('Id of the restored object, which is the same as before the deletion.'),
  name: z.string().describe('Its name.'),
  groupName: z.string().describe('Name of its group; for a group, its own name.'),
  isBeingRestored: z.boolean().describe('Whether its series are still being restored.'),
})
/** Result of restoring an object, as a type. */
export type RestoredObject = z.infer<typeof restoredObject>
