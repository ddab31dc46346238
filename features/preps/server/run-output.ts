import { formatCsvCell, parseTypeSuffix } from '@headwater/ncsv'
import type { SymbolItem } from '@headwater/symbols/contract'

/** How the file of a run differs from the answer to its data query. */
export interface OutputShape {
  /** Whether value columns of doubles, which carry no type, get `(DB)`. */
  withType: boolean
  /** Every symbol that is meant, in pieces; those without a row in the answer get one without date and values at the end. */
  symbols?: (() => AsyncIterable<readonly SymbolItem[]>) | undefined
}

/** How far the writing of a file is. */
export interface OutputProgress {
  /** Rows below the header. */
  rows: number
}

/**
 * The bytes of the file of a run: those of the answer as they come, changed only where the shape asks for it.
 * @param progress is kept up to date while the bytes are read
 */
export async function* shapeOutput(
  answer: AsyncIterable<Uint8Array>,
  shape: OutputShape,
  progress: OutputProgress,
): AsyncGenerator<Buffer> {
  const records = createRecordReader()
  const seen = new Set<string>()
  let header: OutputHeader | undefined
  let held: Buffer[] = []
  let last = ''
  for await (const bytes of answer) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const hadHeader = header !== undefined
    for (const record of records.read(chunk)) {
      if (header === undefined) {
        header = readHeader(record)
        continue
      }
      progress.rows += 1
      if (shape.symbols === undefined) continue
      const symbol = firstCells(record, header.symbolKeys.length)
      if (symbol !== last) seen.add((last = symbol))
    }
    if (hadHeader) yield chunk
    else held.push(chunk)
    if (hadHeader || header === undefined) continue
    const all = Buffer.concat(held)
    held = []
    if (shape.withType) {
      yield Buffer.from(`${header.cells.map(withType(header)).map(formatCsvCell).join(',')}\n`)
      yield all.subarray(header.bytes)
    } else yield all
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
  /** Length of the line with its end. */
  bytes: number
  symbolKeys: string[]
}

function readHeader(record: string): OutputHeader {
  const cells = splitRecord(
    Buffer.from(record, 'latin1')
      .toString('utf8')
      .replace(/\r?\n$/, ''),
  )
  const date = cells.findIndex((cell) => /^Date\(.*\)$/.test(cell))
  return { cells, bytes: record.length, symbolKeys: date < 0 ? [] : cells.slice(0, date) }
}

function withType({ symbolKeys }: OutputHeader): (cell: string, index: number) => string {
  return (cell, index) =>
    index > symbolKeys.length && parseTypeSuffix(cell).name === cell ? `${cell}(DB)` : cell
}

function emptyRow({ symbols, metadata }: SymbolItem, header: OutputHeader, seen: Set<string>): string[] {
  const { cells, symbolKeys } = header
  const first = symbolKeys.map((key) => formatCsvCell(ownValue(symbols, key))).join(',')
  const place = Buffer.from(first).toString('latin1')
  if (symbolKeys.length === 0 || seen.has(place)) return []
  seen.add(place)
  const rest = cells.slice(symbolKeys.length).map((cell) => {
    const { name, isMetadata } = parseTypeSuffix(cell)
    return isMetadata ? formatCsvCell(ownValue(metadata, name)) : ''
  })
  return [`${[first, ...rest].join(',')}\n`]
}

/** Names are those of users, who may call a key `constructor`, which every object inherits. */
function ownValue(map: Record<string, string>, name: string): string {
  return Object.hasOwn(map, name) ? map[name]! : ''
}

/** Splits bytes into records, with their line ends, as text of one character for each byte. */
function createRecordReader() {
  let left = ''
  return {
    *read(chunk: Buffer): Generator<string> {
      const text = left + chunk.toString('latin1')
      let start = 0
      let end = recordEnd(text, start)
      while (end > 0) {
        yield text.slice(start, end)
        start = end
        end = recordEnd(text, start)
      }
      left = text.slice(start)
    },
  }
}

/** Index behind the line end of the record that begins at `start`; 0 when it is not complete. A line end between quotes belongs to a cell. */
function recordEnd(text: string, start: number): number {
  let at = start
  for (;;) {
    const end = text.indexOf('\n', at)
    if (end < 0) return 0
    const quote = text.indexOf('"', at)
    if (quote < 0 || quote > end) return end + 1
    const closing = text.indexOf('"', quote + 1)
    if (closing < 0) return 0
    at = closing + 1
  }
}

/** The first cells of a record as they are written. */
function firstCells(record: string, count: number): string {
  let at = 0
  for (let cell = 0; cell < count; cell++) {
    while (record[at] === '"') at = record.indexOf('"', at + 1) + 1
    at = record.indexOf(',', at) + 1
  }
  return record.slice(0, Math.max(0, at - 1))
}

function splitRecord(line: string): string[] {
  const cells: string[] = []
  for (const [, quoted, plain = ''] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g))
    cells.push(quoted?.replaceAll('""', '"') ?? plain)
  return cells
}
