import { CsvError, CsvReader, findSeparator, isEmptyLine } from '@headwater/csv'
import type { LoadedResult } from '../series/loaded-result.ts'
import {
  notCsvMessage,
  rowsBySymbol,
  SeriesResultError,
  throwServerError,
  type SeriesResult,
} from '../series/series-result.ts'
import { maxTableRows } from '../series/row-limits.ts'
import { columnsOfTable } from './table-columns.ts'

/** Reading yields to the page after this time, in milliseconds. */
const sliceMs = 12
/** Number of characters between two checks of the time. */
const sliceCharacters = 64_000
/**
 * Maximum length of a cell, in characters. Without this limit, an unclosed quote would read the rest of the file into
 * one cell.
 */
const maxCell = 1_000_000

/**
 * Parses a CSV or NCSV file in slices, so that the page stays responsive. The separator is a comma, semicolon, tab or
 * vertical bar. A byte order mark determines the encoding. An incomplete last row is dropped.
 * @param content a stream is read only up to the limit
 * @param options `limit`: maximum number of rows; `signal`: aborts reading
 * @throws SeriesResultError if a row other than the last has another width than the header
 */
export async function readTable(
  content: Blob | ReadableStream<Uint8Array>,
  options: { limit?: number; signal?: AbortSignal } = {},
): Promise<SeriesResult> {
  const table = new TableReader(options.limit ?? maxTableRows)
  const stream = (content instanceof Blob ? content.stream() : content).getReader()
  try {
    let part = await stream.read()
    const decoder = new TextDecoder(encodingOf(part.value ?? new Uint8Array()))
    let sliceEnds = performance.now() + sliceMs
    for (;;) {
      const text = part.done ? decoder.decode() : decoder.decode(part.value, { stream: true })
      for (let at = 0; at < text.length; at += sliceCharacters) {
        options.signal?.throwIfAborted()
        table.push(text.slice(at, at + sliceCharacters))
        if (table.full) return table.end()
        if (performance.now() < sliceEnds) continue
        await new Promise((resolve) => setTimeout(resolve))
        sliceEnds = performance.now() + sliceMs
      }
      if (part.done) return table.end()
      part = await stream.read()
    }
  } finally {
    void stream.cancel().catch(() => undefined)
  }
}

/**
 * Parses CSV text.
 * @throws SeriesResultError for an invalid table
 */
export function readTableText(text: string, limit = maxTableRows): SeriesResult {
  const reader = new TableReader(limit)
  reader.push(text)
  return reader.end()
}

/** Wraps a table as the result of a tile, with the empty group. */
export function loadedTable(result: SeriesResult): LoadedResult {
  return { groupNames: new Set(['']), result, rowsOf: rowsBySymbol(result), isTable: true }
}

/** Parses the text of a table in pieces. */
class TableReader {
  readonly #limit: number
  #reader: CsvReader | undefined
  /** Text that was read before the separator was detected. */
  #begin = ''
  #header: string[] | undefined
  readonly #rows: string[][] = []
  #rowNumber = 0
  /** The first row whose width differs from the header. Only the last row of a file can differ. */
  #odd: { row: number; cells: number } | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  get full(): boolean {
    return this.#rows.length > this.#limit
  }

  push(piece: string): void {
    try {
      this.#push(piece, false)
    } catch (error) {
      throw error instanceof CsvError ? notCsv(error.message) : error
    }
  }

  end(): SeriesResult {
    try {
      this.#push('', true)
      this.#reader!.end()
    } catch (error) {
      throw error instanceof CsvError ? notCsv(error.message) : error
    }
    const header = (this.#header ?? []).map((name) => name.trim())
    const rows = this.#rows
    if (this.#odd !== undefined) {
      const { row, cells } = this.#odd
      throw notCsv(
        `Row ${row} has ${cells} ${cells === 1 ? 'cell' : 'cells'}, but the header has ${header.length}.`,
      )
    }
    const limited = this.full
    const last = rows.at(-1)
    if (last !== undefined && last.length !== header.length) rows.pop()
    throwServerError(header, rows)
    const limitedRows = limited ? rows.slice(0, this.#limit) : rows
    return { header, rows: limitedRows, limited, columns: columnsOfTable(header, limitedRows) }
  }

  #push(piece: string, isWhole: boolean): void {
    if (this.#reader !== undefined) return this.#reader.push(piece)
    this.#begin += piece
    const separator = findSeparator(this.#begin, isWhole || this.#begin.length > maxCell)
    if (separator === undefined) return
    this.#reader = new CsvReader((row) => this.#take(row), { separator, maxCellLength: maxCell })
    this.#reader.push(this.#begin)
    this.#begin = ''
  }

  /** @returns whether the table needs more rows */
  #take(row: string[]): boolean {
    this.#rowNumber++
    if (isEmptyLine(row)) return true
    if (this.#header === undefined) {
      this.#header = row
      return true
    }
    const last = this.#rows.at(-1)
    if (last !== undefined && last.length !== this.#header.length)
      this.#odd ??= { row: this.#rowNumber - 1, cells: last.length }
    this.#rows.push(row)
    return !this.full
  }
}

function notCsv(detail: string): SeriesResultError {
  return new SeriesResultError(notCsvMessage, { quiet: false, detail })
}

/** Returns the encoding by the byte order mark. */
function encodingOf([a, b]: Uint8Array): string {
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return 'utf-8'
}
