import type { StreamingReader, IngestFile } from '@headwater/files/server'
import { ChunkFeed } from './chunk-feed.ts'
import type { FileReader, FileReading } from './file-reader.ts'
import type { NotedSymbol } from './ingest-notes-store.ts'
import type { IngestStore } from './ingest-store.ts'
import { HeldNotes } from './symbol-notes.ts'

/** Maximum number of files read at the same time. Each uses memory for a few batches. */
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

/** Reads files during their upload. */
export type StreamingIngest = ReturnType<typeof createStreamingIngest>

/**
 * Creates the streaming ingest. It reads files during their upload, so that the ingest job has little left to do. If it
 * fails, or if a file is too large for the memory, the job reads the whole file instead.
 */
export function createStreamingIngest({ store, reader }: { store: IngestStore; reader: FileReader }) {
  const running = new Map<string, Running>()

  return {
    /**
     * Starts to read a file. Returns undefined if it already reads the maximum number of files, or another upload of the
     * same file.
     */
    begin(file: IngestFile): StreamingReader | undefined {
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
     * Hands over the result of reading an uploaded file. Returns undefined if this exact content was not read: after two
     * concurrent uploads of the same file, the stored content can come from the other upload.
     */
    async take({ fid, hash }: Pick<IngestFile, 'fid' | 'hash'>): Promise<StreamedReading | undefined> {
      const entry = running.get(fid)
      if (entry === undefined || entry.hash !== hash) return undefined
      running.delete(fid)
      return entry.reading
    },
  }
}
