import { CsvRowIndex, detectEncoding, findSeparator, type TextEncoding } from '@headwater/csv'

/** Number of rows per message of the worker. */
export const workerStep = 1000
/** Bytes between two messages about the progress. */
const progressBytes = 1_048_576
/** Bytes at the beginning of a file that decide its encoding and separator. */
const sampleBytes = 65_536

/** The rows of a CSV file over its bytes. */
export interface CsvLayout {
  /** The file; UTF-16 is converted to UTF-8. */
  bytes: Uint8Array<ArrayBuffer>
  /** Encoding of the stored file. */
  encoding: TextEncoding
  /** Character between cells. */
  separator: string
  /** First byte and byte after the last one of each row, {@link workerStep} rows per block. */
  blocks: Uint32Array[]
  /** Number of rows in the grid. */
  rowCount: number
  /** Number of columns of the widest row. */
  columnCount: number
  /** Number of rows whose width differs from the first one. */
  unevenCount: number
  /** The first of these rows, from 0. */
  unevenRows: number[]
  /** Whether the file has more rows than the limit. */
  isCut: boolean
}

/** What to index. */
export interface CsvSource {
  bytes: Uint8Array<ArrayBuffer>
  /** Whether `bytes` is the whole file. */
  isWhole: boolean
  /** Most rows. Default: no limit. */
  maxRows?: number
}

/** Steps of the index: progress in percent, or the positions of the next {@link workerStep} rows. */
export type CsvStep = { percent: number } | { rows: Uint32Array }

/**
 * Finds the rows of a CSV file. A last row whose width differs from that of the first row is no row of the grid. A row that
 * the end of an incomplete file may have cut is not indexed either.
 * @param onStep receives the progress and the positions of rows
 * @returns `binary` or `unclosed` for a damaged file: binary content, or a quote that is never closed
 */
export function indexCsv(
  source: CsvSource,
  onStep: (step: CsvStep) => void,
): Omit<CsvLayout, 'blocks'> | 'binary' | 'unclosed' {
  const { isWhole, maxRows = Infinity } = source
  const sample = source.bytes.subarray(0, sampleBytes)
  let encoding = detectEncoding(sample, isWhole && sample.length === source.bytes.length)
  const bytes = encoding.startsWith('utf-16')
    ? new TextEncoder().encode(new TextDecoder(encoding).decode(source.bytes))
    : source.bytes
  const beginning = new TextDecoder(encoding === 'windows-1252' ? encoding : 'utf-8').decode(
    bytes.subarray(0, sampleBytes),
  )
  const separator = findSeparator(beginning, true)
  const index = new CsvRowIndex(separator, maxRows)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let sent = 0
  const send = (isEnd: boolean) => {
    const last = index.rowCount
    while (last - sent >= workerStep || (isEnd && sent < last)) {
      const count = Math.min(workerStep, last - sent)
      const rows = new Uint32Array(count * 2)
      for (let at = 0; at < count; at++) {
        const { start, end } = index.rangeOf(sent + at)
        rows[at * 2] = start
        rows[at * 2 + 1] = end
      }
      sent += count
      onStep({ rows })
    }
  }
  for (let at = 0; at < bytes.length && !index.isCut; at += progressBytes) {
    const chunk = bytes.subarray(at, at + progressBytes)
    if (chunk.includes(0)) return 'binary'
    index.add(chunk)
    try {
      if (isUtf8) utf8.decode(chunk, { stream: isWhole ? at + progressBytes < bytes.length : true })
    } catch {
      isUtf8 = false
      encoding = 'windows-1252'
    }
    send(false)
    onStep({ percent: Math.min(100, Math.round(((at + chunk.length) / bytes.length) * 100)) })
  }
  if (isWhole && !index.isCut) index.end()
  if (index.isUnclosed) return 'unclosed'
  const isCut = index.isCut || !isWhole
  const indexed = index.rowCount
  const hasPartialEnd = !isCut && indexed > 1 && index.lastCount !== index.columnCount
  const rowCount = hasPartialEnd ? indexed - 1 : indexed
  send(true)
  return {
    bytes,
    encoding,
    separator,
    rowCount,
    columnCount: index.widestCount,
    unevenCount: index.unevenCount - (hasPartialEnd ? 1 : 0),
    unevenRows: index.unevenRows.filter((row) => row < rowCount),
    isCut,
  }
}
