import { sql, type ColumnType, type Kysely, type RawBuilder, type Selectable } from 'kysely'
import type { CsvMapping } from '@headwater/csv'
import { isUuid } from '@headwater/contract'
import type { RunAttempt } from '@headwater/server-kit'
import type { FieldMap } from '../contract/index.ts'

/**
 * State of a file: announced (`awaiting`), being ingested as series, ready, rejected or a duplicate; `repeated` for an
 * upload with an id that leads to another file; or deleted and in the trash.
 */
export type FileState = 'awaiting' | 'ingesting' | 'ready' | 'rejected' | 'duplicate' | 'repeated' | 'deleted'

/** Tables and views that the SQL of files uses. */
export interface FileTables {
  /** Versions of files and announced files. */
  files: {
    id: string
    group_id: number
    name: string
    type: string
    owner_id: number
    saved_by: number | null
    zipped: boolean
    fields: FieldMap
    /** Number of the version of `fields`, from 1. */
    fields_version: ColumnType<number, undefined, number>
    partial_update: boolean
    avoid_duplicates: boolean
    skip_metadata: boolean
    data_start: number | null
    data_end: number | null
    job_id: string
    run_id: string | null
    step_id: string | null
    step_attempt: number | null
    is_built_in_step: boolean
    repeats: string | null
    ingest_job_id: string | null
    state: FileState
    message: string
    hash: string | null
    size_bytes: number | null
    holds_content: boolean
    version: number | null
    latest: boolean
    arrival: number | null
    arrived_at: Date | null
    announced_at: Date
    deleted_at: Date | null
    deleted_by: number | null
    /**
     * Owner of the deleted group, if the content counts towards this user's limit; null: it counts towards the limit of the
     * file's owner.
     */
    counts_for_id: number | null
  }
  /** View of groups. */
  group_names: { id: number; name: string }
  /** View of accounts. */
  user_names: { id: number; user_name: string }
  /** Hashes of contents that files have released, for the sweep. */
  released_contents: { hash: string; released_at: Date; pending: number }
  /** Parts of contents that are being uploaded. */
  upload_parts: {
    file_id: string
    number: number
    owner_id: number
    hash: string
    size_bytes: number
    /** First byte in the assembly of the upload; null: the part is separate content. */
    position: number | null
  }
  /** Ranges of assemblies that can contain bytes. They count towards limits until their uploads end. */
  assembly_ranges: {
    file_id: string
    /** First byte. */
    position: number
    owner_id: number
    size_bytes: number
  }
  /** How the columns of CSV files become series. */
  csv_mappings: {
    group_id: number
    name: string
    mapping: ColumnType<CsvMapping, string, string>
    saved_at: Date
  }
  /** Stored bytes by owner. */
  stored_bytes: { owner_id: number; bytes: number }
}

/** A file as it is announced. */
export interface AnnouncedFile {
  /** Id of the file, a UUID. */
  id: string
  /** Id of the group. */
  groupId: number
  /** Name with extension. */
  name: string
  /** Type in upper case. */
  type: string
  /** Id of the owner. */
  ownerId: number
  /** Whether the content is compressed. */
  zipped: boolean
  /** Metadata. */
  fields: FieldMap
  /** Whether empty cells keep the stored values. */
  partialUpdate: boolean
  /** Whether stored rows are skipped, and a file with only stored rows is a duplicate. */
  avoidDuplicates: boolean
  /** Whether metadata columns are ignored. */
  skipMetadata: boolean
  /** First timestamp of the data, epoch milliseconds. */
  dataStart: number | undefined
  /** Last timestamp of the data, epoch milliseconds. */
  dataEnd: number | undefined
  /** Id of the job of the upload. */
  jobId: string
  /** The attempt at a step of a run that uploads it; undefined for other uploads. */
  run: RunAttempt | undefined
}

/** A file in any state. */
export interface StoredFile extends Omit<AnnouncedFile, 'run'> {
  /** Name of the group. */
  groupName: string
  /** User name of the owner. */
  ownerName: string
  /** State of the upload. */
  state: FileState
  /** Whether the file was deleted and its series are being restored. */
  isBeingRestored: boolean
  /** Reason of the rejection; empty otherwise. */
  message: string
  /** Id of the job that ingests the file. */
  ingestJobId: string | undefined
  /** SHA-256 of the content; null until it arrives. */
  hash: string | undefined
  /** Size of the content; null until it arrives. */
  sizeBytes: number | undefined
}

