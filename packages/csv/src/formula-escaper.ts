import { cellStates, isLineEnd, nextCellState, type CellState } from './cell-state.ts'
import { parseCsv } from './csv-reader.ts'
import { escapeFormula, formatCsvRow } from './format-csv.ts'

const quote = 0x22
const comma = 0x2c
const carriageReturn = 0x0d

/**
 * Escapes text cells of comma-separated rows that arrive in chunks, by the rule of `escapeFormula`. All other content
 * stays unchanged. Header names count as text.
 */
export class FormulaEscaper {
  readonly #textColumnsOf: (header: readonly string[]) => readonly boolean[]
  /** Text of the header so far; undefined after the header is complete. */
  #header: string | undefined = ''
  #isText: readonly boolean[] = []
  #column = 0
  #state: CellState = cellStates.start
  /** Whether the last character opened the quotes of a cell. */
  #hasOpened = false

  /** @param textColumnsOf returns for each column whether its cells are text */
  constructor(textColumnsOf: (header: readonly string[]) => readonly boolean[]) {
    this.#textColumnsOf = textColumnsOf
  }

  /** Returns the escaped text of the next chunk, or nothing while the header is incomplete. */
  add(chunk: string): string {
    if (this.#header === undefined) return this.#escape(chunk)
    this.#header += chunk
    const end = endOfRow(this.#header)
    if (end < 0) return ''
    const rest = this.#header.slice(end)
    return this.#takeHeader(this.#header.slice(0, end)) + this.#escape(rest)
  }

  /** Returns the rest of the text after the last chunk. */
  end(): string {
    return this.#header === undefined ? '' : this.#takeHeader(this.#header)
  }

  #takeHeader(text: string): string {
    this.#header = undefined
    const [names = []] = parseCsv(text)
    this.#isText = this.#textColumnsOf(names)
    return formatCsvRow(names.map(escapeFormula))
  }

  #escape(text: string): string {
    const pieces: string[] = []
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#beginsCell(code) && this.#isText[this.#column] && escapeFormula(text.charAt(at)).length > 1) {
        pieces.push(text.slice(from, at), "'")
        from = at
      }
      this.#move(code)
    }
    pieces.push(text.slice(from))
    return pieces.join('')
  }

  /** Returns whether a character is the first one of the value of a cell. */
  #beginsCell(code: number): boolean {
    if (this.#hasOpened) return code !== quote
    return this.#state === cellStates.start && code !== quote && code !== carriageReturn
  }

  #move(code: number): void {
    this.#hasOpened = this.#state === cellStates.start && code === quote
    if (this.#state !== cellStates.quoted) {
      if (isLineEnd(code)) this.#column = 0
      else if (code === comma) this.#column++
    }
    this.#state = nextCellState(this.#state, code, code === comma)
  }
}

/** Returns the position of the line ending after the first row; -1 if the row has none. */
function endOfRow(text: string): number {
  let state: CellState = cellStates.start
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (state !== cellStates.quoted && isLineEnd(code)) return at
    state = nextCellState(state, code, code === comma)
  }
  return -1
}
