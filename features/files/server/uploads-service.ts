import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  ContentStoreError,
  unlessRefused,
  type Clock,
  type ContentStore,
  type Executor,
  type Log,
  type Principal,
} from '@headwater/server-kit'
import type { AppError } from '@headwater/contract'
import { groupErrors } from '@headwater/groups/contract'
import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { StatusWord } from '@headwater/statuses/contract'
import type { NewJob, Statuses } from '@headwater/statuses/server'
import {
  fileErrors,
  isSeriesFile,
  isZippedName,
  type ContentReceipt,
  type IngestState,
  type NewFile,
} from '../contract/index.ts'
import type { FileLinks } from './file-links.ts'
import type { FileMove, FilesStore, FileState, StoredFile } from './files-store.ts'
import { readUploadFields } from './upload-fields.ts'
import type { UploadAllowance, UploadLimits } from './upload-limits.ts'

/** Kind of the job that takes the series of a file over; its payload is an {@link IngestPayload}. */
export const ingestJobKind = 'ingest-ncsv'
const sweepJobKind = 'sweep-files'

/** What the job that takes series over is told. */
export interface IngestPayload {
  fileId: string
  groupId: number
}

/** Serial key of all jobs that change the series of a group: they run one after the other. */
export function seriesSerialKey(groupId: number): string {
  return `series ${groupId}`
}

/** How the taking over of series ended, as the room of the series tells it. */
export interface IngestOutcome {
  /** DUPLICATE: the file brought nothing new; it is not kept. REJECTED: it is not valid; nothing of it was kept. */
  state: 'READY' | 'REJECTED' | 'DUPLICATE'
  /** For people; for a rejected file row, column and what is wrong. */
  message: string
}

/** How far the taking over of series is. */
export interface IngestProgress {
  rows: number
  bytes: number
  sizeBytes: number
}

/** A file whose series are to be taken over. */
export interface IngestFile {
  fid: string
  /** Hash of the content that counts as that of the file; empty while it arrives. */
  hash: string
  groupId: number
  sizeBytes: number
  flags: { partialUpdate: boolean; avoidDuplicates: boolean; skipMetadata: boolean }
  /** The bytes; nothing is opened before they are asked for. */
  content: AsyncIterable<Uint8Array>
}

/**
 * Reads a series file while it arrives, so that its taking over has little left to do. That it was read says nothing yet: the file
 * may still turn out to be cut off, or another one than was announced.
 */
export interface EarlyReader {
  /** Takes the next bytes; settles when more may come. Never fails. */
  take(chunk: Uint8Array): Promise<void>
  /** All bytes have come, and are those that were announced; what was read is of content with this hash. */
  end(hash: string): void
  /** Forgets what was read, unless the taking over of the file has begun with it. */
  drop(): Promise<void>
}

export interface UploadsServiceDependencies {
  store: FilesStore
  contents: ContentStore
  links: FileLinks
  limits: UploadLimits
  groups: GroupAccess
  statuses: Pick<Statuses, 'joinOrStartJob' | 'addComponent' | 'updateComponent' | 'groupNameOf'>
  jobs: JobQueue
  /** The principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  clock: Clock
  log: Log
  /** How long the answer to a series file waits for its series to be taken over, in ms. */
  ingestWaitMs: number
}

export type UploadsService = ReturnType<typeof createUploadsService>

/** What takes no longer needs no word on the way. */
const slowMs = 300
/** Content that is received before anybody asks whether it may come. */
const littleBytes = 1024 * 1024
const uploadPermitMs = 24 * 3_600_000
const sweepEveryMs = 3_600_000
/** Content that no file holds is kept so long, in case an upload is just about to hold it. */
const releasedContentMs = 3_600_000

