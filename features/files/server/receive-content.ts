import { sql, type Kysely, type Transaction } from 'kysely'
import { executorOf, tablesOn, type Executor } from '@headwater/server-kit'
import { isSeriesFile } from '../contract/index.ts'
import {
  findFile,
  isReadyAt,
  toVersion,
  versionColumns,
  type AnnouncedFile,
  type FileLocation,
  type FileTables,
  type StoredFile,
} from './file-rows.ts'
import type { FileChanges } from './file-changes.ts'
import { holdGroupOf, holdGroups, lockAdmission, lockName, lockNames, type Admission } from './file-locks.ts'
import { repeatEarlierUpload } from './repeated-uploads.ts'
import { readStoredBytes } from './stored-bytes.ts'
import { publishRestored } from './trashed-files.ts'

/**
 * Result of sending content: `repeated` if an earlier attempt of the same step has uploaded it, `notAwaited` if the file does not wait
 * for content, `outdated` if a newer version exists, `notMovable` if one of the moves is not possible.
 */
export type ReceiveOutcome = 'received' | 'repeated' | 'notAwaited' | 'outdated' | 'notMovable'

/** A move of all versions of a file to another name, another group or both. Their ids and numbers stay the same. */
export interface FileMove {
  /** Current location. */
  from: FileLocation
  /** New location. */
  to: FileLocation
}

/** Dependencies of receiving content. */
interface Receiving {
  db: Kysely<FileTables>
  changes: FileChanges
}

/** Options for a file that receives its content. */
export interface Reception {
  /** Time of arrival. */
  now: Date
  /** Id of the version that must be the newest one; null: none must exist; undefined: any. */
  basedOn?: string | null | undefined
  /** Whether the file gets the current metadata of the version `basedOn`. Default false. */
  keepsMetadata?: boolean | undefined
  /** Files that are moved to other locations in the same transaction, before the content gets its version. */
  moves?: readonly FileMove[] | undefined
  /** Checks the limits of the owner. */
  admission?: Admission | undefined
  /** Adds the job that ingests a series file and returns its id. */
  enqueue?: ((transaction: Executor) => Promise<string>) | undefined
}

/** Result of ingesting a series file. */
export interface IngestResult {
  /** Final state of the file. */
  state: 'ready' | 'rejected' | 'duplicate'
  /** Message for users. */
  message: string
  /** First and last timestamp of its points, epoch milliseconds. */
  dataStart?: number | undefined
  /** Last timestamp of its points, epoch milliseconds. */
  dataEnd?: number | undefined
}

/**
 * Announces a file.
 * @param executor transaction of the caller
 * @returns false if its group no longer exists
 */
export async function announceFile(file: AnnouncedFile, now: Date, executor: Executor): Promise<boolean> {
  const tx = tablesOn<FileTables>(executor)
  if (!(await holdGroups(tx, [file.groupId]))) return false
  await tx
    .insertInto('files')
    .values({
      id: file.id,
      group_id: file.groupId,
      name: file.name,
      type: file.type,
      owner_id: file.ownerId,
      saved_by: file.ownerId,
      zipped: file.zipped,
      fields: JSON.stringify(file.fields),
      partial_update: file.partialUpdate,
      avoid_duplicates: file.avoidDuplicates,
      skip_metadata: file.skipMetadata,
      data_start: file.dataStart ?? null,
      data_end: file.dataEnd ?? null,
      job_id: file.jobId,
      run_id: file.run?.runId ?? null,
      step_id: file.run?.eId ?? null,
      step_attempt: file.run?.attempt ?? null,
      is_built_in_step: file.run?.isBuiltIn ?? false,
      announced_at: now,
    } as never)
    .execute()
  return true
}

/**
 * Gives an announced file its content. The file is ready immediately, or after the job that `enqueue` adds has ingested its
 * series. An upload that repeats one of an earlier attempt of its step becomes a repetition, regardless of the conditions.
 * Otherwise nothing happens unless `basedOn` is the newest version before the moves, no other version is being ingested, and
 * all moves are possible: their files exist and are not series files, and their targets are free.
 * @throws the errors of `admission`
 */
export function receiveContent(
  { db, changes }: Receiving,
  id: string,
  { hash, sizeBytes }: { hash: string; sizeBytes: number },
  { now, basedOn, keepsMetadata = false, moves = [], admission, enqueue }: Reception,
): Promise<ReceiveOutcome> {
  return db.transaction().execute(async (tx) => {
    await holdGroupOf(
      tx,
      id,
      moves.flatMap(({ from, to }) => [from.groupId, to.groupId]),
    )
    const row = await tx
      .selectFrom('files')
      .select(['group_id', 'name', 'owner_id'])
      .where('id', '=', id)
      .where('state', '=', 'awaiting')
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return 'notAwaited'
    // The parts have the same bytes as the content, which would otherwise count twice.
    await tx.deleteFrom('upload_parts').where('file_id', '=', id).execute()
    await tx.deleteFrom('assembly_ranges').where('file_id', '=', id).execute()
    if (await repeatEarlierUpload(tx, id, hash)) return 'repeated'
    await lockAdmission(tx, admission, row.owner_id)
    admission?.require(await readStoredBytes(tx, row.owner_id, admission.scopes), sizeBytes)
    const location = { groupId: row.group_id, name: row.name }
    // Series files do not wait for other versions that may be in progress.
    if (basedOn !== undefined || moves.length > 0)
      await lockNames(tx, [location, ...moves.flatMap(({ from, to }) => [from, to])])
    const { from: before } = moves.find(({ to }) => isSameLocation(to, location)) ?? { from: location }
    if (basedOn !== undefined && !(await isNewest(tx, basedOn, before))) return 'outdated'
    for (const move of moves) if (!(await isMovable(tx, move))) return 'notMovable'
    if (keepsMetadata && typeof basedOn === 'string') await copyMetadata(tx, basedOn, id)
    for (const { from, to } of moves) {
      await tx
        .updateTable('files')
        .set({ group_id: to.groupId, name: to.name })
        .where(isReadyAt(from))
        .execute()
      await changes.moved.emit(from, to, executorOf(tx))
    }
    await tx
      .updateTable('files')
      .set({ hash, size_bytes: sizeBytes, holds_content: true, state: 'ingesting' })
      .where('id', '=', id)
      .execute()
    if (enqueue === undefined) await publish(tx, { id, ...location }, now, changes)
    else
      await tx
        .updateTable('files')
        .set({ ingest_job_id: await enqueue(executorOf(tx)) })
        .where('id', '=', id)
        .execute()
    return 'received'
  })
}

