import type { EarlyReader, IngestFile } from '@headwater/files/server'
import { ChunkFeed } from './chunk-feed.ts'
import type { FileReader, FileReading } from './file-reader.ts'
import type { NotedSymbol } from './ingest-notes-store.ts'
import type { IngestStore } from './ingest-store.ts'
import { HeldNotes } from './symbol-notes.ts'

/** Maximum number of files read at once; each takes the memory of a few batches. */
const maxReadings = 4

/** A file that was read during its upload. */
export interface StreamedReading extends FileReading {
  /** Symbols of the file. */
  symbols: NotedSymbol[]
}

interface Running {
  reading: Promise<StreamedReading | undefined>
  feed: ChunkFeed
  /** Hash of the content; undefined during the upload. */
  hash?: string
}

/** The streaming ingest of files. */
export type StreamingIngest = ReturnType<typeof createStreamingIngest>

/**
 * Creates the streaming ingest: it reads files during their upload, so that the ingest job has little left to do. When it fails or
 * a file is too large to hold in memory, the job reads the whole file instead.
 */
export function createStreamingIngest({ store, reader }: { store: IngestStore; reader: FileReader }) {
  const running = new Map<string, Running>()

  return {
    /**
     * Starts to read a file; undefined if too many are being read, or if there are two concurrent uploads of the same
     * file.
     */
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
          feed.fail(new Error('The upload was cancelled.'))
          const read = await reading
          await read?.points?.drop()
        },
      }
    },

    /**
     * Passes the result of reading an uploaded file to the caller; undefined if exactly this content was not read. If
     * two uploads of the same file ran concurrently, the content can be that of the other upload; in that case the
     * result is discarded.
     */
    async take({ fid, hash }: Pick<IngestFile, 'fid' | 'hash'>): Promise<StreamedReading | undefined> {
      const entry = running.get(fid)
      if (entry === undefined || entry.hash !== hash) return undefined
      running.delete(fid)
      return entry.reading
    },
  }
}
