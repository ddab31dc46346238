import type { LoadedAnswer } from '../series/loaded-answer.ts'
import {
  notCsvMessage,
  rowsBySymbol,
  SeriesAnswerError,
  throwServerError,
  type SeriesAnswer,
} from '../series/series-answer.ts'
import { columnsOfTable } from './table-columns.ts'

/** Rows of a file that are shown at most, unless all are asked for. */
export const maxTableRows = 100_000
/** Characters of a typed table that are read at most. */
const maxTyped = 1_000_000
/** How long reading goes on before the page gets its turn, in milliseconds. */
const turnMs = 12
/** Characters that are read between two looks at the clock. */
const sliceCharacters = 64_000
/** Characters of one cell at most; a quote that is never closed would swallow the file. */
const maxCell = 1_000_000

const separators = [',', ';', '\t', '|'] as const
const quote = 34
const lineFeed = 10
const carriageReturn = 13

/**
 * Reads a CSV or NCSV file bit by bit, so that the page stays free. Comma, semicolon, tab and bar are known as
 * separators; a byte order mark is dropped and says the encoding; a last row that was cut off is dropped, any other row
 * of another width is an error. Throws a SeriesAnswerError.
 * @param content a stream is not read further than to the limit
 * @param options `limit`: rows that are read at most; `signal`: ends it
 */
export async function readTable(
  content: Blob | ReadableStream<Uint8Array>,
  options: { limit?: number; signal?: AbortSignal } = {},
): Promise<SeriesAnswer> {
  const table = new TableReader(options.limit ?? maxTableRows)
  const stream = (content instanceof Blob ? content.stream() : content).getReader()
  try {
    let part = await stream.read()
    const decoder = new TextDecoder(encodingOf(part.value ?? new Uint8Array()))
    let turnEnds = performance.now() + turnMs
    for (;;) {
      const text = part.done ? decoder.decode() : decoder.decode(part.value, { stream: true })
      for (let at = 0; at < text.length; at += sliceCharacters) {
        options.signal?.throwIfAborted()
        table.push(text.slice(at, at + sliceCharacters))
        if (table.full) return table.end()
        if (performance.now() < turnEnds) continue
        await new Promise((resolve) => setTimeout(resolve))
        turnEnds = performance.now() + turnMs
      }
      if (part.done) return table.end()
      part = await stream.read()
    }
  } finally {
    void stream.cancel().catch(() => undefined)
  }
}

/** Reads CSV that is at hand as a text. Throws a SeriesAnswerError. */
export function readTableText(text: string, limit = maxTableRows): SeriesAnswer {
  const reader = new TableReader(limit)
  reader.push(text)
  return reader.end()
}

/** Reads CSV that was typed into a tile, at most its first million characters. Throws a SeriesAnswerError. */
export function readTypedTable(text: string): SeriesAnswer {
  return readTableText(text.slice(0, maxTyped))
}

/** A table as an answer to a tile: of no group, its rows as they were written. */
export function loadedTable(answer: SeriesAnswer): LoadedAnswer {
  return { groupNames: new Set(['']), answer, rowsOf: rowsBySymbol(answer), isTable: true }
}

