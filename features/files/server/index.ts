import { fileURLToPath } from 'node:url'
import type { StorageLimits } from '@headwater/accounts/contract'
import {
  createEvent,
  type Clock,
  type ContentStore,
  type Database,
  type Event,
  type Log,
  type Principal,
  type Router,
  type RunAttempt,
} from '@headwater/server-kit'
import type { GroupAccess, TrashBin } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { Logs } from '@headwater/logs/server'
import type { Statuses } from '@headwater/statuses/server'
import { createCsvMappingsService } from './csv-mappings-service.ts'
import { createCsvMappingsStore } from './csv-mappings-store.ts'
import { createFileLinks } from './file-links.ts'
import { registerFilesRoutes } from './files-routes.ts'
import { createFilesService, type FilesService } from './files-service.ts'
import { createFilesStore } from './files-store.ts'
import { createFilesTrash } from './files-trash.ts'
import type { FileChanges } from './file-changes.ts'
import { createUploadLimits } from './upload-limits.ts'
import { createUploadsService, type UploadsService } from './uploads-service.ts'

export type { FileVersion } from './file-rows.ts'
export type { FileEvents } from './file-changes.ts'
export type { FileMove } from './receive-content.ts'
export { ingestJobKind, seriesSerialKey } from './ingest-files.ts'
export type {
  StreamingReader,
  IngestFile,
  IngestOutcome,
  IngestPayload,
  IngestProgress,
} from './ingest-files.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the files feature. */
export interface FilesDependencies {
  /** PostgreSQL. */
  database: Database
  /** Clock of arrivals and permits. */
  clock: Clock
  /** Log of uploads. */
  log: Log
  /** Stores contents. */
  contents: ContentStore
  /** Returns the limits of stored files. */
  storageLimits: () => Promise<StorageLimits>
  /** Queue of ingests and sweeps. */
  jobs: JobQueue
  /** Checks access to groups. */
  groups: GroupAccess
  /** Statuses of uploads. */
  statuses: Statuses
  /** Logs of uploads. */
  logs: Pick<Logs, 'open'>
  /** Returns the id of a user by e-mail address. */
  findUserId: (userName: string) => Promise<number | undefined>
  /** Returns the principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Returns whether an attempt at a step of a run is running. Permits of its code end with it. */
  isAttemptRunning: (run: RunAttempt) => Promise<boolean>
  /** Secret of the installation; a key derived from it signs permits. */
  signingSecret: string
  /** URL of the server for users; default the Host header of each request. */
  publicUrl?: string | undefined
  /** Whether deleted files can be restored. Default true. */
  keepsDeleted?: boolean
  /** Time that the response to a series file waits for the ingest, in ms, default 20000. */
  ingestWaitMs?: number
}

/** The files feature. */
export interface Files
  extends
    Pick<
      UploadsService,
      | 'create'
      | 'putContent'
      | 'abandon'
      | 'setStreamingReader'
      | 'openIngest'
      | 'reportIngest'
      | 'finishIngest'
      | 'onGroupDeleted'
      | 'onGroupRestored'
      | 'sweep'
      | 'resume'
    >,
    Pick<
      FilesService,
      | 'search'
      | 'get'
      | 'getReadable'
      | 'contentOf'
      | 'versionIds'
      | 'readContent'
      | 'countIn'
      | 'idsWithin'
      | 'listVersions'
      | 'update'
      | 'remove'
    > {
  /** Deleted files. */
  trash: TrashBin
  /** Events of changes of files. */
  changes: { [Name in keyof FileChanges]: Event<Parameters<FileChanges[Name]['emit']>> }
  /** Returns the total size of the files of one user, or of all users, in bytes. Every version counts. */
  storedBytes(owner: number | 'everybody'): Promise<number>
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
}

/** Creates the files feature. */
export function createFiles(dependencies: FilesDependencies): Files {
  const {
    database,
    signingSecret,
    publicUrl,
    isAttemptRunning,
    ingestWaitMs = 20_000,
    findUserId,
    storageLimits,
    keepsDeleted = true,
    ...rest
  } = dependencies
  const changes: FileChanges = {
    arrived: createEvent(),
    moved: createEvent(),
    deleted: createEvent(),
    restored: createEvent(),
    purged: createEvent(),
    afterDeletion: createEvent(),
  }
  const store = createFilesStore(database, changes)
  const links = createFileLinks(signingSecret, isAttemptRunning)
  const limits = createUploadLimits({ store, contents: rest.contents, storageLimits })
  const files = createFilesService({ ...rest, store, limits, findUserId, keepsDeleted, changes })
  const mappings = createCsvMappingsService({ ...rest, store: createCsvMappingsStore(database) })
  const uploads = createUploadsService({ ...rest, store, links, limits, ingestWaitMs })
  return {
    ...uploads,
    ...files,
    trash: createFilesTrash({ store, groups: rest.groups, jobs: rest.jobs, ingestWaitMs }),
    changes,
    async storedBytes(owner) {
      if (owner === 'everybody') return store.storedBytesInAll()
      return (await store.storedBytes(owner, ['ofUser'])).ofUser
    },
    registerRoutes: (router) =>
      registerFilesRoutes(router, {
        files,
        uploads,
        mappings,
        links,
        findPrincipal: rest.findPrincipal,
        clock: rest.clock,
        publicUrl,
      }),
  }
}
