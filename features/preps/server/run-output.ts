import { formatCsvRow, parseCsv } from '@headwater/csv'
import { parseTypeSuffix } from '@headwater/ncsv'
import { valueOfKey, type SymbolItem } from '@headwater/symbols/contract'

/** Differences of the file of a run from the response of its data query. */
export interface OutputShape {
  /** Whether double columns, which have no type suffix, get `(DB)`. */
  withType: boolean
  /** Yields all matching symbols, in pieces; those without a row get one without date and values at the end. */
  symbols?: (() => AsyncIterable<readonly SymbolItem[]>) | undefined
}

/** Progress of writing a file. */
export interface OutputProgress {
  /** Number of rows below the header. */
  rows: number
}

/**
 * Yields the bytes of the file of a run: those of the response, with the changes of the shape.
 * @param progress updated while the bytes are read
 */
export async function* shapeOutput(
  response: AsyncIterable<Uint8Array>,
  shape: OutputShape,
  progress: OutputProgress,
): AsyncGenerator<Buffer> {
  const records = createRecordReader()
  const seen = new Set<string>()
  let header: OutputHeader | undefined
  let held: Buffer[] = []
  let last = Buffer.alloc(0)

  function noteSymbol(bytes: Buffer, start: number, count: number): void {
    const end = endOfCells(bytes, start, count)
    if (end - start === last.length && bytes.compare(last, 0, last.length, start, end) === 0) return
    last = Buffer.from(bytes.subarray(start, end))
    seen.add(last.toString())
  }

  for await (const given of response) {
    const chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    const hadHeader = header !== undefined
    records.read(chunk, (bytes, start, end) => {
      if (header === undefined) {
        header = readHeader(bytes.toString('utf8', start, end), end - start)
        return
      }
      progress.rows += 1
      if (shape.symbols !== undefined) noteSymbol(bytes, start, header.symbolKeys.length)
    })
    if (hadHeader) yield chunk
    else held.push(chunk)
    if (hadHeader || header === undefined) continue
    const all = Buffer.concat(held)
    held = []
    yield shape.withType ? Buffer.concat([typedHeader(header), all.subarray(header.bytes)]) : all
  }
  yield* held
  if (shape.symbols === undefined || header === undefined) return
  for await (const piece of shape.symbols()) {
    const rows = piece.flatMap((symbol) => emptyRow(symbol, header!, seen))
    progress.rows += rows.length
    if (rows.length > 0) yield Buffer.from(rows.join(''))
  }
}

interface OutputHeader {
  cells: string[]
  /** Length of the line in bytes, with its end. */
  bytes: number
  symbolKeys: string[]
}

function readHeader(record: string, bytes: number): OutputHeader {
  const [cells = []] = parseCsv(record)
  const date = cells.findIndex((cell) => /^Date\(.*\)$/.test(cell))
  return { cells, bytes, symbolKeys: date < 0 ? [] : cells.slice(0, date) }
}

function typedHeader({ cells, symbolKeys }: OutputHeader): Buffer {
  const typed = cells.map((cell, index) =>
    index > symbolKeys.length && parseTypeSuffix(cell).name === cell ? `${cell}(DB)` : cell,
  )
  return Buffer.from(`${formatCsvRow(typed)}\n`)
}

function emptyRow({ symbols, metadata }: SymbolItem, header: OutputHeader, seen: Set<string>): string[] {
  const { cells, symbolKeys } = header
  const first = formatCsvRow(symbolKeys.map((key) => valueOfKey(symbols, key)))
  if (symbolKeys.length === 0 || seen.has(first)) return []
  seen.add(first)
  const rest = cells.slice(symbolKeys.length).map((cell) => {
    const { name, isMetadata } = parseTypeSuffix(cell)
    return isMetadata ? valueOfKey(metadata, name) : ''
  })
  return [`${first},${formatCsvRow(rest)}\n`]
}

const lineFeed = 0x0a
const quoteMark = 0x22
const comma = 0x2c

type OnRecord = (bytes: Buffer, start: number, end: number) => void

/** Creates a reader that finds records in a stream of bytes. A line ending between quotes is part of a cell. */
function createRecordReader() {
  let left: Buffer = Buffer.alloc(0)
  return {
    /** Calls `onRecord` for every complete record, including its line ending. */
    read(chunk: Buffer, onRecord: OnRecord): void {
      const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk])
      let start = 0
      let at = 0
      let quote = indexFrom(bytes, quoteMark, 0)
      for (;;) {
        const end = indexFrom(bytes, lineFeed, at)
        if (quote < end) {
          const closing = indexFrom(bytes, quoteMark, quote + 1)
          if (closing === Infinity) break
          at = closing + 1
          quote = indexFrom(bytes, quoteMark, at)
          continue
        }
        if (end === Infinity) break
        onRecord(bytes, start, end + 1)
        start = end + 1
        at = start
      }
      left = Buffer.from(bytes.subarray(start))
    },
  }
}

function indexFrom(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from)
  return index < 0 ? Infinity : index
}

/** Returns the index after the first cells of the record at `start`. */
function endOfCells(bytes: Buffer, start: number, count: number): number {
  let inQuotes = false
  let left = count
  let at = start
  for (; left > 0 && at < bytes.length; at++) {
    if (bytes[at] === quoteMark) inQuotes = !inQuotes
    else if (bytes[at] === comma && !inQuotes) left--
  }
  return Math.max(start, at - 1)
}
