import { randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Upload } from './sql-connection.ts'
import { diskFullMessage, SeriesEngineError } from './series-engine-error.ts'
import { quoteText } from './sql-text.ts'

/** Writes an upload to a file that the embedded engine reads. */
export async function writeUpload(
  folder: string,
  structure: string,
  blocks: AsyncIterable<readonly Uint8Array[]>,
): Promise<Upload> {
  const path = join(folder, `${randomUUID()}.native`)
  const drop = () => rm(path, { force: true })
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const block of blocks) await writeWhole(file, block)
    } finally {
      await file.close()
    }
  } catch (error) {
    await drop()
    throw isDiskFull(error) ? new SeriesEngineError('full', diskFullMessage, { cause: error }) : error
  }
  return { source: `file(${quoteText(path)}, 'Native', ${quoteText(structure)})`, keepsOrder: true, drop }
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
}

async function writeWhole(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const { bytesWritten } = await file.writev(pieces)
  if (bytesWritten === size) return
  // A nearly full disk accepts only a part of the data; the next write then reports the error.
  const rest = Buffer.concat(pieces).subarray(bytesWritten)
  for (let at = 0; at < rest.length;) at += (await file.write(rest, at)).bytesWritten
}
