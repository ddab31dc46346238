import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { Logs } from '@headwater/logs/server'
import type { Clock, ContentStore, Log, Principal } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { FileLinks } from './file-links.ts'
import type { FilesStore } from './files-store.ts'
import type { StreamingReader, IngestFile } from './ingest-files.ts'
import type { PartMemory } from './part-memory.ts'
import type { PartPlacements } from './part-placements.ts'
import type { UploadLimits } from './upload-limits.ts'

/** Dependencies of uploads. */
export interface UploadDependencies {
  /** Stores files. */
  store: FilesStore
  /** Stores contents. */
  contents: ContentStore
  /** Signs and checks permits. */
  links: FileLinks
  /** Limits of stored files. */
  limits: UploadLimits
  /** Checks access to groups. */
  groups: GroupAccess
  /** Statuses of uploads. */
  statuses: Pick<Statuses, 'joinOrStartJob' | 'addComponent' | 'updateComponent' | 'groupNameOf'>
  /** Stores the results of ingests. */
  logs: Pick<Logs, 'open'>
  /** Queue of ingests and sweeps. */
  jobs: JobQueue
  /** Returns the principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Clock of arrivals and permits. */
  clock: Clock
  /** Log of uploads. */
  log: Log
  /** Time that the response to a series file waits for its ingestion, in ms. */
  ingestWaitMs: number
  /** Returns a reader for a series file that is about to be uploaded; undefined if only the ingest job reads it. */
  openStreamingReader: (file: IngestFile) => StreamingReader | undefined
  /** Memory for parts that have not been written. */
  partMemory: PartMemory
  /** Positions of parts that are being written. */
  placements: PartPlacements
}
