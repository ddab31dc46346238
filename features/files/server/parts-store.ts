import { sql, type Kysely } from 'kysely'
import type { FileTables } from './file-rows.ts'
import { holdGroupOf, lockAdmission, type Admission } from './file-locks.ts'
import { readStoredBytes } from './stored-bytes.ts'

/** A stored part of content that is being uploaded. */
export interface StoredPart {
  /** Position of the part, from 1. */
  number: number
  /** SHA-256, lower-case hexadecimal. */
  hash: string
  /** Size in bytes. */
  sizeBytes: number
  /** First byte in the assembly of the upload; undefined if the part is separate content. */
  position?: number | undefined
}

/**
 * Records a part that is separate content. Replaces a part with the same number, unless it has the same bytes.
 * @returns the hash of the replaced content, if any, as a list; undefined if the file does not exist or does not wait for
 * content
 * @throws the errors of `admission`
 */
export function addPart(
  db: Kysely<FileTables>,
  fileId: string,
  part: StoredPart,
  admission: Admission | undefined,
): Promise<string[] | undefined> {
  return whileAwaited(db, fileId, async (tx, ownerId) => {
    const { rows } = await sql`select from upload_parts
      where file_id = ${fileId} and number = ${part.number} and hash = ${part.hash}`.execute(tx)
    if (rows.length > 0) return []
    await lockAdmission(tx, admission, ownerId)
    const replaced = await tx
      .deleteFrom('upload_parts')
      .where('file_id', '=', fileId)
      .where('number', '=', part.number)
      .returning(['hash', 'position'])
      .execute()
    admission?.require(await readStoredBytes(tx, ownerId, admission.scopes), part.sizeBytes)
    await insertPart(tx, fileId, ownerId, part)
    return replaced.filter(({ position }) => position === null).map(({ hash }) => hash)
  })
}

/**
 * Calls `decide` with the parts of a file while no other part is recorded or placed.
 * @returns undefined if the file does not exist or does not wait for content
 */
export function whilePartsRest<T>(
  db: Kysely<FileTables>,
  fileId: string,
  decide: (parts: StoredPart[]) => Promise<T>,
): Promise<T | undefined> {
  return whileAwaited(db, fileId, async (tx) => {
    // The transaction only holds locks, so its end need not wait for the disk.
    await sql`set local synchronous_commit to off`.execute(tx)
    return decide(await listParts(tx, fileId))
  })
}

/**
 * Reserves bytes in the assembly of an upload before they are written. They count towards the limits of the owner until the
 * upload ends, even if the part is not stored.
 * @param choosePosition returns the position of the bytes; undefined: nothing is reserved. Meanwhile no other part is recorded or placed.
 * @returns the result of `choosePosition`; undefined if the file does not exist or does not wait for content
 * @throws what `admission` throws
 */
export function reserveRange(
  db: Kysely<FileTables>,
  fileId: string,
  sizeBytes: number,
  choosePosition: (parts: StoredPart[]) => number | undefined,
  admission: Admission | undefined,
): Promise<{ position: number | undefined } | undefined> {
  return whileAwaited(db, fileId, async (tx, ownerId) => {
    // A later transaction records the part and waits for the disk, which includes this transaction.
    await sql`set local synchronous_commit to off`.execute(tx)
    const position = choosePosition(await listParts(tx, fileId))
    if (position === undefined) return { position }
    const earlier = await tx
      .selectFrom('assembly_ranges')
      .select('size_bytes')
      .where('file_id', '=', fileId)
      .where('position', '=', position)
      .executeTakeFirst()
    const reservedBytes = earlier?.size_bytes ?? 0
    if (reservedBytes >= sizeBytes) return { position }
    await lockAdmission(tx, admission, ownerId)
    admission?.require(await readStoredBytes(tx, ownerId, admission.scopes), sizeBytes - reservedBytes)
    // The triggers count inserted and deleted ranges.
    await tx
      .deleteFrom('assembly_ranges')
      .where('file_id', '=', fileId)
      .where('position', '=', position)
      .execute()
    await tx
      .insertInto('assembly_ranges')
      .values({ file_id: fileId, position, owner_id: ownerId, size_bytes: sizeBytes })
      .execute()
    return { position }
  })
}

/**
 * Records a part that has been written into its reserved range of the assembly.
 * @returns false if another part with its number has been recorded; undefined if the file does not exist or does not wait for content
 */
export function addAssembledPart(
  db: Kysely<FileTables>,
  fileId: string,
  part: StoredPart,
): Promise<boolean | undefined> {
  return whileAwaited(db, fileId, async (tx, ownerId) => {
    if ((await listParts(tx, fileId)).some(({ number }) => number === part.number)) return false
    await insertPart(tx, fileId, ownerId, part)
    return true
  })
}

/** Locks an announced file and calls `work` with its owner. Returns undefined if the file does not wait for content. */
function whileAwaited<T>(
  db: Kysely<FileTables>,
  fileId: string,
  work: (tx: Kysely<FileTables>, ownerId: number) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (tx) => {
    await holdGroupOf(tx, fileId)
    const file = await tx
      .selectFrom('files')
      .select('owner_id')
      .where('id', '=', fileId)
      .where('state', '=', 'awaiting')
      .forUpdate()
      .executeTakeFirst()
    return file && work(tx, file.owner_id)
  })
}

async function insertPart(
  tx: Kysely<FileTables>,
  fileId: string,
  ownerId: number,
  { number, hash, sizeBytes, position }: StoredPart,
): Promise<void> {
  await tx
    .insertInto('upload_parts')
    .values({
      file_id: fileId,
      number,
      owner_id: ownerId,
      hash,
      size_bytes: sizeBytes,
      position: position ?? null,
    })
    .execute()
}

/** Returns the hashes of the contents of all parts that are being uploaded to a group. */
export async function listPartHashes(db: Kysely<FileTables>, groupId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('upload_parts')
    .innerJoin('files', 'files.id', 'upload_parts.file_id')
    .where('files.group_id', '=', groupId)
    .where('upload_parts.position', 'is', null)
    .select('upload_parts.hash')
    .distinct()
    .execute()
  return rows.map(({ hash }) => hash)
}

/** Returns the parts of an upload by number. */
export async function listParts(db: Kysely<FileTables>, fileId: string): Promise<StoredPart[]> {
  const rows = await db
    .selectFrom('upload_parts')
    .select(['number', 'hash', 'size_bytes', 'position'])
    .where('file_id', '=', fileId)
    .orderBy('number')
    .execute()
  return rows.map(({ number, hash, size_bytes: sizeBytes, position }) => ({
    number,
    hash,
    sizeBytes,
    position: position ?? undefined,
  }))
}

/** Returns the hashes of parts that are separate content. */
export function contentsOf(parts: readonly StoredPart[]): string[] {
  return parts.filter(({ position }) => position === undefined).map(({ hash }) => hash)
}
