import type { Kysely } from 'kysely'
import type { FileTables } from './file-rows.ts'
import { holdGroupOf, lockAdmission, type Admission } from './file-locks.ts'
import { readStoredBytes } from './stored-bytes.ts'

/** A stored part of a content that is being uploaded. */
export interface StoredPart {
  /** Position of the part, from 1. */
  number: number
  /** SHA-256, lower-case hexadecimal. */
  hash: string
  /** Size in bytes. */
  sizeBytes: number
}

/**
 * Records a part of an announced file, in place of the part with its number.
 * @returns the hashes of the replaced part, none or one; undefined if the file does not exist or does not wait for content
 * @throws what `admission` throws
 */
export function addPart(
  db: Kysely<FileTables>,
  fileId: string,
  { number, hash, sizeBytes }: StoredPart,
  admission: Admission | undefined,
): Promise<string[] | undefined> {
  return db.transaction().execute(async (tx) => {
    await holdGroupOf(tx, fileId)
    const file = await tx
      .selectFrom('files')
      .select('owner_id')
      .where('id', '=', fileId)
      .where('state', '=', 'awaiting')
      .forUpdate()
      .executeTakeFirst()
    if (file === undefined) return undefined
    await lockAdmission(tx, admission, file.owner_id)
    const replaced = await tx
      .deleteFrom('upload_parts')
      .where('file_id', '=', fileId)
      .where('number', '=', number)
      .returning('hash')
      .execute()
    admission?.require(await readStoredBytes(tx, file.owner_id, admission.scopes), sizeBytes)
    await tx
      .insertInto('upload_parts')
      .values({ file_id: fileId, number, owner_id: file.owner_id, hash, size_bytes: sizeBytes })
      .execute()
    return replaced.map((part) => part.hash)
  })
}

/** Returns the hashes of the parts of all contents that are being uploaded to a group. */
export async function listPartHashes(db: Kysely<FileTables>, groupId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('upload_parts')
    .innerJoin('files', 'files.id', 'upload_parts.file_id')
    .where('files.group_id', '=', groupId)
    .select('upload_parts.hash')
    .distinct()
    .execute()
  return rows.map(({ hash }) => hash)
}

/** Returns the parts of a content by number. */
export async function listParts(db: Kysely<FileTables>, fileId: string): Promise<StoredPart[]> {
  const rows = await db
    .selectFrom('upload_parts')
    .select(['number', 'hash', 'size_bytes'])
    .where('file_id', '=', fileId)
    .orderBy('number')
    .execute()
  return rows.map(({ number, hash, size_bytes: sizeBytes }) => ({ number, hash, sizeBytes }))
}
