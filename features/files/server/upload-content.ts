import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AppError } from '@headwater/contract'
import {
  ContentStoreError,
  unlessRefused,
  type StoredContent,
  type WriteOptions,
} from '@headwater/server-kit'
import { fileErrors, isSeriesFile, type ContentReceipt } from '../contract/index.ts'
import type { StoredFile } from './file-rows.ts'
import { enqueueIngest, ingested, ingestFileOf, type StreamingReader } from './ingest-files.ts'
import { contentsOf, type StoredPart } from './parts-store.ts'
import type { FileMove, ReceiveOutcome, Reception } from './receive-content.ts'
import type { UploadDependencies } from './upload-dependencies.ts'
import type { UploadAllowance } from './upload-limits.ts'
import { forgetFile, receiptOf, reportAs } from './upload-status.ts'

/** Time after which the status shows that a file is being ingested, in ms. */
const slowMs = 300
/** Maximum size of content that is received before the permission to send it is checked, in bytes. */
const littleBytes = 1024 * 1024

/**
 * Receives the content of an announced file.
 * @throws linkNotValid, contentThere, contentLengthWrong, digestWrong, contentCutOff, notNewestVersion, fileNameTaken, notMovable, textTooLarge, and errors of limits
 */
export async function uploadContent(
  deps: UploadDependencies,
  fileId: string,
  token: string,
  body: {
    stream: Readable
    /** Stores the content. Default: stores `stream`. */
    write?: ((options: WriteOptions) => Promise<StoredContent>) | undefined
    announcedBytes: number | undefined
    announcedHash: string | undefined
    /**
     * Whether only the store uses the chunks of the stream, so that their memory can be freed after they are written.
     * Default false.
     */
    ownsChunks?: boolean | undefined
    /**
     * Id of the version that must be the newest one after the content has arrived; null: no version must exist. Default: any
     * version.
     */
    basedOn?: string | null | undefined
    /** Whether the file gets the metadata of the version `basedOn` as it is after the transfer. Default false. */
    keepsMetadata?: boolean | undefined
    /** Maximum size of text; default: the maximum of any file. */
    maxTextBytes?: number
    /** Files that are moved together with the content. The caller has checked write access to their groups. */
    moves?: readonly FileMove[] | undefined
    /**
     * Whether the content arrives through a link, possibly long after the permit was issued. The owner must then still have
     * write access. Default false.
     */
    byLink?: boolean
  },
): Promise<ContentReceipt> {
  const begun = deps.clock.now()
  const requirePermit = async () => {
    const permit = await deps.links.verify('upload', fileId, token, begun)
    if (permit === undefined) throw fileErrors.linkNotValid()
  }
  await requirePermit()
  requireTextSize(body.announcedBytes, body.maxTextBytes)
  const file = await deps.store.find(fileId)
  if (file === undefined) throw fileErrors.linkNotValid()
  const requireRight = async () => {
    if (body.byLink && !(await isStillWritable(deps, file))) throw fileErrors.linkNotValid()
  }
  // Users without access are rejected before much content arrives. For little content, the check afterwards is sufficient.
  const isLittle = file.state === 'awaiting' && (body.announcedBytes ?? Infinity) <= littleBytes
  if (!isLittle) await requireRight()
  if (file.state !== 'awaiting') return repeatedContent(deps, file, await hashOf(body.stream))

  // The content replaces the parts.
  const parts = await deps.store.listParts(fileId)
  const allowance = await deps.limits.begin(file.ownerId, body.announcedBytes, sizeOf(parts))
  const reader = isSeriesFile(file.type) ? deps.openStreamingReader(ingestFileOf(deps, file)) : undefined
  try {
    const content = await takeIn(deps, body, {
      allowance,
      reader,
      // The upload may have taken hours.
      async beforeStored() {
        await requireRight()
        await requirePermit()
      },
    })
    const outcome = await received(deps, file.id, content, parts, {
      now: deps.clock.now(),
      basedOn: body.basedOn,
      keepsMetadata: body.keepsMetadata,
      moves: body.moves,
      admission: allowance.admission,
      enqueue: isSeriesFile(file.type) ? (transaction) => enqueueIngest(deps, file, transaction) : undefined,
    })
    if (outcome === 'outdated')
      return await refuse(
        deps,
        file,
        body.byLink && body.basedOn === null ? fileErrors.fileNameTaken() : fileErrors.notNewestVersion(),
      )
    if (outcome === 'notMovable') return await refuse(deps, file, fileErrors.notMovable())
    const stored = await deps.store.find(fileId)
    if (stored === undefined) throw fileErrors.linkNotValid()
    if (outcome === 'notAwaited') return await repeatedContent(deps, stored, content.hash)
    return receiptOf(await reportedWhenSlow(deps, file, stored))
  } finally {
    await reader?.drop()
  }
}

