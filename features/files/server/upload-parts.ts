import { Readable } from 'node:stream'
import type { StoredContent, WriteOptions } from '@headwater/server-kit'
import { fileErrors, maxPartBytes, type ContentReceipt, type UploadPart } from '../contract/index.ts'
import { beginAssembling, isAssembly, joined, publishAssembly } from './assembled-parts.ts'
import type { Admission } from './file-locks.ts'
import type { StoredFile } from './file-rows.ts'
import { ingested } from './ingest-files.ts'
import type { StoredPart } from './parts-store.ts'
import { isStillWritable, release, sizeOf, uploadContent, uploadErrorOf } from './upload-content.ts'
import type { UploadDependencies } from './upload-dependencies.ts'
import { receiptOf } from './upload-status.ts'

/** Maximum number of missing parts that an error lists. */
const namedParts = 10

/**
 * Stores a part of the content of an announced file.
 * @throws linkNotValid, contentThere, partTooLarge, partEmpty, contentLengthWrong, contentCutOff, digestWrong, and errors of limits
 */
export async function storePart(
  deps: UploadDependencies,
  fileId: string,
  token: string,
  number: number,
  body: { stream: Readable; announcedBytes: number | undefined; announcedHash: string | undefined },
): Promise<UploadPart> {
  const begun = deps.clock.now()
  const file = await permittedFile(deps, fileId, token, begun)
  if (file.state !== 'awaiting') throw fileErrors.contentThere()
  if ((body.announcedBytes ?? 0) > maxPartBytes) throw fileErrors.partTooLarge({ limitBytes: maxPartBytes })
  const parts = await deps.store.listParts(fileId)
  // A part that is sent again needs no more space. If it differs from a part in an assembly, the bytes of both count when it
  // is recorded.
  const replaced = parts.find((part) => part.number === number)
  const allowance = await deps.limits.begin(file.ownerId, body.announcedBytes, replaced?.sizeBytes)
  let receivedBytes = 0
  const requirePermit = async () => {
    if (receivedBytes === 0) throw fileErrors.partEmpty()
    await permittedFile(deps, fileId, token, begun)
  }
  const options: WriteOptions = {
    async onChunk(chunk) {
      receivedBytes += chunk.length
      if (receivedBytes > maxPartBytes) throw fileErrors.partTooLarge({ limitBytes: maxPartBytes })
      await allowance.take(chunk.length)
    },
    expectedSize: body.announcedBytes,
    expectedHash: body.announcedHash,
    ownsChunks: true,
  }
  const beforeStore = async ({ hash }: StoredContent) => {
    await Promise.all([requirePermit(), deps.store.notePending(hash)])
  }
  const assembling = beginAssembling(deps, file, parts, { number, sizeBytes: body.announcedBytes })
  try {
    const assembled = await assembling?.take(body.stream, {
      ...options,
      beforeStore: requirePermit,
      admission: allowance.admission,
    })
    if (assembled?.isPlaced) return toUploadPart(number, assembled.content)
    const content = await (assembled === undefined
      ? deps.contents.write(body.stream, { ...options, beforeStore })
      : deps.contents.write(Readable.from([assembling!.memory.bytes]), { beforeStore }))
    await recordContent(deps, file.id, number, content, allowance.admission)
    return toUploadPart(number, content)
  } catch (error) {
    throw uploadErrorOf(deps, body, error)
  } finally {
    assembling?.memory.free()
  }
}

function toUploadPart(number: number, { hash, sizeBytes }: StoredContent): UploadPart {
  return { number, size: sizeBytes, sha256: hash }
}

/** Records a part that is stored as separate content. */
async function recordContent(
  deps: UploadDependencies,
  fileId: string,
  number: number,
  content: StoredContent,
  admission: Admission | undefined,
): Promise<void> {
  const released = [content.hash]
  try {
    const replaced = await deps.store.addPart(fileId, { number, ...content }, admission)
    if (replaced === undefined) throw fileErrors.contentThere()
    released.push(...replaced)
  } finally {
    await release(deps, content.hash, released)
  }
}

/**
 * Returns the stored parts of the content of an announced file, by number.
 * @throws linkNotValid, contentThere
 */
export async function listStoredParts(
  deps: UploadDependencies,
  fileId: string,
  token: string,
): Promise<UploadPart[]> {
  const file = await permittedFile(deps, fileId, token, deps.clock.now())
  if (file.state !== 'awaiting') throw fileErrors.contentThere()
  const parts = await deps.store.listParts(fileId)
  return parts.map(({ number, hash, sizeBytes }) => ({ number, size: sizeBytes, sha256: hash }))
}

/**
 * Joins parts; they become the content of an announced file. A repeated call returns the same receipt.
 * @throws partsMissing, and errors of {@link uploadContent}
 */
export async function completeUpload(
  deps: UploadDependencies,
  fileId: string,
  token: string,
  whole: {
    /** Number of parts. */
    parts: number
    /** Size of the content in bytes. */
    size: number
    /** Expected SHA-256 of the content. */
    sha256?: string | undefined
    /** As in {@link uploadContent}. */
    basedOn?: string | null | undefined
  },
): Promise<ContentReceipt> {
  const file = await permittedFile(deps, fileId, token, deps.clock.now())
  if (file.state !== 'awaiting') {
    const isSame = file.sizeBytes === whole.size && (whole.sha256 ?? file.hash) === file.hash
    if (!isSame) throw fileErrors.contentThere()
    return receiptOf(await ingested(deps, file))
  }
  const stored = await deps.store.listParts(fileId)
  const parts = stored.filter(({ number }) => number <= whole.parts)
  requireAll(parts, whole.parts)
  const received = sizeOf(parts)
  if (received !== whole.size) throw fileErrors.contentLengthWrong({ announced: whole.size, received })
  return uploadContent(deps, fileId, token, {
    stream: joined(deps.contents, file.id, parts),
    write: isAssembly(stored, whole)
      ? (options) => publishAssembly(deps, file.id, parts, whole.size, options)
      : undefined,
    announcedBytes: whole.size,
    announcedHash: whole.sha256,
    ownsChunks: true,
    basedOn: whole.basedOn,
    byLink: true,
  })
}

/**
 * Returns the file of a permit.
 * @throws linkNotValid, even if the owner has lost write access to its group
 */
async function permittedFile(
  deps: UploadDependencies,
  fileId: string,
  token: string,
  begun: Date,
): Promise<StoredFile> {
  const permit = await deps.links.verify('upload', fileId, token, begun)
  const file = permit === undefined ? undefined : await deps.store.find(fileId)
  if (file === undefined || !(await isStillWritable(deps, file))) throw fileErrors.linkNotValid()
  return file
}

function requireAll(parts: readonly StoredPart[], count: number): void {
  if (parts.length === count) return
  const present = new Set(parts.map(({ number }) => number))
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter(
    (number) => !present.has(number),
  )
  throw fileErrors.partsMissing({ numbers: missing.slice(0, namedParts), total: missing.length })
}
