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
  /** Files in which contents grow at several positions; undefined if the store has none. */
  assemblies?: Assemblies | undefined
  /** Closes the connections of the store. */
  close(): Promise<void>
}

/** Files in which parts of contents are written at their positions, so that joining them needs no copy. They survive a restart. */
export interface Assemblies {
  /**
   * Writes bytes at a position, and creates the assembly if necessary. They are durable when the promise is fulfilled.
   * @returns false, without writing, if the assembly has been published
   * @throws ContentStoreError `storage-full`
   */
  write(id: string, position: number, bytes: Buffer): Promise<boolean>
  /** Hashes written bytes that never change again, so that {@link hash} need not read them. */
  settle(id: string, position: number, bytes: Buffer): Promise<void>
  /** Reads a range. */
  read(id: string, range?: ByteRange): Promise<Readable>
  /** Returns the SHA-256 of the first `sizeBytes` bytes, which have been written. */
  hash(id: string, sizeBytes: number): Promise<string>
  /** Stores the first bytes as content, without a copy, and discards the rest. {@link remove} does not remove the content. */
  publish(id: string, content: StoredContent): Promise<void>
  /** Deletes an assembly, if it exists. */
  remove(id: string): Promise<void>
  /** Returns the ids of all assemblies. */
  list(): Promise<string[]>
}

/** Expectations about the content, and hooks that run before it is stored. */
export interface WriteOptions {
  /** Expected SHA-256, lower-case hexadecimal. */
  expectedHash?: string | undefined
  /** Expected number of bytes. */
  expectedSize?: number | undefined
  /**
   * Whether nothing else uses the chunks of the source after `onChunk`. Then their memory is freed as soon as they are written, without
   * waiting for the garbage collector. Default false.
   */
  ownsChunks?: boolean | undefined
  /** Receives each chunk; the store waits for the promise before the next one. A rejection discards the content. */
  onChunk?: ((chunk: Buffer) => Promise<void>) | undefined
  /**
   * Called after all bytes have arrived and before they are stored, so that the caller can register it before a clean-up of
   * unreferenced content deletes it. A rejection discards the content.
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
