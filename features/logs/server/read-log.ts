import { setImmediate as nextTurn } from 'node:timers/promises'
import { logLevels, type LogLevel, type LogLine } from '../contract/index.ts'
import { formatUtc } from '@headwater/server-kit'
import type { ReadableGroups } from '@headwater/statuses/server'
import { decodeChunk, type ChunkLines } from './chunk-body.ts'
import type { Chunk, LogsStore } from './logs-store.ts'

/** Number of chunks that are read together. */
const chunksPerBatch = 32

/** Filters of lines. A line must match all of them. */
export interface LineFilter {
  /** The job. */
  jobId: string
  /** Groups that the caller can read; lines about other groups are omitted. */
  readable: ReadableGroups
  /** Only lines with a higher number. */
  after: number
  /** Only steps with this name. */
  component?: string | undefined
  /** Only the step with this execution id. */
  eId?: string | undefined
  /** Only these levels; undefined or empty for all. */
  level?: readonly LogLevel[] | undefined
  /** Only lines that contain this text, regardless of case. */
  query?: string | undefined
}

/** A page of lines. */
export interface LinePage {
  /** Number of all matching lines. */
  totalSize: number
  /** Lines of the page. */
  items: LogLine[]
}

/**
 * Returns a page of matching lines. Without a search text, only the chunks of the page are read; with one, all chunks are read.
 * @param signal aborts the search
 */
export async function readLines(
  store: Pick<LogsStore, 'chunks' | 'bodies'>,
  filter: LineFilter,
  { from, size }: { from: number; size: number },
  signal: AbortSignal,
): Promise<LinePage> {
  const { jobId } = filter
  const isMatch = matcherOf(filter)
  const chunks = await store.chunks({ ...filter, levels: levelsOf(filter) })
  const items: LogLine[] = []
  let totalSize = 0
  let batch: { chunk: Chunk; before: number }[] = []

  async function readBatch(): Promise<void> {
    const bodies = await store.bodies(
      jobId,
      batch.map(({ chunk }) => chunk.firstLine),
    )
    for (const { chunk, before } of batch) {
      // Other requests continue between chunks.
      await nextTurn()
      signal.throwIfAborted()
      let position = isMatch.needsText ? totalSize : before
      isMatch.forEachMatch(chunk, decodeChunk(bodies.get(chunk.firstLine)!), (line) => {
        if (position >= from && position < from + size) items.push(line())
        position += 1
      })
      if (isMatch.needsText) totalSize = position
    }
    batch = []
  }

  for (const chunk of chunks) {
    const isPartial = chunk.firstLine <= filter.after
    if (isMatch.needsText) {
      batch.push({ chunk, before: 0 })
    } else {
      const count = isPartial
        ? isMatch.countIn(
            chunk,
            decodeChunk((await store.bodies(jobId, [chunk.firstLine])).get(chunk.firstLine)!),
          )
        : isMatch.countOf(chunk)
      if (totalSize < from + size && totalSize + count > from) batch.push({ chunk, before: totalSize })
      totalSize += count
    }
    if (batch.length >= chunksPerBatch) await readBatch()
  }
  if (batch.length > 0) await readBatch()
  return { totalSize, items }
}

/** Yields the matching lines of all chunks in batches, for downloads. */
export async function* eachLine(
  store: Pick<LogsStore, 'chunks' | 'bodies'>,
  filter: LineFilter,
): AsyncGenerator<LogLine[]> {
  const isMatch = matcherOf(filter)
  const chunks = await store.chunks({ ...filter, levels: levelsOf(filter) })
  for (let start = 0; start < chunks.length; start += chunksPerBatch) {
    const batch = chunks.slice(start, start + chunksPerBatch)
    const bodies = await store.bodies(
      filter.jobId,
      batch.map(({ firstLine }) => firstLine),
    )
    for (const chunk of batch) {
      await nextTurn()
      const lines: LogLine[] = []
      isMatch.forEachMatch(chunk, decodeChunk(bodies.get(chunk.firstLine)!), (line) => lines.push(line()))
      yield lines
    }
  }
}

function levelsOf({ level }: LineFilter): readonly LogLevel[] | undefined {
  return level === undefined || level.length === 0 ? undefined : level
}

/** Returns the functions that match the lines of a chunk. */
function matcherOf(filter: LineFilter) {
  const levels = levelsOf(filter) ?? logLevels
  const digits = new Set(levels.map((level) => String(logLevels.indexOf(level))))
  const needle = (filter.query ?? '').toLowerCase()

  function forEachMatch(chunk: Chunk, lines: ChunkLines, onMatch: (line: () => LogLine) => void): void {
    const { texts, levels: digitsOfLines, times } = lines
    const lowerCase = needle === '' ? undefined : texts.toLowerCase()
    if (lowerCase?.includes(needle) === false) return
    const lowerCaseLines = lowerCase?.split('\n')
    const split = texts.split('\n')
    let timeMs = 0
    for (const [index, text] of split.entries()) {
      timeMs += times[index]!
      const line = chunk.firstLine + index
      const digit = digitsOfLines[index]!
      if (line <= filter.after || !digits.has(digit)) continue
      if (lowerCaseLines?.[index]!.includes(needle) === false) continue
      const time = timeMs
      onMatch(() => ({
        line,
        time: formatUtc(new Date(time)),
        eId: chunk.eId,
        component: chunk.component,
        level: logLevels[Number(digit)]!,
        text,
      }))
    }
  }

  return {
    /** Whether matches in a chunk can be counted only by reading its lines. */
    needsText: needle !== '',
    forEachMatch,
    countIn(chunk: Chunk, lines: ChunkLines): number {
      let count = 0
      forEachMatch(chunk, lines, () => (count += 1))
      return count
    },
    countOf: ({ counts }: Chunk): number => levels.reduce((sum, level) => sum + counts[level], 0),
  }
}
