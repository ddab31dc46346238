import type { Readable } from 'node:stream'

/** Stores content under its SHA-256 hash. Equal content is stored once, and content never changes. */
export interface ContentStore {
  /**
   * Stores a stream, using constant memory. The content is durable when the promise is fulfilled. If the promise is
   * rejected, nothing is stored. Existing content is not stored again.
   * @throws ContentStoreError `cut-off`, `size-mismatch`, `hash-mismatch` or `storage-full`
   */
  write(source: Readable, options?: WriteOptions): Promise<StoredContent>
  /**
   * Reads content or a range of it.
   * @throws ContentStoreError `not-found`
   */
  read(hash: string, range?: ByteRange): Promise<Readable>
  /** Returns whether content with this hash is stored. */
  has(hash: string): Promise<boolean>
  /** Deletes content, if it exists. Active readers still receive all of it. */
  remove(hash: string): Promise<void>
  /** Returns the number of bytes that can still be stored. */
  freeBytes(): Promise<number>
  /** Closes the connections of the store. */
  close(): Promise<void>
}

/** Expectations about the content, and hooks that run before it is stored. */
export interface WriteOptions {
  /** Expected SHA-256, lower-case hexadecimal. */
  expectedHash?: string | undefined
  /** Expected number of bytes. */
  expectedSize?: number | undefined
  /** Receives each chunk; the store waits for the promise before the next one. A rejection discards the content. */
  onChunk?: ((chunk: Buffer) => Promise<void>) | undefined
  /**
   * Called after all bytes have arrived and before they are stored, so that the caller can first notify the clean-up of
   * unreferenced content. A rejection discards the content.
   */
  beforeStore?: ((content: StoredContent) => Promise<void>) | undefined
}

/** Stored content. */
export interface StoredContent {
  /** SHA-256, lower-case hexadecimal. */
  hash: string
  /** Size of the content in bytes. */
  sizeBytes: number
}

/** A range of bytes, counted from 0. Both ends are inclusive; an absent end is open. */
export interface ByteRange {
  /** First byte of the range; default the first byte of the content. */
  start?: number | undefined
  /** Last byte of the range; default the last byte of the content. */
  end?: number | undefined
}

/**
 * - `cut-off`: the source ended before it was complete
 * - `size-mismatch`, `hash-mismatch`: the content differs from the expectation
 * - `storage-full`: no space is left
 * - `not-found`: no content has this hash
 */
export type ContentStoreErrorCode =
  'cut-off' | 'size-mismatch' | 'hash-mismatch' | 'storage-full' | 'not-found'

/** Error of a content store. `received` describes the received content, where relevant. */
export class ContentStoreError extends Error {
  /** Kind of the error. */
  readonly code: ContentStoreErrorCode
  /** The received content, where relevant; otherwise empty. */
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
