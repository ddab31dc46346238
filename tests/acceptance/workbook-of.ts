import { Buffer } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { convertTable } from '@headwater/tables'

/** Returns a workbook with the rows of a CSV text. */
export function workbookOf(csv: string): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.from(csv)
  const source = {
    sizeBytes: bytes.length,
    read: async (start: number, end: number) => bytes.subarray(start, end),
  }
  return buffer(convertTable(source, { formats: 'CSV to XLSX' }, new AbortController().signal))
}