/** The rules of files on their way: announced, sent, taken over, refused. */
export function createUploadsService(dependencies: UploadsServiceDependencies) {
  const { store, contents, links, limits, groups, statuses, jobs, clock, log, ingestWaitMs } = dependencies
  const { findPrincipal } = dependencies
  let readEarly: (file: IngestFile) => EarlyReader | undefined = () => undefined

  /** @param keeper whose right to the group counts: that of the maker, unless the file is taken on behalf of somebody else */
  async function create(
    principal: Principal,
    file: NewFile,
    jobHeader: string | undefined,
    keeper: Principal = principal,
  ): Promise<{ fileId: string; jobId: string; token: string }> {
    const groupName = file.groupName?.trim() || (await statuses.groupNameOf(principal, jobHeader))
    if (groupName === undefined) throw fileErrors.groupNeeded()
    const group = await groups.getGroup(keeper, groupName, 'RW')
    const fields = readUploadFields(file.fields, group.fields)
    const fileId = randomUUID()
    const about = { fileId, fileName: file.fileName, fileType: file.fileType, groupName: group.name }
    const announced = {
      ...fields,
      id: fileId,
      groupId: group.id,
      name: file.fileName,
      type: file.fileType,
      ownerId: principal.userId,
      zipped: file.zipped ?? isZippedName(file.fileName),
    }
    const job: NewJob = {
      type: 'ETL',
      name: group.name,
      group,
      ownerId: principal.userId,
      payload: about,
      followsComponents: true,
      status: 'PENDING',
    }
    const component = {
      eId: fileId,
      component: 'ETL',
      status: 'PENDING',
      message: 'Waiting for the upload.',
      payload: about,
    } as const
    const jobId = await store.transaction(async (executor) => {
      const id = await statuses.joinOrStartJob(principal, jobHeader, job, executor)
      if (!(await store.announce({ ...announced, jobId: id }, clock.now(), executor)))
        throw groupErrors.groupNotFound({ name: group.name })
      await statuses.addComponent(id, component, executor)
      return id
    })
    const ends = new Date(clock.now().getTime() + uploadPermitMs)
    return { fileId, jobId, token: links.sign('upload', fileId, { ends, runId: principal.runId }) }
  }

  async function putContent(
    fileId: string,
    token: string,
    body: {
      stream: Readable
      announcedBytes: number | undefined
      announcedHash: string | undefined
      /** The version that must be the newest one when the content has come; null: there must be none. Default any. */
      basedOn?: string | null | undefined
      /** Files that get another name or group together with the content; the caller has checked write access to their groups. */
      moves?: readonly FileMove[] | undefined
      /** It comes from outside, perhaps long after the permit: whoever announced the file must still be allowed to write. Default false. */
      byLink?: boolean
    },
  ): Promise<ContentReceipt> {
    const begun = clock.now()
    const requirePermit = () => {
      if (!links.verify('upload', fileId, token, begun)) throw fileErrors.linkNotValid()
    }
    requirePermit()
    const file = await store.find(fileId)
    if (file === undefined) throw fileErrors.linkNotValid()
    const requireRight = async () => {
      if (body.byLink && !(await mayStillWrite(file))) throw fileErrors.linkNotValid()
    }
    // Whoever may not send it is told before much of it comes; of what is little the question after it is enough.
    const isLittle = file.state === 'awaiting' && (body.announcedBytes ?? Infinity) <= littleBytes
    if (!isLittle) await requireRight()
    if (file.state !== 'awaiting') return repeatedContent(file, await hashOf(body.stream))

    const allowance = await limits.begin(file.ownerId, body.announcedBytes)
    const reader = isSeriesFile(file.type) ? readEarly(ingestFileOf(file)) : undefined
    try {
      const content = await takeIn(body, {
        allowance,
        reader,
        // It may have been on its way for hours.
        async beforeKept() {
          await requireRight()
          requirePermit()
        },
      })
      const outcome = await store.receive(fileId, content, {
        now: clock.now(),
        basedOn: body.basedOn,
        moves: body.moves,
        admission: allowance.admission,
        enqueue: isSeriesFile(file.type) ? (transaction) => enqueueIngest(file, transaction) : undefined,
      })
      if (outcome === 'outdated') return await refuse(file, fileErrors.notNewestVersion())
      if (outcome === 'notMovable') return await refuse(file, fileErrors.notMovable())
      const received = await store.find(fileId)
      if (received === undefined) throw fileErrors.linkNotValid()
      if (outcome === 'notAwaited') return await repeatedContent(received, content.hash)
      return receiptOf(await toldWhenSlow(received))
    } finally {
      await reader?.drop()
    }
  }

  async function mayStillWrite({ ownerId, groupId }: StoredFile): Promise<boolean> {
    const owner = await findPrincipal(ownerId)
    const group = owner && (await unlessRefused(groups.getGroupById(owner, groupId, 'RW')))
    return group !== undefined
  }

  /** Nobody is to send the content again: it would be as old as now. */
  async function refuse(file: StoredFile, error: AppError): Promise<never> {
    await forget(file, error.message)
    throw error
  }

  async function forget(file: StoredFile, message: string): Promise<void> {
    await store.forget(file.id)
    await statuses.updateComponent(file.jobId, file.id, { status: 'ERROR', message })
  }

  function ingestFileOf(file: StoredFile): IngestFile {
    const { id: fid, hash = '', groupId, sizeBytes = 0, partialUpdate, avoidDuplicates, skipMetadata } = file
    const flags = { partialUpdate, avoidDuplicates, skipMetadata }
    return { fid, hash, groupId, sizeBytes, flags, content: lazily(() => contents.read(hash)) }
  }

  async function takeIn(
    body: { stream: Readable; announcedBytes: number | undefined; announcedHash: string | undefined },
    {
      allowance,
      reader,
      beforeKept,
    }: { allowance: UploadAllowance; reader: EarlyReader | undefined; beforeKept: () => Promise<void> },
  ) {
    try {
      return await contents.write(body.stream, {
        async also(chunk) {
          await allowance.take(chunk.length)
          await reader?.take(chunk)
        },
        expectedSize: body.announcedBytes,
        expectedHash: body.announcedHash,
        // Noted afterwards, the sweep could take away the very content that has just come.
        async beforeStore({ hash }) {
          reader?.end(hash)
          await Promise.all([beforeKept(), store.notePending(hash)])
        },
      })
    } catch (error) {
      if (!(error instanceof ContentStoreError)) throw error
      const { received } = error
      switch (error.code) {
        case 'storage-full':
          log.error({ error: error.message }, 'an upload found no room')
          throw fileErrors.storageFull()
        case 'size-mismatch':
          throw fileErrors.contentLengthWrong({
            announced: body.announcedBytes ?? 0,
            received: received.sizeBytes ?? 0,
          })
        case 'hash-mismatch':
          throw fileErrors.digestWrong({
            expected: body.announcedHash ?? '',
            received: received.hash ?? '',
          })
        default:
          throw fileErrors.contentCutOff()
      }
    }
  }

  /** The answer to content for a file that has some: the same again is fine, as after a lost answer. */
  async function repeatedContent(file: StoredFile, hash: string): Promise<ContentReceipt> {
    if (file.hash !== hash) throw fileErrors.contentThere()
    return receiptOf(await ingested(file))
  }

  function enqueueIngest(file: StoredFile, transaction: Parameters<JobQueue['enqueue']>[3]): Promise<string> {
    const payload: IngestPayload = { fileId: file.id, groupId: file.groupId }
    return jobs.enqueue(ingestJobKind, payload, { serialKey: seriesSerialKey(file.groupId) }, transaction)
  }

  /** Waits for the series of a file to be taken over, as long as a client may be kept waiting. */
  async function ingested(file: StoredFile): Promise<StoredFile> {
    if (file.state !== 'ingesting' || file.ingestJobId === undefined) return file
    await jobs.waitFor(file.ingestJobId, ingestWaitMs)
    return (await store.find(file.id)) ?? file
  }

  /** Waits as {@link ingested} does, and tells what has become of the file; that it is being worked on only when that takes some time. */
  async function toldWhenSlow(file: StoredFile): Promise<StoredFile> {
    if (file.state !== 'ingesting') {
      await tellStatus(file)
      return file
    }
    const ending = ingested(file)
    ending.catch(() => {})
    let timer: NodeJS.Timeout | undefined
    const slow = new Promise<'slow'>((resolve) => {
      timer = setTimeout(resolve, slowMs, 'slow')
    })
    const first = await Promise.race([ending, slow])
    clearTimeout(timer)
    if (first !== 'slow') return first
    await store.whileIngesting(file.id, (executor) => tellStatus(file, executor))
    return ending
  }

  /** Records how the taking over of a file ended; part of the caller's transaction when `executor` is given. */
  async function finishIngest(executor: Executor | undefined, fid: string, outcome: IngestOutcome) {
    const file = await store.finishIngest(
      fid,
      { state: ingestedStates[outcome.state], message: outcome.message },
      clock.now(),
      executor,
    )
    if (file !== undefined) await tellStatus(file, executor)
  }

  async function tellStatus(file: StoredFile, executor?: Executor): Promise<void> {
    // A client that waits for a file fails at once on WARN, and waits in vain on ERROR; where it asked to avoid
    // duplicates it would take WARN for a file that is there already.
    if (file.state === 'rejected' && !file.avoidDuplicates)
      await statuses.addComponent(
        file.jobId,
        {
          eId: `${file.id} content`,
          component: 'Content',
          status: 'WARN',
          message: 'The content is not a valid series file. Nothing was stored.',
          payload: aboutOf(file),
        },
        executor,
      )
    await statuses.updateComponent(file.jobId, file.id, statusOf(file), executor)
  }

  async function sweep(): Promise<void> {
    const now = clock.now().getTime()
    for (const file of await store.listUnfinished(new Date(now - uploadPermitMs - sweepEveryMs))) {
      if (file.state === 'awaiting') {
        await forget(file, 'The content was not uploaded within a day.')
      } else if (await isIngestOver(file)) {
        await finishIngest(undefined, file.id, {
          state: 'REJECTED',
          message: 'The file could not be ingested.',
        })
      }
    }
    await store.foldStoredBytes()
    await store.removeReleased(releasedContentMs, (hash) => contents.remove(hash))
  }

  async function isIngestOver(file: StoredFile): Promise<boolean> {
    const job = file.ingestJobId === undefined ? undefined : await jobs.find(file.ingestJobId)
    return job === undefined || job.state === 'done' || job.state === 'failed'
  }

  async function enqueueSweep(): Promise<void> {
    const runAfter = new Date(clock.now().getTime() + sweepEveryMs)
    await jobs.enqueue(sweepJobKind, {}, { uniqueKey: sweepJobKind, runAfter })
  }

  jobs.handle(sweepJobKind, {
    async run() {
      await sweep()
      await enqueueSweep()
    },
    giveUp: enqueueSweep,
  })

  return {
    create,
    putContent,
    sweep,

    /** Forgets a file that was announced and whose content will not come; one that has its content stays. */
    async abandon(fileId: string): Promise<void> {
      const file = await store.find(fileId)
      if (file?.state === 'awaiting') await forget(file, 'The content could not be stored.')
    },

    /** Tells that the files on their way into a group will not arrive, in the transaction that deletes the group. */
    async abandonGroup(groupId: number, executor: Executor): Promise<void> {
      const change = {
        status: 'ERROR',
        message: 'The group was deleted before the upload finished.',
      } as const
      for (const file of await store.lockUnfinished(groupId, executor))
        await statuses.updateComponent(file.jobId, file.id, change, executor)
    },

    /** Begins the hourly tidying up. */
    resume: enqueueSweep,

    /** Names who may read series files while they arrive; undefined as an answer leaves a file to its turn. */
    onArrival(read: (file: IngestFile) => EarlyReader | undefined): void {
      readEarly = read
    },

    /** The file of an ingest job; undefined when it has been taken over or deleted meanwhile. */
    async openIngest(fid: string): Promise<IngestFile | undefined> {
      const file = await store.find(fid)
      if (file?.state !== 'ingesting' || file.hash === undefined) return undefined
      return ingestFileOf(file)
    },

    /** Tells how far the taking over of a file is. */
    async reportIngest(fid: string, { rows, bytes, sizeBytes }: IngestProgress): Promise<void> {
      const file = await store.find(fid)
      if (file?.state !== 'ingesting') return
      const percent = sizeBytes === 0 ? 100 : Math.floor((100 * bytes) / sizeBytes)
      const message = `${rows} rows of the file have been read, ${percent} %.`
      await statuses.updateComponent(file.jobId, fid, { status: 'RUNNING', message })
    },

    /** Records how the taking over ended, as part of a transaction. Repeating it changes nothing. */
    finishIngest: (executor: Executor, fid: string, outcome: IngestOutcome): Promise<void> =>
      finishIngest(executor, fid, outcome),
  }
}

