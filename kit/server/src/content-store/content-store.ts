import type { Readable } from 'node:stream'

/** Stores content under its SHA-256 hash. Equal content is stored once, and content never changes. */
export interface ContentStore {
  /**
   * Stores a stream with constant memory. When the promise resolves, the content is durable. If it rejects, nothing is
   * stored. Existing content is not stored again.
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
  /** Files that uploads can write at several positions; undefined if the store does not support them. */
  assemblies?: Assemblies | undefined
  /** Closes the connections of the store. */
  close(): Promise<void>
}

/**
 * Files into which parts of uploads are written at their final positions, so that joining the parts needs no copy. They
 * survive a restart.
 */
export interface Assemblies {
  /**
   * Writes bytes at a position, and creates the assembly if necessary. When the promise resolves, the bytes are durable.
   * @returns false, without writing, if the assembly has been published
   * @throws ContentStoreError `storage-full`
   */
  write(id: string, position: number, bytes: Buffer): Promise<boolean>
  /** Hashes bytes that have been written and will not change, so that {@link hash} need not read them. */
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
   * Whether only the store uses the chunks after `onChunk`. If so, it frees their memory as soon as they are written,
   * without waiting for the garbage collector. Default false.
   */
  ownsChunks?: boolean | undefined
  /**
   * Called with each chunk. The store waits for the promise before it requests the next chunk. A rejection discards the
   * content.
   */
  onChunk?: ((chunk: Buffer) => Promise<void>) | undefined
  /**
   * Called after all bytes have arrived and before the content is stored. The caller can register the content here, so that
   * the clean-up of unreferenced content does not delete it. A rejection discards the content.
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

/** Error of a content store. */
export class ContentStoreError extends Error {
  /** Kind of the error. */
  readonly code: ContentStoreErrorCode
  /** Hash and size of the received content, for mismatches; otherwise empty. */
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
