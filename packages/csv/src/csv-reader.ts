/** Thrown for text that is no CSV; the message says what is wrong in which row. Empty lines count as rows. */
export class CsvError extends Error {}

const quote = 34
const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = 0xfeff

export interface CsvReaderOptions {
  /** Character between cells. Default a comma. */
  separator?: string
  /** Most characters of a cell; a quote that is never closed would swallow the rest of a file. Default: no limit. */
  maxCellLength?: number
}

/**
 * Reads CSV (RFC 4180) in pieces of text. Lines end with LF, CRLF or CR; a byte order mark is dropped; cells in quotes may hold separators,
 * line ends and doubled quotes. An empty line is a row of one empty cell.
 */
export class CsvReader {
  readonly #onRow: (row: string[]) => boolean | void
  readonly #separator: number
  readonly #maxCellLength: number
  /** Cells of a row that has not ended. */
  #row: string[] = []
  /** Text of a cell that has not ended. */
  #rest = ''
  #rowNumber = 1
  #hasBegun = false
  /** Whether a separator was read last, which another cell follows, perhaps an empty one. */
  #isAfterSeparator = false
  #isStopped = false

  /** @param onRow takes each row; `false` stops the reader, which ignores all further text */
  constructor(
    onRow: (row: string[]) => boolean | void,
    { separator = ',', maxCellLength = Infinity }: CsvReaderOptions = {},
  ) {
    this.#onRow = onRow
    this.#separator = separator.charCodeAt(0)
    this.#maxCellLength = maxCellLength
  }

  /** @throws CsvError for text behind a closing quote and for a cell that is too long */
  push(piece: string): void {
    if (piece === '') return
    const text = !this.#hasBegun && piece.charCodeAt(0) === byteOrderMark ? piece.slice(1) : piece
    this.#hasBegun = true
    this.#read(this.#rest === '' ? text : this.#rest + text, false)
    if (this.#rest.length > this.#maxCellLength)
      throw new CsvError(`A cell in row ${this.#rowNumber} never ends.`)
  }

  /**
   * Reads what is left once all pieces are there.
   * @throws CsvError as `push` does, and for a quote that is never closed
   */
  end(): void {
    this.#read(this.#rest, true)
    if (this.#isStopped) return
    if (this.#isAfterSeparator) this.#row.push('')
    if (this.#row.length > 0) this.#onRow(this.#row)
  }

  #read(text: string, hasEnded: boolean): void {
    const separator = this.#separator
    const { length } = text
    let row = this.#row
    let at = 0
    while (at < length && !this.#isStopped) {
      let end = at
      let cell: string
      if (text.charCodeAt(at) === quote) {
        const close = closingQuote(text, at)
        end = close + 1
        if (close < 0 && hasEnded) throw new CsvError(`A quote in row ${this.#rowNumber} is never closed.`)
        if (close < 0 || (end === length && !hasEnded)) break
        const code = text.charCodeAt(end)
        if (end < length && code !== separator && code !== lineFeed && code !== carriageReturn)
          throw new CsvError(`There is text behind a closing quote in row ${this.#rowNumber}.`)
        cell = text.slice(at + 1, close).replaceAll('""', '"')
      } else {
        for (; end < length; end++) {
          const code = text.charCodeAt(end)
          if (code === separator || code === lineFeed || code === carriageReturn) break
        }
        if (end === length && !hasEnded) break
        cell = text.slice(at, end)
      }
      const code = text.charCodeAt(end)
      // A line feed may follow with the next piece.
      if (code === carriageReturn && end + 1 === length && !hasEnded) break
      row.push(cell)
      at = end + 1
      this.#isAfterSeparator = code === separator
      if (this.#isAfterSeparator) continue
      if (code === carriageReturn && text.charCodeAt(at) === lineFeed) at++
      this.#rowNumber++
      this.#isStopped = this.#onRow(row) === false
      row = []
    }
    this.#row = row
    this.#rest = this.#isStopped ? '' : text.slice(at)
  }
}

/** Place of the quote that closes the one at `start`; -1 if it is not in the text. */
function closingQuote(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    at = text.indexOf('"', at)
    if (at < 0 || text.charCodeAt(at + 1) !== quote) return at
    at += 2
  }
}

export interface ParseCsvOptions {
  /** Character between cells. Default a comma. */
  separator?: string
  /** Whether an empty line is a row of one empty cell. Default: it is left out. */
  keepsEmptyLines?: boolean
}

/**
 * Reads CSV that is at hand as a whole, by the rules of {@link CsvReader}.
 * @throws CsvError for a quote that is never closed, and for text behind a closing quote
 */
export function parseCsv(
  text: string,
  { separator = ',', keepsEmptyLines = false }: ParseCsvOptions = {},
): string[][] {
  const rows: string[][] = []
  const take = (row: string[]) => {
    if (keepsEmptyLines || !isEmptyLine(row)) rows.push(row)
  }
  const reader = new CsvReader(take, { separator })
  reader.push(text)
  reader.end()
  return rows
}

/** Whether a row comes from an empty line. */
export function isEmptyLine(row: readonly string[]): boolean {
  return row.length === 1 && row[0] === ''
}
