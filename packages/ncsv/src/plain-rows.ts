import type { NcsvHeader } from './header.ts'
import type { NcsvBatch } from './ncsv-batch.ts'
import { daysSinceEpoch, earliestMs, latestMs, parseDateBytes } from './parse-date.ts'
import { exactDigits, powersOfTen } from './parse-number.ts'
import type { ZoneClock } from '@headwater/zones'

const comma = 0x2c
const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d
const minus = 0x2d
const point = 0x2e
const zero = 0x30

/** Kind of a cell, which determines how it is parsed. */
type CellKind = 'symbol' | 'timestamp' | 'double' | 'integer' | 'date' | 'string'

/** Returns the number of the symbol with this raw text; -1 for a new symbol. */
export type FindSymbol = (bytes: Buffer, start: number, end: number) => number

/**
 * Fast path for plain rows, in one pass over their bytes. A plain row starts with a known symbol and has no quotes, spaces
 * or exponents, and no number with more than 15 digits. The reader stops before any other row, valid or not; the caller then
 * parses that row cell by cell.
 */
export class PlainRows {
  readonly #kinds: readonly CellKind[]
  /** For each cell, the index of its value column. */
  readonly #valueIndexes: readonly number[]
  readonly #symbolCount: number
  readonly #zone: ZoneClock
  readonly #findSymbol: FindSymbol
  /** Raw text of the latest symbol, at the start of the buffer, and its number. */
  #latest: Buffer = Buffer.alloc(256)
  #latestLength = -1
  #latestSymbol = -1
  #at = 0
  /** End of the last parsed number. */
  #end = 0

  private constructor(header: NcsvHeader, zone: ZoneClock, findSymbol: FindSymbol) {
    const kinds: CellKind[] = header.symbolColumns.map(() => 'symbol')
    const valueIndexes: number[] = header.symbolColumns.map(() => 0)
    if (header.dateColumn) kinds[header.dateColumn.index] = 'timestamp'
    for (const [position, { index, type }] of header.valueColumns.entries()) {
      kinds[index] = type
      valueIndexes[index] = position
    }
    this.#kinds = kinds
    this.#valueIndexes = valueIndexes
    this.#symbolCount = header.symbolColumns.length
    this.#zone = zone
    this.#findSymbol = findSymbol
  }

  /** Creates a reader for files with this header. Returns undefined if their rows are never plain. */
  static for(header: NcsvHeader, zone: ZoneClock, findSymbol: FindSymbol): PlainRows | undefined {
    const { symbolColumns, metadataColumns } = header
    const areSymbolsFirst = symbolColumns.every((column, position) => column.index === position)
    if (!areSymbolsFirst || metadataColumns.length > 0) return undefined
    return new PlainRows(header, zone, findSymbol)
  }

  /** Start of the first unread row. */
  get position(): number {
    return this.#at
  }

  /**
   * Reads plain rows from `start` on into the batch, until the batch is full or a row is not plain.
   * @param end position after a line feed; all bytes before it must be available
   * @returns the number of rows read
   */
  read(bytes: Buffer, start: number, end: number, batch: NcsvBatch, capacity: number): number {
    const before = batch.rowCount
    this.#at = start
    while (this.#at < end && batch.rowCount < capacity) {
      const next = this.#readRow(bytes, this.#at, batch)
      if (next < 0) break
      batch.rowCount++
      this.#at = next
    }
    return batch.rowCount - before
  }

