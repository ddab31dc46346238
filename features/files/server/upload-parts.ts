import { Readable } from 'node:stream'
import type { ContentStore } from '@headwater/server-kit'
import { fileErrors, maxPartBytes, type ContentReceipt, type UploadPart } from '../contract/index.ts'
import type { StoredFile } from './file-rows.ts'
import { ingested } from './ingest-files.ts'
import type { StoredPart } from './parts-store.ts'
import { isStillWritable, release, sizeOf, uploadContent, uploadErrorOf } from './upload-content.ts'
import type { UploadDependencies } from './upload-dependencies.ts'
import { receiptOf } from './upload-status.ts'

/** Missing parts that an error names. */
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
  const replaced = (await deps.store.listParts(fileId)).find((part) => part.number === number)
  const allowance = await deps.limits.begin(file.ownerId, body.announcedBytes, replaced?.sizeBytes)
  let receivedBytes = 0
  const content = await deps.contents
    .write(body.stream, {
      async onChunk(chunk) {
        receivedBytes += chunk.length
        if (receivedBytes > maxPartBytes) throw fileErrors.partTooLarge({ limitBytes: maxPartBytes })
        await allowance.take(chunk.length)
      },
      expectedSize: body.announcedBytes,
      expectedHash: body.announcedHash,
      async beforeStore({ hash }) {
        if (receivedBytes === 0) throw fileErrors.partEmpty()
        await Promise.all([permittedFile(deps, fileId, token, begun), deps.store.notePending(hash)])
      },
    })
    .catch((error: unknown) => {
      throw uploadErrorOf(deps, body, error)
    })
  const released = [content.hash]
  try {
    const replacedHashes = await deps.store.addPart(fileId, { number, ...content }, allowance.admission)
    if (replacedHashes === undefined) throw fileErrors.contentThere()
    released.push(...replacedHashes)
  } finally {
    await release(deps, content.hash, released)
  }
  return { number, size: content.sizeBytes, sha256: content.hash }
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
 * Joins parts to the content of an announced file. A repeated call returns the same receipt.
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
    stream: Readable.from(joined(deps.contents, parts), { objectMode: false }),
    announcedBytes: whole.size,
    announcedHash: whole.sha256,
    basedOn: whole.basedOn,
    byLink: true,
  })
}

/**
 * Returns the file of a permit.
 * @throws linkNotValid, even when the owner has lost write access to its group
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

async function* joined(contents: ContentStore, parts: readonly StoredPart[]): AsyncGenerator<Buffer> {
  for (const { hash } of parts) yield* await contents.read(hash)
}
