import { promisify } from 'node:util'
import { zstdCompress, zstdDecompressSync } from 'node:zlib'
import { logLevels, type LogLevel } from '../contract/index.ts'

/** A line before it has a number. */
export interface NewLine {
  /** Level of the line. */
  level: LogLevel
  /** Text without line breaks. */
  text: string
  /** Epoch milliseconds. */
  timeMs: number
}

const compress = promisify(zstdCompress)

/** The lines of a chunk. */
export interface ChunkLines {
  /** The texts of all lines, joined by line breaks. */
  texts: string
  /** Level of each line, as its index in the list of levels. */
  levels: string
  /** Times: epoch milliseconds of the first line, then the difference of each line to the previous one. */
  times: number[]
}

/** Compresses lines. The body consists of one line of JSON with levels and times, followed by the texts. */
export async function encodeChunk(lines: readonly NewLine[]): Promise<Buffer> {
  let previousMs = 0
  const times = lines.map(({ timeMs }) => {
    const difference = timeMs - previousMs
    previousMs = timeMs
    return difference
  })
  const levels = lines.map(({ level }) => logLevels.indexOf(level)).join('')
  const texts = lines.map(({ text }) => text).join('\n')
  return compress(Buffer.from(`${JSON.stringify({ levels, times })}\n${texts}`))
}

/**
 * Decompresses the lines of a chunk. Synchronous, because the thread pool takes five times as much processor time for
 * contents of this size.
 */
export function decodeChunk(body: Buffer): ChunkLines {
  const bytes = zstdDecompressSync(body)
  const end = bytes.indexOf(0x0a)
  const { levels, times } = JSON.parse(bytes.toString('utf8', 0, end)) as Pick<ChunkLines, 'levels' | 'times'>
  return { levels, times, texts: bytes.toString('utf8', end + 1) }
}
