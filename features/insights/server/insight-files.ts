import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import type { FieldMap } from '@headwater/files/contract'
import type { FileMove, Files } from '@headwater/files/server'
import { groupErrors } from '@headwater/groups/contract'
import type { AccessibleGroup } from '@headwater/groups/server'
import { type InsightContent } from '@headwater/tile-data/contract'
import { DefinitionError, insightErrors, parseDefinition } from '../contract/index.ts'
import { isInsight, type InsightsReadModel, type StoredInsight } from './insights-read-model.ts'

/** Maximum size of a definition, in bytes of JSON. */
export const maxDefinitionBytes = 4 * 1024 * 1024

/** Finds, reads and writes the files of insights with the access of a user. */
export interface InsightFiles {
  /** Returns the latest version of an insight. Throws insightNotFound if there is none. */
  find(group: Pick<AccessibleGroup, 'id' | 'name'>, insightName: string): Promise<StoredInsight>
  /** Throws if a name is already used by an insight or another file. */
  requireFree(group: AccessibleGroup, insightName: string): Promise<void>
  /**
   * Returns the content of a version, with stable ids for parts that have none. Throws a DefinitionError for invalid
   * content.
   */
  readContent(principal: Principal, file: { fid: string; sizeBytes: number }): Promise<InsightContent>
  /** Returns the text of a file. */
  readText(principal: Principal, file: { fid: string }): Promise<string>
  /**
   * Writes a new version of a file and returns its id. If the content cannot be stored, nothing remains.
   * @param file.basedOn id of the version that must still be the newest one; null: there must be none; undefined: any
   * @param file.moves files that are renamed in the same transaction
   */
  write(
    principal: Principal,
    file: {
      groupName: string
      fileName: string
      fileType: string
      fields?: FieldMap
      content: string | Buffer
      basedOn?: string | null | undefined
      moves?: readonly FileMove[]
    },
  ): Promise<string>
}

/** The files of insights. */
export function createInsightFiles({
  readModel,
  files,
}: {
  readModel: InsightsReadModel
  files: Pick<Files, 'create' | 'putContent' | 'abandon' | 'getReadable' | 'readContent'>
}): InsightFiles {
  const readText: InsightFiles['readText'] = async (principal, { fid }) =>
    textOf(await readBytes(await files.readContent(await files.getReadable(principal, fid))))

  return {
    async find(group, insightName) {
      const stored = await readModel.findFile(group.id, fileNameOf(insightName))
      if (stored === undefined || !isInsight(stored))
        throw insightErrors.insightNotFound({ name: insightName, group: group.name })
      return stored
    },
    async requireFree(group, insightName) {
      const there = await readModel.findFile(group.id, fileNameOf(insightName))
      if (there === undefined) return
      const about = { name: insightName, group: group.name }
      throw there.fileType === 'INSIGHT'
        ? insightErrors.insightExists(about)
        : insightErrors.fileInTheWay(about)
    },
    async readContent(principal, { fid, sizeBytes }) {
      if (sizeBytes > maxDefinitionBytes) throw new DefinitionError('it is too large.')
      return parseDefinition(await readText(principal, { fid }), idsFor(fid))
    },
    readText,
    async write(principal, { groupName, fileName, fileType, fields = {}, content, ...conditions }) {
      const pairs = Object.entries(fields).map(([name, value]) => ({ name, value }))
      const { fileId, token } = await files.create(
        principal,
        { groupName, fileName, fileType, fields: pairs, zipped: false },
        undefined,
      )
      const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
      try {
        const receipt = await files.putContent(fileId, token, {
          stream: Readable.from([bytes]),
          announcedBytes: bytes.length,
          announcedHash: undefined,
          ...conditions,
        })
        return receipt.fileId
      } catch (error) {
        // The sweep repeats a failed clean-up. The first error is more useful.
        await files.abandon(fileId).catch(() => undefined)
        // The permission was checked just before, so the file was deleted with its group.
        if (error instanceof AppError && error.code === 'linkNotValid')
          throw groupErrors.groupNotFound({ name: groupName })
        throw error
      }
    },
  }
}

/** Creates ids for parts of a version that have none. Visitors see these ids, so they must not reveal the id of the file. */
function idsFor(fid: string): () => string {
  let count = 0
  return () => createHash('sha256').update(`${fid} ${count++}`).digest('base64url').slice(0, 22)
}

/** Returns the name of the file of an insight. */
export function fileNameOf(insightName: string): string {
  return `${insightName}.json`
}

/** Returns the text of a UTF-8 file without its byte order mark. */
export function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes)
}

/** Returns all bytes of a stream. */
export async function readBytes(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
