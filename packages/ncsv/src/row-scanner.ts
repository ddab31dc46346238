/** Style of a cell: plain, quoted, quoted with doubled quotes inside, or quoted with text after the closing quote. */
export type CellStyle = 0 | 1 | 2 | 3
/** An unquoted cell. */
export const plainCell = 0
/** A quoted cell with doubled quotes inside. */
export const escapedCell = 2
/** A quoted cell with text after the closing quote. */
export const brokenCell = 3

const comma = 0x2c
const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Finds the cells of comma-separated rows in bytes that arrive in chunks. It buffers one chunk, and the incomplete row at
 * the end of the chunk before it. Line endings are LF, CR or CRLF. After `next` returned true, `starts`, `ends` and `styles`
 * describe the row (positions in `bytes`).
 */
export class RowScanner {
  bytes: Buffer = Buffer.alloc(0)
  /** Number of cells of the current row. */
  cellCount = 0
  starts = new Int32Array(64)
  ends = new Int32Array(64)
  styles = new Uint8Array(64)
  /** First line of the current row, from 1. */
  line = 0
  /** Whether the file ended within a quoted cell. */
  isUnclosed = false
  #memory: Buffer = Buffer.alloc(0)
  #at = 0
  #nextLine = 1
  #skipLineFeed = false

  /** Appends bytes to the unread ones. Invalidates previous rows, because their memory is reused. */
  append(chunk: Buffer): void {
    const pending = this.pendingBytes
    const size = pending + chunk.length
    const memory = size <= this.#memory.length ? this.#memory : Buffer.allocUnsafeSlow(Math.ceil(size * 1.25))
    this.bytes.copy(memory, 0, this.#at)
    chunk.copy(memory, pending)
    this.#memory = memory
    this.bytes = memory.subarray(0, size)
    this.#at = 0
  }

  /** Start of the next row in `bytes`; -1 while it depends on bytes that have not arrived. */
  get position(): number {
    if (!this.#skipLineFeed) return this.#at
    if (this.#at === this.bytes.length) return -1
    if (this.bytes[this.#at] === lineFeed) this.#at++
    this.#skipLineFeed = false
    return this.#at
  }

  /** Skips rows of one line each that another reader has consumed. */
  pass(position: number, rowCount: number): void {
    this.#at = position
    this.#nextLine += rowCount
  }

  /** Number of bytes of the unfinished row. */
  get pendingBytes(): number {
    return this.bytes.length - this.#at
  }

  /** First line of the unfinished row. */
  get pendingLine(): number {
    return this.#nextLine
  }

  /**
   * Moves to the next row that is neither blank nor a comment.
   * @param isLast whether no more bytes will arrive, so that the rest is the last row
   * @returns false if the buffered bytes do not contain a whole row
   */
  next(isLast: boolean): boolean {
    const bytes = this.bytes
    const length = bytes.length
    for (;;) {
      if (this.#skipLineFeed && this.#at < length) {
        if (bytes[this.#at] === lineFeed) this.#at++
        this.#skipLineFeed = false
      }
      if (this.#at >= length) return false
      const isComment = bytes[this.#at] === 0x23
      const end = isComment ? this.#scanComment(isLast) : this.#scanCells(isLast)
      if (end < 0) return false
      if (!isComment && !this.#isBlank()) return true
    }
  }

  #scanComment(isLast: boolean): number {
    const bytes = this.bytes
    let at = this.#at
    while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at++
    if (at === bytes.length && !isLast) return -1
    this.line = this.#nextLine++
    return this.#endLine(at)
  }

  #scanCells(isLast: boolean): number {
    const bytes = this.bytes
    const length = bytes.length
    let at = this.#at
    let cells = 0
    let innerLines = 0
    for (;;) {
      if (cells === this.starts.length) this.#growCells()
      let byte = at < length ? bytes[at]! : -1
      if (byte === quote) {
        let style: CellStyle = 1
        const start = ++at
        for (;;) {
          if (at >= length) {
            if (!isLast) return -1
            this.isUnclosed = true
            break
          }
          byte = bytes[at]!
          if (byte === quote) {
            if (at + 1 >= length && !isLast) return -1
            if (bytes[at + 1] !== quote) break
            style = escapedCell
            at++
          } else if (byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) {
            innerLines++
          }
          at++
        }
        this.starts[cells] = start
        this.ends[cells] = Math.min(at, length)
        if (at < length) at++
        byte = at < length ? bytes[at]! : -1
        while (at < length && byte !== comma && byte !== lineFeed && byte !== carriageReturn) {
          if (byte !== 0x20) style = brokenCell
          byte = ++at < length ? bytes[at]! : -1
        }
        this.styles[cells] = style
      } else {
        this.starts[cells] = at
        while (byte !== comma && byte !== lineFeed && byte !== carriageReturn) {
          if (++at >= length) {
            at = length
            break
          }
          byte = bytes[at]!
        }
        this.ends[cells] = at
        this.styles[cells] = plainCell
      }
      cells++
      if (at < length && byte === comma) {
        at++
        continue
      }
      if (at >= length && !isLast) return -1
      this.cellCount = cells
      this.line = this.#nextLine
      this.#nextLine += 1 + innerLines
      return this.#endLine(at)
    }
  }

  #endLine(at: number): number {
    this.#skipLineFeed = this.bytes[at] === carriageReturn
    this.#at = Math.min(at + 1, this.bytes.length)
    return this.#at
  }

  #isBlank(): boolean {
    if (this.cellCount !== 1 || this.styles[0] !== plainCell) return false
    for (let at = this.starts[0]!; at < this.ends[0]!; at++) {
      if (this.bytes[at] !== 0x20 && this.bytes[at] !== 0x09) return false
    }
    return true
  }

  #growCells(): void {
    const grow = <T extends Int32Array | Uint8Array>(old: T, fresh: T): T => {
      fresh.set(old)
      return fresh
    }
    const size = this.starts.length * 2
    this.starts = grow(this.starts, new Int32Array(size))
    this.ends = grow(this.ends, new Int32Array(size))
    this.styles = grow(this.styles, new Uint8Array(size))
  }
}