async function copyMetadata(tx: Kysely<FileTables>, from: string, to: string): Promise<void> {
  const metadata = await tx
    .selectFrom('files')
    .select(['fields', 'data_start', 'data_end'])
    .where('id', '=', from)
    .forShare()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('files')
    .set({ ...metadata, fields: JSON.stringify(metadata.fields) as never })
    .where('id', '=', to)
    .execute()
}

/** Runs `work` in a transaction while the series of a file are being ingested; otherwise does nothing. */
export function whileIngesting(
  { db }: Pick<Receiving, 'db'>,
  id: string,
  work: (executor: Executor) => Promise<void>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await holdGroupOf(tx, id)
    const row = await tx
      .selectFrom('files')
      .select('id')
      .where('id', '=', id)
      .where('state', '=', 'ingesting')
      .forUpdate()
      .executeTakeFirst()
    if (row !== undefined) await work(executorOf(tx))
  })
}

/**
 * Stores the result of the ingest of a series file.
 * @param executor transaction of the caller, default a new one
 * @returns the file afterwards; undefined if it does not exist or is in the trash, where a restored file stays if it is refused
 */
export function storeIngestResult(
  { db, changes }: Receiving,
  id: string,
  outcome: IngestResult,
  now: Date,
  executor?: Executor,
): Promise<StoredFile | undefined> {
  const target = executor === undefined ? db : tablesOn<FileTables>(executor)
  return target.transaction().execute(async (tx) => {
    await holdGroupOf(tx, id)
    const row = await tx
      .selectFrom('files')
      .select(['group_id', 'name', 'deleted_at'])
      .where('id', '=', id)
      .where('state', '=', 'ingesting')
      .forUpdate()
      .executeTakeFirst()
    if (row !== undefined) {
      const isRestored = row.deleted_at !== null
      const refused =
        outcome.state === 'ready'
          ? {}
          : isRestored
            ? { state: 'deleted' as const }
            : { state: outcome.state, holds_content: false }
      await tx
        .updateTable('files')
        .set({ message: outcome.message, ...refused })
        .where('id', '=', id)
        .execute()
      if (outcome.state === 'ready')
        await (isRestored
          ? publishRestored(tx, { id, groupId: row.group_id, name: row.name }, changes)
          : publish(tx, { id, groupId: row.group_id, name: row.name }, now, changes))
    }
    return findFile(tx, id)
  })
}

/** Makes a file visible as the newest version of its name. */
async function publish(
  tx: Transaction<FileTables>,
  { id, groupId, name }: { id: string; groupId: number; name: string },
  now: Date,
  changes: FileChanges,
): Promise<void> {
  await lockName(tx, groupId, name)
  await tx
    .updateTable('files')
    .set({ latest: false })
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .where('latest', '=', true)
    .execute()
  const arrived = await tx
    .updateTable('files')
    .set({
      state: 'ready',
      latest: true,
      arrived_at: now,
      arrival: sql<number>`nextval('file_arrivals')`,
      version: sql<number>`1 + coalesce((
        select max(other.version) from files other
        where other.group_id = ${groupId} and other.name = ${name} and other.state = 'ready'), 0)`,
    })
    .where('id', '=', id)
    .returning(versionColumns)
    .executeTakeFirstOrThrow()
  await changes.arrived.emit(toVersion(arrived), executorOf(tx))
}

/**
 * Returns whether a version is the newest one of its name and no version is being ingested. Null: whether no version exists.
 */
async function isNewest(
  tx: Kysely<FileTables>,
  id: string | null,
  { groupId, name }: FileLocation,
): Promise<boolean> {
  const newest = await tx
    .selectFrom('files')
    .select('id')
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .where((is) => is.or([is('latest', '=', true), is('state', '=', 'ingesting')]))
    .execute()
  return id === null ? newest.length === 0 : newest.length === 1 && newest[0]!.id === id
}

/** Returns whether a file exists and can be moved: it is not a series file, and the target is free. */
async function isMovable(tx: Kysely<FileTables>, { from, to }: FileMove): Promise<boolean> {
  const typesAt = (location: FileLocation) =>
    tx.selectFrom('files').select('type').distinct().where(isReadyAt(location)).execute()
  const types = await typesAt(from)
  if (types.length === 0 || types.some(({ type }) => isSeriesFile(type))) return false
  return (await typesAt(to)).length === 0
}

function isSameLocation(one: FileLocation, other: FileLocation): boolean {
  return one.groupId === other.groupId && one.name === other.name
}
