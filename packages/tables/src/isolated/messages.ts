import type { TablePreviewOptions } from '../table-preview.ts'
import type { TableConversion } from './conversion.ts'

/** Work of a process. */
export type TableWork = { conversion: TableConversion } | { preview: TablePreviewOptions }

/** Message to the process. */
export type ToProcess =
  | { type: 'start'; work: TableWork; sizeBytes: number }
  /** Response to a read; undefined if it failed. */
  | { type: 'bytes'; bytes: Uint8Array | undefined }
  /** Request for the next part of the result. */
  | { type: 'next' }

/** Message from the process. */
export type FromProcess =
  /** Request for bytes of the source, from `start` to before `end`. */
  | { type: 'read'; start: number; end: number }
  | { type: 'part'; bytes: Uint8Array }
  | { type: 'end' }
  /** The content cannot be converted. The message is a sentence for users. */
  | { type: 'refused'; message: string }
  /** An unexpected error. */
  | { type: 'failed'; message: string }
