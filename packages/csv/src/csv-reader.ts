/** Thrown for invalid CSV. The message states the problem and the line on which the row begins. */
export class CsvError extends Error {}

const quote = 34
const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = 0xfeff

/** Options of a {@link CsvReader}. */
export interface CsvReaderOptions {
  /** Character between cells. Default: comma. */
  separator?: string
  /**
   * Maximum length of a cell in characters, including its quotes. It prevents an unclosed quote from consuming the rest
   * of a file. Default: no limit.
   */
  maxCellLength?: number
}

/**
 * Parses CSV (RFC 4180) incrementally. Lines end with LF, CRLF or CR; a byte order mark is dropped; quoted cells may
 * contain separators, line breaks and doubled quotes. An empty line is a row of one empty cell.
 */
export class CsvReader {
  readonly #onRow: (row: string[], line: number) => boolean | void
  readonly #separator: number
  readonly #maxCellLength: number
  /** Cells of the unfinished row. */
  #row: string[] = []
  /** Text of the unfinished cell. */
  #rest = ''
  /** Line of the unfinished row, and the number of line breaks in its cells. */
  #line = 1
  #innerLines = 0
  #hasBegun = false
  /** Whether the last character was a separator, so that another, possibly empty, cell follows. */
  #isAfterSeparator = false
  #isStopped = false

  /**
   * @param onRow receives each row and the line of the text on which it begins, from 1; returning `false` stops the
   *   reader, which ignores all further text
   */
  constructor(
    onRow: (row: string[], line: number) => boolean | void,
    { separator = ',', maxCellLength = Infinity }: CsvReaderOptions = {},
  ) {
    this.#onRow = onRow
    this.#separator = separator.charCodeAt(0)
    this.#maxCellLength = maxCellLength
  }

  /**
   * Parses the next piece of text.
   * @throws CsvError for text after a closing quote and for a cell that is too long
   */
  push(piece: string): void {
    if (piece === '') return
    const text = !this.#hasBegun && piece.charCodeAt(0) === byteOrderMark ? piece.slice(1) : piece
    this.#hasBegun = true
    this.#read(this.#rest === '' ? text : this.#rest + text, false)
    // A carriage return at the end of the text can be the line ending after the cell.
    this.#requireLength(this.#rest.length - (this.#rest.endsWith('\r') ? 1 : 0))
  }

  /**
   * Parses the remaining text after the last piece.
   * @throws CsvError as `push` does, and for an unclosed quote
   */
  end(): void {
    this.#read(this.#rest, true)
    if (this.#isStopped) return
    if (this.#isAfterSeparator) this.#row.push('')
    if (this.#row.length > 0) this.#onRow(this.#row, this.#line)
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
        if (close < 0 && hasEnded)
          throw new CsvError(`A quote in row ${this.#line} is never closed. Add the closing quote.`)
        if (close < 0 || (end === length && !hasEnded)) break
        this.#requireLength(end - at)
        const code = text.charCodeAt(end)
        if (end < length && code !== separator && code !== lineFeed && code !== carriageReturn)
          throw new CsvError(
            `There is text after a closing quote in row ${this.#line}. Remove it, or double the quotes within the cell.`,
          )
        cell = text.slice(at + 1, close).replaceAll('""', '"')
      } else {
        for (; end < length; end++) {
          const code = text.charCodeAt(end)
          if (code === separator || code === lineFeed || code === carriageReturn) break
        }
        if (end === length && !hasEnded) break
        cell = text.slice(at, end)
      }
      this.#requireLength(end - at)
      const code = text.charCodeAt(end)
      // A line feed may follow in the next piece.
      if (code === carriageReturn && end + 1 === length && !hasEnded) break
      if (text.charCodeAt(at) === quote) this.#innerLines += countLineBreaks(cell)
      row.push(cell)
      at = end + 1
      this.#isAfterSeparator = code === separator
      if (this.#isAfterSeparator) continue
      if (code === carriageReturn && text.charCodeAt(at) === lineFeed) at++
      this.#isStopped = this.#onRow(row, this.#line) === false
      this.#line += 1 + this.#innerLines
      this.#innerLines = 0
      row = []
    }
    this.#row = row
    this.#rest = this.#isStopped ? '' : text.slice(at)
  }

  #requireLength(length: number): void {
    if (length > this.#maxCellLength)
      throw new CsvError(
        `A cell in row ${this.#line} has more than ${this.#maxCellLength.toLocaleString('en')} characters. Shorten it, or add its closing quote if that is missing.`,
      )
  }
}

function countLineBreaks(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? cell.split(/\r\n|\r|\n/).length - 1 : 0
}

/** Returns the position of the quote that closes the one at `start`; -1 if the text does not contain it. */
function closingQuote(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    at = text.indexOf('"', at)
    if (at < 0 || text.charCodeAt(at + 1) !== quote) return at
    at += 2
  }
}

/** Options of {@link parseCsv}. */
export interface ParseCsvOptions {
  /** Character between cells. Default: comma. */
  separator?: string
  /** Whether an empty line becomes a row of one empty cell. Default: false, empty lines are dropped. */
  keepsEmptyLines?: boolean
}

/**
 * Parses a complete CSV text by the rules of {@link CsvReader}.
 * @throws CsvError for an unclosed quote, and for text after a closing quote
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

/** Returns whether a row comes from an empty line. */
export function isEmptyLine(row: readonly string[]): boolean {
  return row.length === 1 && row[0] === ''
}
