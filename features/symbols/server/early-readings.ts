import type { EarlyReader, IngestFile } from '@headwater/files/server'
import { ChunkFeed } from './chunk-feed.ts'
import type { FileReader, FileReading } from './file-reader.ts'
import type { IngestStore, NotedSymbol } from './ingest-store.ts'
import { HeldNotes } from './symbol-notes.ts'

/** Files at a time: each takes the memory of a few batches. */
const maxReadings = 4

/** A file that was read while it arrived. */
export interface EarlyReading extends FileReading {
  symbols: NotedSymbol[]
}

interface Running {
  reading: Promise<EarlyReading | undefined>
  feed: ChunkFeed
  /** Hash of what was read; undefined while it arrives. */
  hash?: string
}

export type EarlyReadings = ReturnType<typeof createEarlyReadings>

/**
 * Reads files while they arrive, so that little is left to do when their turn has come. Whatever goes wrong, and whatever is too
 * large to be held, is left to the reading of the whole file.
 */
export function createEarlyReadings({ store, reader }: { store: IngestStore; reader: FileReader }) {
  const running = new Map<string, Running>()

  return {
    /** Begins to read a file; undefined if there are enough already, or the same file arrives twice at once. */
    begin(file: IngestFile): EarlyReader | undefined {
      if (running.size >= maxReadings || running.has(file.fid)) return undefined
      const feed = new ChunkFeed()
      const notes = new HeldNotes(store, file.groupId)
      const reading = reader.read(file, feed, { notes }).then(
        (read) => ({ ...read, symbols: notes.symbols }),
        async () => {
          await feed.return()
          return undefined
        },
      )
      const own: Running = { reading, feed }
      running.set(file.fid, own)
      return {
        take: (chunk) => feed.put(chunk),
        end(hash) {
          own.hash = hash
          feed.end()
        },
        async drop() {
          if (running.get(file.fid) !== own) return
          running.delete(file.fid)
          feed.fail(new Error('The file is not wanted any more.'))
          const read = await reading
          await read?.points?.drop()
        },
      }
    },

    /**
     * The reading of a file that has arrived, which is the callers from then on; undefined without one of just this content.
     * Of a file that was sent twice at once the other content may have been the first to arrive; its upload drops the reading.
     */
    async take({ fid, hash }: Pick<IngestFile, 'fid' | 'hash'>): Promise<EarlyReading | undefined> {
      const found = running.get(fid)
      if (found === undefined || found.hash !== hash) return undefined
      running.delete(fid)
      return found.reading
    },
  }
}
