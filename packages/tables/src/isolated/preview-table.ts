import { TableError, type ByteSource } from '../table.ts'
import type { TablePreview, TablePreviewOptions } from '../table-preview.ts'
import { runIsolated } from './run-isolated.ts'

/** Limits of a preview in its process. */
export interface PreviewLimits {
  /** Aborts the preview. */
  signal: AbortSignal
  /** Maximum time, in milliseconds. */
  maxMs: number
}

/**
 * Reads the beginning of a workbook or a Parquet file in a separate process.
 * @throws TableError if the content cannot be read or reading takes too long; `signal.reason` if the signal aborts
 */
export async function previewTable(
  source: ByteSource,
  preview: TablePreviewOptions,
  { signal, maxMs }: PreviewLimits,
): Promise<TablePreview> {
  const timeout = AbortSignal.timeout(maxMs)
  const parts: Uint8Array[] = []
  try {
    const limits = { signal: AbortSignal.any([signal, timeout]), stallMs: maxMs }
    for await (const part of runIsolated(source, { preview }, limits)) parts.push(part)
  } catch (error) {
    if (signal.aborted || error !== timeout.reason) throw error
    throw new TableError(`The file could not be read within ${maxMs / 1000} seconds.`)
  }
  return JSON.parse(Buffer.concat(parts).toString()) as TablePreview
}