/** A file in the state `ready`. */
export interface ReadyFile extends StoredFile {
  /** SHA-256 of the content. */
  hash: string
  /** Size of the content. */
  sizeBytes: number
  /** Number of the version, from 1. */
  version: number
  /** Whether it is the newest version. */
  latest: boolean
  /** Time of arrival. */
  arrivedAt: Date
  /** Number of the version of its metadata, from 1. */
  fieldsVersion: number
}

/** A version of a file that has arrived or is deleted, for the features that follow it. */
export interface FileVersion {
  /** Id of the version, a UUID. */
  id: string
  /** Id of the group. */
  groupId: number
  /** Name with extension. */
  name: string
  /** Type in upper case. */
  type: string
  /** Number of the version, from 1. */
  version: number
  /** Id of the user who saved this version. */
  savedBy: number
  /** Time of arrival. */
  arrivedAt: Date
  /**
   * Id of the run that uploads it: from the token of its code or, without one, from the job of the upload, which need not be
   * a run.
   */
  runId: string
}

/** The location of a file. All of its versions have the same name and group. */
export interface FileLocation {
  /** Id of the group. */
  groupId: number
  /** Name with extension. */
  name: string
}

/** Selects files with the names of their groups and owners. */
export function selectFiles(on: Kysely<FileTables>) {
  return on
    .selectFrom('files')
    .innerJoin('group_names as groups', 'groups.id', 'files.group_id')
    .innerJoin('user_names as users', 'users.id', 'files.owner_id')
    .selectAll('files')
    .select(['groups.name as group_name', 'users.user_name as owner_name'])
}

/**
 * Returns a file in any state; for a repeated upload, the first file. Undefined if it does not exist or is in the trash.
 */
export async function findFile(on: Kysely<FileTables>, id: string): Promise<StoredFile | undefined> {
  if (!isUuid(id)) return undefined
  const row = await selectFiles(on).where(hasId(id)).where('files.state', '!=', 'deleted').executeTakeFirst()
  return row && toStoredFile(row)
}

/** Condition on `files`: the file with this id, or the file that the upload with this id repeats. */
export function hasId(id: string): RawBuilder<boolean> {
  return sql<boolean>`files.id = coalesce((select repeats from files where id = ${id}::uuid), ${id}::uuid)`
}

/** Condition on `files`: ready versions at a location. */
export function isReadyAt({ groupId, name }: FileLocation): RawBuilder<boolean> {
  return sql<boolean>`files.group_id = ${groupId} and files.name = ${name} and files.state = 'ready'`
}

/** Columns of a {@link FileVersion}. */
export const versionColumns = [
  'id',
  'group_id',
  'name',
  'type',
  'version',
  'owner_id',
  'saved_by',
  'arrived_at',
  'job_id',
  'run_id',
] as const

/** Converts the row of a ready file. */
export function toVersion(
  row: Pick<Selectable<FileTables['files']>, (typeof versionColumns)[number]>,
): FileVersion {
  return {
    id: row.id,
    groupId: row.group_id,
    name: row.name,
    type: row.type,
    version: row.version as number,
    savedBy: row.saved_by ?? row.owner_id,
    arrivedAt: row.arrived_at as Date,
    runId: row.run_id ?? row.job_id,
  }
}

type FileRow = Selectable<FileTables['files']> & { group_name: string; owner_name: string }

/** Converts the row of a file. */
export function toStoredFile(row: FileRow): StoredFile {
  return {
    id: row.id,
    groupId: row.group_id,
    groupName: row.group_name,
    name: row.name,
    type: row.type,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    zipped: row.zipped,
    fields: row.fields,
    partialUpdate: row.partial_update,
    avoidDuplicates: row.avoid_duplicates,
    skipMetadata: row.skip_metadata,
    dataStart: row.data_start ?? undefined,
    dataEnd: row.data_end ?? undefined,
    jobId: row.job_id,
    ingestJobId: row.ingest_job_id ?? undefined,
    state: row.state,
    isBeingRestored: row.deleted_at !== null,
    message: row.message,
    hash: row.hash ?? undefined,
    sizeBytes: row.size_bytes ?? undefined,
  }
}

/** Converts the row of a ready file. */
export function toReadyFile(row: FileRow): ReadyFile {
  return {
    ...toStoredFile(row),
    hash: row.hash as string,
    sizeBytes: row.size_bytes as number,
    version: row.version as number,
    latest: row.latest,
    arrivedAt: row.arrived_at as Date,
    fieldsVersion: row.fields_version,
  }
}
