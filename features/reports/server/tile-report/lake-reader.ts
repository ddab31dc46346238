import { Readable } from 'node:stream'
import { beginningOf } from '@headwater/contract'
import { searchFiles } from '@headwater/files/contract'
import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import { isRefusal, type Principal } from '@headwater/server-kit'
import {
  type LoadedResult,
  loadedTable,
  readTable,
  isNamed,
  type FileAddress,
} from '@headwater/tile-data/core'
import type { InsightsReadModel } from '@headwater/insights/server'
import type { Reading } from './reading.ts'
import { requirePermission } from '@headwater/tile-data/server'
import { TileProblem } from './tile-problem.ts'

/** Maximum number of rows that a report reads of a file. */
const maxFileRows = 5000
/** Maximum number of bytes that a report reads of a file. */
const maxFileBytes = 20_000_000

/** Reads files of the lake for tiles. */
export type LakeReader = ReturnType<typeof createLakeReader>

/** Creates the reader of files. A file without an id is read in the newest version that the user can read. */
export function createLakeReader({
  readModel,
  groups,
  files,
}: {
  readModel: Pick<InsightsReadModel, 'findFile'>
  groups: Pick<Groups, 'access'>
  files: Pick<Files, 'getReadable' | 'readContent'>
}) {
  async function open(principal: Principal, address: FileAddress): Promise<Readable> {
    requirePermission(principal, searchFiles)
    if (!isNamed(address)) throw new TileProblem('No file was chosen.')
    return files.readContent(await find(principal, address))
  }

  async function find(principal: Principal, { fid, groupName, fileName }: FileAddress) {
    const notFound =
      fileName === ''
        ? 'The file of this tile was not found.'
        : `File ${fileName} not found in group ${groupName}`
    try {
      if (fid !== undefined) return await files.getReadable(principal, fid)
      const group = await groups.access.getGroup(principal, groupName, 'R')
      const file = await readModel.findFile(group.id, fileName)
      if (file !== undefined) return await files.getReadable(principal, file.fid)
    } catch (error) {
      throw isRefusal(error) ? new TileProblem(notFound, { isRefusal: true }) : error
    }
    throw new TileProblem(notFound)
  }

  return {
    /** Returns the first rows of a CSV or NCSV file. */
    async readTable({ principal, signal }: Reading, address: FileAddress): Promise<LoadedResult> {
      const content = Readable.toWeb(Readable.from(atMost(await open(principal, address), maxFileBytes)))
      return loadedTable(
        await readTable(content as ReadableStream<Uint8Array>, { limit: maxFileRows, signal }),
      )
    },

    /** Returns the beginning of a UTF-8 text, and whether there is more. */
    async readText(
      { principal }: Reading,
      address: FileAddress,
      maxCharacters: number,
    ): Promise<{ text: string; isCut: boolean }> {
      const decoder = new TextDecoder()
      let text = ''
      for await (const part of await open(principal, address)) {
        text += decoder.decode(part as Uint8Array, { stream: true })
        if (text.length > maxCharacters) break
      }
      return { text: beginningOf(text, maxCharacters), isCut: text.length > maxCharacters }
    },
  }
}

async function* atMost(content: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0
  for await (const part of content) {
    sizeBytes += (part as Uint8Array).length
    if (sizeBytes > maxBytes)
      throw new TileProblem(
        `The first ${maxFileRows.toLocaleString('en-US')} rows of its file are larger than ${maxBytes / 1_000_000} MB, the limit of a report.`,
      )
    yield part as Uint8Array
  }
}
