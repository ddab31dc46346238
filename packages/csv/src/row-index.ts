import { cellStates, type CellState } from './cell-state.ts'

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Number of offsets in a block of an index. */
const blockSize = 65_536
/** Maximum number of rows with a different width that an index lists. */
const maxListedRows = 1000

/**
 * Byte offsets of the rows of a CSV file, for files that are too large to split into cells at once. The index uses 8 bytes
 * per row. Rows follow the rules of `CsvReader`. The encoding must be a superset of ASCII, such as UTF-8. Supports files of
 * up to 4 GB.
 */
export class CsvRowIndex {
  /** Number of complete rows; after `end`, of all rows. Empty lines are not rows. */
  rowCount = 0
  /** Number of cells of the first row. */
  columnCount = 0
  /** Number of cells of the row with the most cells. */
  widestCount = 0
  /** Number of cells of the last complete row. */
  lastCount = 0
  /** Number of rows whose width differs from the first one. */
  unevenCount = 0
  /** Indexes of the first of these rows, from 0. */
  readonly unevenRows: number[] = []
  /** Whether the file ended within a quoted cell. */
  isUnclosed = false
  /** Whether the file has more rows than are indexed. Rows beyond the limit are not counted anywhere. */
  isCut = false
  readonly #separator: number
  readonly #maxRows: number
  readonly #starts: Uint32Array[] = []
  readonly #ends: Uint32Array[] = []
  #position = 0
  #rowStart = 0
  #cells = 1
  #state: CellState = cellStates.start

  /**
   * @param separator character between cells. Default: comma.
   * @param maxRows maximum number of rows to index. Default: no limit.
   */
  constructor(separator = ',', maxRows = Infinity) {
    this.#separator = separator.charCodeAt(0)
    this.#maxRows = maxRows
  }

  /** Adds the next bytes of the file. */
  add(chunk: Uint8Array): void {
    const { start, plain, quoted, quoteSeen } = cellStates
    const separator = this.#separator
    const offset = this.#position
    const { length } = chunk
    let state = this.#state
    let at = 0
    if (offset === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) {
      at = 3
      this.#rowStart = 3
    }
    for (; at < length; at++) {
      const byte = chunk[at]!
      if (state === quoted) {
        // Searches long quoted cells natively.
        if (byte !== quote) at = chunk.indexOf(quote, at)
        if (at < 0) break
        state = quoteSeen
      } else if (state === quoteSeen && byte === quote) state = quoted
      else if (byte === separator) {
        this.#cells++
        state = start
      } else if (byte === lineFeed || byte === carriageReturn) {
        this.#endRow(offset + at)
        this.#rowStart = offset + at + 1
        state = start
      } else if (state === start) state = byte === quote ? quoted : plain
    }
    this.#state = state
    this.#position += length
  }

  /** Adds the last row after the last bytes. */
  end(): void {
    this.isUnclosed = this.#state === cellStates.quoted
    this.#endRow(this.#position)
  }

  /** Returns the offset of the first byte of a row and the offset after its last byte, excluding the line ending. */
  rangeOf(row: number): { start: number; end: number } {
    const block = Math.floor(row / blockSize)
    const at = row % blockSize
    if (row < 0 || row >= this.rowCount) throw new RangeError(`There is no row ${row}.`)
    return { start: this.#starts[block]![at]!, end: this.#ends[block]![at]! }
  }

  #endRow(end: number): void {
    const cells = this.#cells
    this.#cells = 1
    if (end === this.#rowStart) return
    if (this.rowCount >= this.#maxRows) {
      this.isCut = true
      return
    }
    this.lastCount = cells
    if (cells > this.widestCount) this.widestCount = cells
    if (this.rowCount === 0) this.columnCount = cells
    else if (cells !== this.columnCount) {
      this.unevenCount++
      if (this.unevenRows.length < maxListedRows) this.unevenRows.push(this.rowCount)
    }
    const at = this.rowCount % blockSize
    if (at === 0) {
      this.#starts.push(new Uint32Array(blockSize))
      this.#ends.push(new Uint32Array(blockSize))
    }
    this.#starts.at(-1)![at] = this.#rowStart
    this.#ends.at(-1)![at] = end
    this.rowCount++
  }
}
