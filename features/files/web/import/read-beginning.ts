import { detectEncoding, readCsvSample, type CsvSample } from '@headwater/csv'

/** Number of bytes at the beginning of a file on which suggestions are based. */
const beginningBytes = 256 * 1024

/**
 * Reads the beginning of a CSV file.
 * @param hasHeader whether the first row contains names; default detected
 * @returns a message for a file that is not CSV or has no rows
 */
export async function readBeginning(
  file: Blob,
  hasHeader?: boolean,
): Promise<CsvSample | { problem: string }> {
  const isWhole = file.size <= beginningBytes
  const bytes = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer())
  const text = new TextDecoder(detectEncoding(bytes, isWhole)).decode(bytes, { stream: !isWhole })
  if (text.includes('\0'))
    return { problem: 'The file is not text. Save it as CSV, for example from a spreadsheet.' }
  return readCsvSample(text, isWhole, hasHeader)
}