/** Gives a file its content. Then removes the bytes of its parts, or the content if it was not accepted. */
async function received(
  deps: UploadDependencies,
  fileId: string,
  content: StoredContent,
  parts: readonly StoredPart[],
  reception: Reception,
): Promise<ReceiveOutcome> {
  let outcome: ReceiveOutcome | undefined
  try {
    outcome = await deps.store.receive(fileId, content, reception)
    return outcome
  } finally {
    if (outcome !== undefined) await deps.contents.assemblies?.remove(fileId)
    const released = contentsOf(parts)
    await release(deps, content.hash, outcome === 'received' ? released : [content.hash, ...released])
  }
}

/**
 * Ends the protection of stored content and removes it if nothing uses it. The content then no longer counts towards a
 * limit.
 */
export async function release(
  { store, contents }: Pick<UploadDependencies, 'store' | 'contents'>,
  settled: string,
  released: readonly string[],
): Promise<void> {
  await store.settlePending(settled)
  await store.freeContents(released, (hash) => contents.remove(hash))
}

/** Returns the total size of parts, in bytes. */
export function sizeOf(parts: readonly StoredPart[]): number {
  return parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** Returns whether the owner of an announced file still has write access to its group. */
export async function isStillWritable(
  deps: UploadDependencies,
  { ownerId, groupId }: StoredFile,
): Promise<boolean> {
  const owner = await deps.findPrincipal(ownerId)
  const group = owner && (await unlessRefused(deps.groups.getGroupById(owner, groupId, 'RW')))
  return group !== undefined
}

/** Removes the announced file, because the same content would be outdated again. */
async function refuse(deps: UploadDependencies, file: StoredFile, error: AppError): Promise<never> {
  await forgetFile(deps, file, error.message)
  throw error
}

async function takeIn(
  deps: UploadDependencies,
  body: Pick<
    Parameters<typeof uploadContent>[3],
    'stream' | 'write' | 'announcedBytes' | 'announcedHash' | 'ownsChunks' | 'maxTextBytes'
  >,
  {
    allowance,
    reader,
    beforeStored,
  }: { allowance: UploadAllowance; reader: StreamingReader | undefined; beforeStored: () => Promise<void> },
) {
  let receivedBytes = 0
  const write = body.write ?? ((options) => deps.contents.write(body.stream, options))
  try {
    return await write({
      async onChunk(chunk) {
        receivedBytes += chunk.length
        requireTextSize(receivedBytes, body.maxTextBytes)
        await allowance.take(chunk.length)
        await reader?.take(chunk)
      },
      expectedSize: body.announcedBytes,
      expectedHash: body.announcedHash,
      // A streaming reader can still use chunks after they have been written.
      ownsChunks: body.ownsChunks && reader === undefined,
      // This happens before the content is stored; otherwise the sweep could remove it.
      async beforeStore({ hash }) {
        reader?.end(hash)
        await Promise.all([beforeStored(), deps.store.notePending(hash)])
      },
    })
  } catch (error) {
    throw uploadErrorOf(deps, body, error)
  }
}

function requireTextSize(sizeBytes: number | undefined, limitBytes = Infinity): void {
  if (sizeBytes !== undefined && sizeBytes > limitBytes) throw fileErrors.textTooLarge({ limitBytes })
}

/** Converts an error of the content store to an upload error. Returns any other error unchanged. */
export function uploadErrorOf(
  deps: Pick<UploadDependencies, 'log'>,
  body: { announcedBytes: number | undefined; announcedHash: string | undefined },
  error: unknown,
): unknown {
  if (!(error instanceof ContentStoreError)) return error
  const { received } = error
  switch (error.code) {
    case 'storage-full':
      deps.log.error({ error: error.message }, 'an upload found no free disk space')
      return fileErrors.storageFull()
    case 'size-mismatch':
      return fileErrors.contentLengthWrong({
        announced: body.announcedBytes ?? 0,
        received: received.sizeBytes ?? 0,
      })
    case 'hash-mismatch':
      return fileErrors.digestWrong({
        expected: body.announcedHash ?? '',
        received: received.hash ?? '',
      })
    default:
      return fileErrors.contentCutOff()
  }
}

/** Returns the response to repeated content. Clients send the same content again if they did not receive the response. */
async function repeatedContent(
  deps: UploadDependencies,
  file: StoredFile,
  hash: string,
): Promise<ContentReceipt> {
  if (file.hash !== hash) throw fileErrors.contentThere()
  return receiptOf(await ingested(deps, file))
}

/**
 * Waits as {@link ingested} does, and updates the status of the file. The status shows that the file is being ingested only
 * if this takes a while.
 * @param upload the upload that created the file or repeats it
 */
async function reportedWhenSlow(
  deps: UploadDependencies,
  upload: StoredFile,
  file: StoredFile,
): Promise<StoredFile> {
  if (file.state !== 'ingesting') {
    await reportAs(deps, upload, file)
    return file
  }
  const ending = ingested(deps, file)
  ending.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const slow = new Promise<'slow'>((resolve) => {
    timer = setTimeout(resolve, slowMs, 'slow')
  })
  const first = await Promise.race([ending, slow])
  clearTimeout(timer)
  if (first !== 'slow') return first
  await deps.store.whileIngesting(file.id, (executor) => reportAs(deps, upload, file, executor))
  return ending
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
