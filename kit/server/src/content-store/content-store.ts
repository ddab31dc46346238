import type { Readable } from 'node:stream'

/** Keeps bytes under the SHA-256 of what they are, so that equal content is kept once and never changes. */
export interface ContentStore {
  /**
   * Takes a stream in with constant memory. The content is there, durably, when the promise fulfils; when it rejects
   * nothing is left behind. Content that is there already is kept once.
   * @throws ContentStoreError `cut-off`, `size-mismatch`, `hash-mismatch` or `storage-full`
   */
  write(source: Readable, options?: WriteOptions): Promise<StoredContent>
  /**
   * Reads content, or a part of it.
   * @throws ContentStoreError `not-found`
   */
  read(hash: string, range?: ByteRange): Promise<Readable>
  /** Whether content with this hash is kept. */
  has(hash: string): Promise<boolean>
  /** Takes content away; nothing happens when it is not there. Readers that have begun get all of it. */
  remove(hash: string): Promise<void>
  /** Bytes that can still be stored. */
  freeBytes(): Promise<number>
}

/** What is known of the content before it comes, and who is told before it is kept. */
export interface WriteOptions {
  /** SHA-256 it must have, lower-case hexadecimal. */
  expectedHash?: string | undefined
  /** Number of bytes it must have. */
  expectedSize?: number | undefined
  /** Given each chunk as it comes, and waited for before the next one; when it rejects nothing is kept. */
  also?: ((chunk: Buffer) => Promise<void>) | undefined
  /**
   * Called when all bytes have come and before they are kept, so that whoever removes what nobody holds can be told first.
   * When it rejects nothing is kept.
   */
  beforeKept?: ((content: StoredContent) => Promise<void>) | undefined
}

/** Content as it was taken in. */
export interface StoredContent {
  /** SHA-256, lower-case hexadecimal. */
  hash: string
  sizeBytes: number
}

/** A part of content; both ends belong to it, counted from 0. An absent end is open. */
export interface ByteRange {
  start?: number | undefined
  end?: number | undefined
}

/**
 * - `cut-off`: the source ended before it was complete
 * - `size-mismatch`, `hash-mismatch`: what came is not what was announced
 * - `storage-full`: no room is left
 * - `not-found`: nothing is kept under this hash
 */
export type ContentStoreErrorCode =
  'cut-off' | 'size-mismatch' | 'hash-mismatch' | 'storage-full' | 'not-found'

/** What a content store throws for everything that can be foreseen. `received` is what came, where that is of interest. */
export class ContentStoreError extends Error {
  readonly code: ContentStoreErrorCode
  readonly received: Partial<StoredContent>

  constructor(
    code: ContentStoreErrorCode,
    message: string,
    options: ErrorOptions & { received?: Partial<StoredContent> } = {},
  ) {
    super(message, options)
    this.name = 'ContentStoreError'
    this.code = code
    this.received = options.received ?? {}
  }
}