  /** Returns the start of the next row; -1 if this one is not plain. */
  #readRow(bytes: Buffer, start: number, batch: NcsvBatch): number {
    let at = this.#readSymbol(bytes, start)
    if (at < 0) return -1
    const row = batch.rowCount
    batch.symbols[row] = this.#latestSymbol
    const kinds = this.#kinds
    const last = kinds.length - 1
    for (let column = this.#symbolCount; column <= last; column++) {
      const kind = kinds[column]!
      if (kind === 'double' || kind === 'integer') {
        const value = this.#readNumber(bytes, at)
        at = this.#end
        if (at < 0 || (kind === 'integer' && Math.floor(value) !== value && !Number.isNaN(value))) return -1
        batch.values[this.#valueIndexes[column]!]![row] = value
      } else if (kind === 'timestamp') {
        const end = endOfCell(bytes, at)
        const timestamp = end < 0 ? Number.NaN : this.#readTimestamp(bytes, at, end)
        if (Number.isNaN(timestamp)) return -1
        batch.timestamps[row] = timestamp
        at = end
      } else {
        const end = endOfCell(bytes, at)
        if (end < 0) return -1
        const values = batch.values[this.#valueIndexes[column]!]!
        if (kind === 'date') {
          const date = end === at ? Number.NaN : parseDateBytes(bytes, at, end, this.#zone)
          if (Number.isNaN(date) && end > at) return -1
          values[row] = date
        } else {
          if (!isAscii(bytes, at, end)) return -1
          values[row] = end === at ? null : bytes.toString('latin1', at, end)
        }
        at = end
      }
      const separator = bytes[at]!
      if (column < last) {
        if (separator !== comma) return -1
        at++
      }
    }
    if (bytes[at] === carriageReturn) at++
    return bytes[at] === lineFeed ? at + 1 : -1
  }

  /** Returns the start of the cell after the symbol cell; -1 if the symbol is new or not plain. */
  #readSymbol(bytes: Buffer, start: number): number {
    const latest = this.#latest
    const length = this.#latestLength
    let same = 0
    while (same < length && bytes[start + same] === latest[same]) same++
    if (same === length && bytes[start + length] === comma) return start + length + 1
    let end = start
    for (let cell = 0; cell < this.#symbolCount; cell++) {
      if (cell > 0) end++
      end = endOfCell(bytes, end)
      if (end < 0 || bytes[end] !== comma) return -1
    }
    if (bytes[start] === 0x23) return -1
    const symbol = this.#findSymbol(bytes, start, end)
    if (symbol < 0) return -1
    if (end - start > this.#latest.length) this.#latest = Buffer.alloc((end - start) * 2)
    bytes.copy(this.#latest, 0, start, end)
    this.#latestLength = end - start
    this.#latestSymbol = symbol
    return end + 1
  }

  /** Parses a number. Returns NaN for an empty cell. Sets `#end` to its end, or to -1 if it is not plain. */
  #readNumber(bytes: Buffer, start: number): number {
    let at = start
    let byte = bytes[at]!
    const isNegative = byte === minus
    if (isNegative) byte = bytes[++at]!
    const digitsStart = at
    let mantissa = 0
    while (byte >= zero && byte <= 0x39) {
      mantissa = mantissa * 10 + (byte - zero)
      byte = bytes[++at]!
    }
    let digits = at - digitsStart
    let decimals = 0
    if (byte === point) {
      const decimalsStart = at + 1
      byte = bytes[++at]!
      while (byte >= zero && byte <= 0x39) {
        mantissa = mantissa * 10 + (byte - zero)
        byte = bytes[++at]!
      }
      decimals = at - decimalsStart
      digits += decimals
    }
    const isEnd = byte === comma || byte === lineFeed || byte === carriageReturn
    this.#end = isEnd && digits <= exactDigits && (digits > 0 || at === start) ? at : -1
    if (digits === 0) return Number.NaN
    const value = decimals === 0 ? mantissa : mantissa / powersOfTen[decimals]!
    return isNegative ? -value : value
  }

  /** Parses `2024-05-26T10:00:00Z`, or any other date. */
  #readTimestamp(bytes: Buffer, start: number, end: number): number {
    if (end - start !== 20 || bytes[start + 10] !== 0x54 || bytes[start + 19] !== 0x5a)
      return parseDateBytes(bytes, start, end, this.#zone)
    if (
      bytes[start + 4] !== minus ||
      bytes[start + 7] !== minus ||
      bytes[start + 13] !== 0x3a ||
      bytes[start + 16] !== 0x3a
    )
      return Number.NaN
    const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2)
    const days = daysSinceEpoch(year, twoDigits(bytes, start + 5), twoDigits(bytes, start + 8))
    const hour = twoDigits(bytes, start + 11)
    const minute = twoDigits(bytes, start + 14)
    const second = twoDigits(bytes, start + 17)
    if (!(hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN
    const timestamp = days * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000
    return timestamp >= earliestMs && timestamp <= latestMs ? timestamp : Number.NaN
  }
}

/** Returns the end of an unquoted cell; -1 for a quoted cell. */
function endOfCell(bytes: Buffer, start: number): number {
  let at = start
  let byte = bytes[at]!
  if (byte === quote) return -1
  while (byte !== comma && byte !== lineFeed && byte !== carriageReturn) byte = bytes[++at]!
  return at
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! >= 0x80) return false
  return true
}

/** Parses two digits. If they are not digits, returns a number that is too large for an hour, minute or day. */
function twoDigits(bytes: Buffer, at: number): number {
  const tens = bytes[at]! - zero
  const ones = bytes[at + 1]! - zero
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100_000
}
