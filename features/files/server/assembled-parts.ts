import { Readable } from 'node:stream'
import {
  receiveBytes,
  requireExpected,
  type ContentStore,
  type StoredContent,
  type WriteOptions,
} from '@headwater/server-kit'
import { fileErrors, isSeriesFile } from '../contract/index.ts'
import type { Admission } from './file-locks.ts'
import type { StoredFile } from './file-rows.ts'
import type { ReservedMemory } from './part-memory.ts'
import type { StoredPart } from './parts-store.ts'
import type { UploadDependencies } from './upload-dependencies.ts'

/** Minimum size of the first part of an assembly, in bytes. Smaller parts are joined quickly. */
const minPartBytes = 1024 * 1024
/** Maximum size of a part of an assembly, in bytes. Parts are received into memory. */
const maxPartBytes = 16 * 1024 * 1024

/** A part that may be written into the assembly of its upload. */
interface Assembling {
  /**
   * Receives the part and writes it into the assembly.
   * @throws contentThere, and the errors of {@link receiveBytes} and `admission`
   */
  take(
    stream: Readable,
    options: WriteOptions & { admission: Admission | undefined },
  ): Promise<{
    content: StoredContent
    /** Whether the assembly contains the part. If not, the caller stores the bytes as separate content. */
    isPlaced: boolean
  }>
  /** Memory with the bytes of the part, after they have been received. */
  memory: ReservedMemory
}

/**
 * Reserves memory for a part that can be written into the assembly of its upload. The bytes are written only after they have
 * been checked and counted towards the limits, so a rejected part leaves nothing in the assembly.
 * @returns undefined if the part must be stored as separate content. This also applies to series files, which are ingested
 * while their parts are joined, and to parts that replace stored ones, because a crash could damage these.
 */
export function beginAssembling(
  { contents: { assemblies }, store, partMemory, placements }: UploadDependencies,
  file: StoredFile,
  parts: readonly StoredPart[],
  { number, sizeBytes = 0 }: { number: number; sizeBytes: number | undefined },
): Assembling | undefined {
  const isFirst = !parts.some(({ position }) => position !== undefined)
  if (assemblies === undefined || isSeriesFile(file.type)) return undefined
  if (sizeBytes < (isFirst ? minPartBytes : 1) || sizeBytes > maxPartBytes) return undefined
  if (parts.some((part) => part.number === number)) return undefined
  const memory = partMemory.reserve(sizeBytes)
  if (memory === undefined) return undefined
  const { bytes } = memory
  return {
    memory,
    async take(stream, { admission, ...options }) {
      const content = await receiveBytes(stream, bytes, options)
      const part = { number, ...content }
      let begun: number | undefined
      const choosePosition = (recorded: StoredPart[]) => (begun = placements.begin(file.id, recorded, part))
      const end = () => {
        if (begun !== undefined) placements.end(file.id, number)
      }
      try {
        const range = await store.reserveRange(file.id, part.sizeBytes, choosePosition, admission)
        if (range === undefined) throw fileErrors.contentThere()
        const { position } = range
        if (position === undefined || !(await assemblies.write(file.id, position, bytes)))
          return { content, isPlaced: false }
        const isPlaced = await store.addAssembledPart(file.id, { ...part, position })
        if (isPlaced === undefined) {
          // The upload has ended, and writing the part may have created its assembly again.
          await assemblies.remove(file.id)
          throw fileErrors.contentThere()
        }
        // The part is stored even if hashing fails. Its bytes are then read again when the upload is completed.
        if (isPlaced) await assemblies.settle(file.id, position, bytes).catch(() => {})
        return { content, isPlaced }
      } finally {
        end()
      }
    },
  }
}

/** Returns whether the stored parts are a complete content in the assembly. */
export function isAssembly(stored: readonly StoredPart[], whole: { parts: number }): boolean {
  let end = 0
  for (const { position, sizeBytes } of stored) {
    if (position !== end) return false
    end += sizeBytes
  }
  return stored.length === whole.parts
}

/** Makes an assembly the content of its file. */
export async function publishAssembly(
  { contents, store, placements }: Pick<UploadDependencies, 'contents' | 'store' | 'placements'>,
  fileId: string,
  parts: readonly StoredPart[],
  sizeBytes: number,
  options: WriteOptions,
): Promise<StoredContent> {
  const assemblies = contents.assemblies!
  const content = { hash: await assemblies.hash(fileId, sizeBytes), sizeBytes }
  requireExpected(content, options)
  await options.beforeStore?.(content)
  const isPublished = await store.whilePartsRest(fileId, async (recorded) => {
    // A part that is being written would change the content.
    if (placements.has(fileId) || !isSame(recorded, parts)) return false
    await assemblies.publish(fileId, content)
    return true
  })
  // Parts have been added or replaced in the meantime.
  if (isPublished === false)
    await contents.write(joined(contents, fileId, parts), { expectedHash: content.hash })
  return content
}

/** Returns the joined contents of parts. */
export function joined(contents: ContentStore, fileId: string, parts: readonly StoredPart[]): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    for (const { hash, position, sizeBytes } of parts) {
      const range = position === undefined ? undefined : { start: position, end: position + sizeBytes - 1 }
      yield* range === undefined ? await contents.read(hash) : await contents.assemblies!.read(fileId, range)
    }
  }
  return Readable.from(read(), { objectMode: false })
}

function isSame(recorded: readonly StoredPart[], parts: readonly StoredPart[]): boolean {
  return (
    recorded.length === parts.length &&
    recorded.every(({ hash, position }, at) => hash === parts[at]!.hash && position === parts[at]!.position)
  )
}
