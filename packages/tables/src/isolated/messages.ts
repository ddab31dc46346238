import type { TableConversion } from './conversion.ts'

/** Message to the conversion process. */
export type ToProcess =
  | { type: 'start'; conversion: TableConversion; sizeBytes: number }
  /** Response to a read; undefined if it failed. */
  | { type: 'bytes'; bytes: Uint8Array | undefined }
  /** Request for the next part of the result. */
  | { type: 'next' }

/** Message from the conversion process. */
export type FromProcess =
  /** Request for bytes of the source, from `start` to before `end`. */
  | { type: 'read'; start: number; end: number }
  | { type: 'part'; bytes: Uint8Array }
  | { type: 'end' }
  /** The content cannot be converted, with a sentence for users. */
  | { type: 'refused'; message: string }
  /** An unexpected error. */
  | { type: 'failed'; message: string }