const ingestedStates = { READY: 'ready', REJECTED: 'rejected', DUPLICATE: 'duplicate' } as const

function aboutOf(file: StoredFile) {
  return { fileId: file.id, fileName: file.name, fileType: file.type, groupName: file.groupName }
}

const receiptStates: Record<FileState, IngestState> = {
  awaiting: 'PROCESSING',
  ingesting: 'PROCESSING',
  ready: 'READY',
  rejected: 'REJECTED',
  duplicate: 'DUPLICATE',
}

function receiptOf(file: StoredFile): ContentReceipt {
  return {
    fileId: file.id,
    size: file.sizeBytes ?? 0,
    sha256: file.hash ?? '',
    status: receiptStates[file.state],
    message: file.message,
    jobId: file.jobId,
  }
}

function statusOf(file: StoredFile): { status: StatusWord; message: string } {
  switch (file.state) {
    case 'ready':
      return { status: 'INFO', message: file.message || 'Uploaded' }
    case 'rejected':
      return { status: 'ERROR', message: file.message }
    case 'duplicate':
      return { status: 'WARN', message: file.message || 'The file contains no new data and was not stored.' }
    default:
      return { status: 'RUNNING', message: 'Uploaded. Its series are being ingested.' }
  }
}

async function* lazily(open: () => Promise<AsyncIterable<Uint8Array>>): AsyncGenerator<Uint8Array> {
  yield* await open()
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(stream, hash)
  } catch {
    throw fileErrors.contentCutOff()
  }
  return hash.digest('hex')
}