/** Takes the text of a table in pieces. */
class TableReader {
  readonly #limit: number
  #header: string[] | undefined
  #rows: string[][] = []
  #row: string[] = []
  /** Whether the last cell ended with a separator, so that another one, perhaps empty, follows it. */
  #afterSeparator = false
  /** Text that has not made a whole cell yet. */
  #rest = ''
  #separator: number | undefined
  #line = 0
  /** The first row of another width than the header; fine as long as it is the last. */
  #odd: { row: number; cells: number } | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  get full(): boolean {
    return this.#rows.length > this.#limit
  }

  push(piece: string): void {
    this.#rest += piece
    if (this.#line === 0 && this.#row.length === 0 && this.#rest.charCodeAt(0) === 0xfeff)
      this.#rest = this.#rest.slice(1)
    this.#take(false)
  }

  end(): SeriesAnswer {
    this.#take(true)
    const header = (this.#header ?? []).map((name) => name.trim())
    const rows = this.#rows
    if (this.#odd !== undefined) {
      const { row, cells } = this.#odd
      throw notCsv(
        `Row ${row} has ${cells} ${cells === 1 ? 'cell' : 'cells'}, the header has ${header.length}.`,
      )
    }
    const limited = this.full
    const last = rows.at(-1)
    if (last !== undefined && last.length !== header.length) rows.pop()
    throwServerError(header, rows)
    const kept = limited ? rows.slice(0, this.#limit) : rows
    return { header, rows: kept, limited, columns: columnsOfTable(header, kept) }
  }

  #take(ended: boolean): void {
    const text = this.#rest
    this.#separator ??= separatorOf(text, ended)
    if (this.#separator === undefined) return
    let at = 0
    while (at < text.length && !this.full) {
      const end = this.#cellEnd(text, at, ended)
      if (end === undefined) break
      const { cell, next } = end
      const code = text.charCodeAt(next)
      if (!ended && (next >= text.length || (code === carriageReturn && next + 1 >= text.length))) break
      this.#row.push(cell)
      at = next
      this.#afterSeparator = code === this.#separator
      if (this.#afterSeparator) {
        at++
        continue
      }
      if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at++
      at++
      this.#finishRow()
    }
    this.#rest = text.slice(at)
    if (ended && this.#afterSeparator) this.#row.push('')
    if (ended && this.#row.length > 0) this.#finishRow()
    if (this.#rest.length > maxCell) throw notCsv(`A cell in row ${this.#line + 1} never ends.`)
  }

  #cellEnd(text: string, at: number, ended: boolean): { cell: string; next: number } | undefined {
    if (text.charCodeAt(at) !== quote) {
      let next = at
      while (next < text.length) {
        const code = text.charCodeAt(next)
        if (code === this.#separator || code === lineFeed || code === carriageReturn) break
        next++
      }
      return { cell: text.slice(at, next), next }
    }
    let close = at + 1
    for (;;) {
      close = text.indexOf('"', close)
      if (close === -1) {
        if (ended) throw notCsv(`A quote in row ${this.#line + 1} is never closed.`)
        return undefined
      }
      if (text.charCodeAt(close + 1) !== quote) break
      close += 2
    }
    const after = text.charCodeAt(close + 1)
    if (
      close + 1 < text.length &&
      after !== this.#separator &&
      after !== lineFeed &&
      after !== carriageReturn
    )
      throw notCsv(`There is text behind a closing quote in row ${this.#line + 1}.`)
    return { cell: text.slice(at + 1, close).replaceAll('""', '"'), next: close + 1 }
  }

  #finishRow(): void {
    const row = this.#row
    this.#row = []
    this.#line++
    if (row.length === 1 && row[0] === '') return
    if (this.#header === undefined) {
      this.#header = row
      return
    }
    const last = this.#rows.at(-1)
    if (last !== undefined && last.length !== this.#header.length)
      this.#odd ??= { row: this.#line - 1, cells: last.length }
    this.#rows.push(row)
  }
}

function notCsv(detail: string): SeriesAnswerError {
  return new SeriesAnswerError(notCsvMessage, { quiet: false, detail })
}

/** The separator that stands most often in the first line, outside of quotes; undefined until that line is here. */
function separatorOf(text: string, ended: boolean): number | undefined {
  const counts = new Map<string, number>()
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (letter === '"') quoted = !quoted
    else if (!quoted && (letter === '\n' || letter === '\r')) {
      if (at > 0 && text.slice(0, at).trim() !== '') return most(counts)
    } else if (!quoted && (separators as readonly string[]).includes(letter))
      counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  return ended || text.length > maxCell ? most(counts) : undefined
}

function most(counts: ReadonlyMap<string, number>): number {
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a)
  return (first?.[0] ?? ',').charCodeAt(0)
}

/** The encoding that a byte order mark at the begin of a file tells. */
function encodingOf([a, b]: Uint8Array): string {
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return 'utf-8'
}
