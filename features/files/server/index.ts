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
} from '@headwater/server-kit'
import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { Statuses } from '@headwater/statuses/server'
import { createFileLinks } from './file-links.ts'
import { registerFilesRoutes } from './files-routes.ts'
import { createFilesService, type FilesService } from './files-service.ts'
import { createFilesStore } from './files-store.ts'
import type { FileChanges } from './file-changes.ts'
import { createUploadLimits } from './upload-limits.ts'
import { createUploadsService, type UploadsService } from './uploads-service.ts'

export type { FileVersion } from './file-rows.ts'
export type { FileEvents } from './file-changes.ts'
export type { FileMove } from './receive-content.ts'
export { ingestJobKind, seriesSerialKey } from './ingest-files.ts'
export type { EarlyReader, IngestFile, IngestOutcome, IngestPayload, IngestProgress } from './ingest-files.ts'

/** Folder of the SQL migrations of this room. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** What the files room is made of. */
export interface FilesDependencies {
  database: Database
  clock: Clock
  log: Log
  contents: ContentStore
  /** The limits of stored files in force. */
  storageLimits: () => Promise<StorageLimits>
  jobs: JobQueue
  groups: GroupAccess
  statuses: Statuses
  /** Id of a user by e-mail address; undefined when there is none. */
  findUserId: (userName: string) => Promise<number | undefined>
  /** The principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Whether the code of a run still goes on; permits that were given to it end with it. */
  isRunning: (runId: string) => boolean
  /** Secret of the installation; permits in addresses are signed with a key derived from it. */
  signingSecret: string
  /** Address under which users reach the server; default the Host header of each request. */
  publicUrl?: string | undefined
  /** How long the answer to a series file waits for its series, default 20 s. */
  ingestWaitMs?: number
}

/** What other rooms may ask of files. */
export interface Files
  extends
    Pick<
      UploadsService,
      | 'create'
      | 'putContent'
      | 'abandon'
      | 'onArrival'
      | 'openIngest'
      | 'reportIngest'
      | 'finishIngest'
      | 'abandonGroup'
      | 'sweep'
      | 'resume'
    >,
    Pick<
      FilesService,
      'search' | 'get' | 'getReadable' | 'readContent' | 'countIn' | 'listVersions' | 'update' | 'remove'
    > {
  /** Events of changes of files. */
  changes: { [Name in keyof FileChanges]: Event<Parameters<FileChanges[Name]['emit']>> }
  /** Returns the bytes of the files of one user, or of all users; every version counts. */
  storedBytes(owner: number | 'everybody'): Promise<number>
  registerRoutes(router: Router): void
}

/** Makes the files room. */
export function createFiles(dependencies: FilesDependencies): Files {
  const {
    database,
    signingSecret,
    publicUrl,
    isRunning,
    ingestWaitMs = 20_000,
    findUserId,
    storageLimits,
    ...rest
  } = dependencies
  const changes: FileChanges = {
    arrived: createEvent(),
    moved: createEvent(),
    deleted: createEvent(),
    afterDeletion: createEvent(),
  }
  const store = createFilesStore(database, changes)
  const links = createFileLinks(signingSecret, isRunning)
  const limits = createUploadLimits({ store, contents: rest.contents, storageLimits })
  const files = createFilesService({ ...rest, store, limits, findUserId, changes })
  const uploads = createUploadsService({ ...rest, store, links, limits, ingestWaitMs })
  return {
    ...uploads,
    ...files,
    changes,
    async storedBytes(owner) {
      if (owner === 'everybody') return store.storedBytesInAll()
      return (await store.storedBytes(owner, ['ofUser'])).ofUser
    },
    registerRoutes: (router) =>
      registerFilesRoutes(router, { files, uploads, links, clock: rest.clock, publicUrl }),
  }
}
