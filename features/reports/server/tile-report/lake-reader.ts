import { Readable } from 'node:stream'
import { beginningOf } from '@headwater/contract'
import { searchFiles } from '@headwater/files/contract'
import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import { isRefusal, type Principal } from '@headwater/server-kit'
import { type LoadedResult, loadedTable, readTable, isNamed, type FileAddress } from '@headwater/tiles/core'
import type { InsightsReadModel } from '@headwater/insights/server'
import type { Reading } from './reading.ts'
import { requirePermission } from '@headwater/tiles/server'
import { TileProblem } from './tile-problem.ts'

/** Rows and bytes of a file that are read at most. */
export const maxFileRows = 5000
const maxFileBytes = 20_000_000

/** Reads files of the lake for tiles. */
export type LakeReader = ReturnType<typeof createLakeReader>

/** The reader of files, each the newest version that the user may read unless its id is given. */
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
      const found = await readModel.findFile(group.id, fileName)
      if (found !== undefined) return await files.getReadable(principal, found.fid)
    } catch (error) {
      throw isRefusal(error) ? new TileProblem(notFound, { isRefusal: true }) : error
    }
    throw new TileProblem(notFound)
  }

  return {
    /** The first rows of a CSV or NCSV file. */
    async readTable({ principal, signal }: Reading, address: FileAddress): Promise<LoadedResult> {
      const content = Readable.toWeb(Readable.from(atMost(await open(principal, address), maxFileBytes)))
      return loadedTable(
        await readTable(content as ReadableStream<Uint8Array>, { limit: maxFileRows, signal }),
      )
    },

    /** The beginning of a text in UTF-8, and whether there is more of it. */
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

async function* atMost(content: Readable, mostBytes: number): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0
  for await (const part of content) {
    sizeBytes += (part as Uint8Array).length
    if (sizeBytes > mostBytes)
      throw new TileProblem(
        `The first ${maxFileRows.toLocaleString('en-US')} rows of its file are larger than ${mostBytes / 1_000_000} MB, the most that a report reads.`,
      )
    yield part as Uint8Array
  }
}
