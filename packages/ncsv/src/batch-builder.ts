import { quoteForMessage } from '@headwater/csv'
import { createZoneClock, type ZoneClock } from '@headwater/zones'
import { isUtf8 } from 'node:buffer'
import type { NcsvColumn, NcsvHeader } from './header.ts'
import type { NcsvBatch, NcsvMetadataValue, NcsvValues } from './ncsv-batch.ts'
import { parseDateBytes } from './parse-date.ts'
import { parseNumberBytes } from './parse-number.ts'
import { PlainRows } from './plain-rows.ts'
import { brokenCell, escapedCell, plainCell, type RowScanner } from './row-scanner.ts'
import { ByteStringTable } from './symbol-table.ts'

/**
 * Reports an invalid cell of the current row by its index; -1 means the whole row. Problems of the same `kind` are listed
 * once, with the number of rows that have them. The default kind is the column and the message.
 */
export type ReportProblem = (cellIndex: number, message: string, kind?: string) => void

/** Options of a {@link BatchBuilder}; see ReadNcsvOptions. */
export interface BatchOptions {
  /** Maximum number of rows of a batch. */
  capacity: number
  /** Whether a batch reuses the arrays of the batch before it. */
  reusesMemory: boolean
  /** Receives the problems of the rows. */
  report: ReportProblem
  /** Maximum length of a symbol value in characters. Default: no limit. */
  maxSymbolLength?: number
  /** Returns the problem of a symbol value, as a sentence. Default: no check. */
  symbolProblem?: (value: string) => string | undefined
  /** Maximum length of a metadata text in characters. Default: no limit. */
  maxMetadataLength?: number
}

/** Converts the scanned rows of one file into batches. */
export class BatchBuilder {
  readonly #header: NcsvHeader
  readonly #scanner: RowScanner
  readonly #report: ReportProblem
  readonly #capacity: number
  readonly #zone: ZoneClock
  readonly #rawSymbols = new ByteStringTable()
  /** Maps the number of a raw text to the number of its symbol. `"A"` and `A` are the same symbol. */
  readonly #symbolByRaw: number[] = []
  readonly #symbolByTuple = new Map<string, number>()
  readonly #plainRows: PlainRows | undefined
  readonly #reusesMemory: boolean
  readonly #maxSymbolLength: number
  readonly #symbolProblem: BatchOptions['symbolProblem']
  readonly #maxMetadataLength: number
  #faulty = false
  #batch: NcsvBatch

  constructor(
    header: NcsvHeader,
    scanner: RowScanner,
    {
      capacity,
      reusesMemory,
      report,
      maxSymbolLength = Infinity,
      symbolProblem,
      maxMetadataLength = Infinity,
    }: BatchOptions,
  ) {
    this.#header = header
    this.#scanner = scanner
    this.#capacity = capacity
    this.#reusesMemory = reusesMemory
    this.#maxSymbolLength = maxSymbolLength
    this.#symbolProblem = symbolProblem
    this.#maxMetadataLength = maxMetadataLength
    this.#report = (cellIndex, message, kind = `${cellIndex} ${message}`) => {
      this.#faulty = true
      report(cellIndex, message, kind)
    }
    this.#zone = createZoneClock(header.dateColumn?.timeZone ?? 'UTC')
    this.#plainRows = PlainRows.for(header, this.#zone, (bytes, start, end) => {
      const raw = this.#rawSymbols.find(bytes, start, end)
      return raw < 0 ? -1 : this.#symbolByRaw[raw]!
    })
    this.#batch = this.#emptyBatch()
  }

  get isFull(): boolean {
    return this.#batch.rowCount >= this.#capacity
  }

  get isEmpty(): boolean {
    return this.#batch.rowCount === 0
  }

  /** Reads consecutive plain rows of the scanner. */
  addPlainRows(): void {
    const scanner = this.#scanner
    const start = scanner.position
    if (this.#plainRows === undefined || start < 0) return
    const end = scanner.bytes.lastIndexOf(0x0a) + 1
    const firstRow = this.#batch.rowCount
    const rowCount = this.#plainRows.read(scanner.bytes, start, end, this.#batch, this.#capacity)
    if (rowCount === 0) return
    const { lines } = this.#batch
    const firstLine = scanner.pendingLine
    for (let row = 0; row < rowCount; row++) lines[firstRow + row] = firstLine + row
    scanner.pass(this.#plainRows.position, rowCount)
  }

  /** Reads the scanner's current row and reports its problems. */
  addRow(): void {
    const { cellCount } = this.#scanner
    const width = this.#header.names.length
    if (cellCount !== width) {
      this.#report(
        cellCount < width ? cellCount : width,
        `The row has ${cellCount} ${cellCount === 1 ? 'cell' : 'cells'}; the header has ${width}.`,
        'width',
      )
      return
    }
    for (let index = 0; index < width; index++) {
      if (this.#scanner.styles[index] === brokenCell) {
        this.#report(
          index,
          'There is text after the closing quote. Write a quote inside a quoted cell twice, or remove the text.',
        )
        return
      }
    }
    this.#faulty = false
    const batch = this.#batch
    const row = batch.rowCount
    const symbol = this.#readSymbol()
    batch.symbols[row] = symbol
    batch.lines[row] = this.#scanner.line
    const { dateColumn, valueColumns, metadataColumns } = this.#header
    if (dateColumn) batch.timestamps[row] = this.#readTimestamp(dateColumn.index)
    for (let column = 0; column < valueColumns.length; column++) {
      const { index, type } = valueColumns[column]!
      const values = batch.values[column]!
      if (type === 'string') values[row] = this.#readText(index)
      else values[row] = this.#readNumber(index, type)
    }
    if (metadataColumns.length > 0) this.#readMetadata(symbol, metadataColumns)
    if (!this.#faulty) batch.rowCount++
  }

  /** Returns the rows since the last call. */
  takeBatch(): NcsvBatch {
    const full = this.#batch
    const batch = { ...full }
    const { rowCount } = batch
    if (rowCount < this.#capacity) {
      batch.symbols = batch.symbols.subarray(0, rowCount)
      batch.lines = batch.lines.subarray(0, rowCount)
      batch.timestamps = batch.timestamps.subarray(0, this.#header.dateColumn ? rowCount : 0)
      batch.values = batch.values.map((values) =>
        values instanceof Float64Array ? values.subarray(0, rowCount) : values.slice(0, rowCount),
      )
    }
    this.#batch = this.#emptyBatch(this.#reusesMemory ? full : undefined)
    return batch
  }

  /** @param used a batch whose memory can be reused */
  #emptyBatch(used?: NcsvBatch): NcsvBatch {
    const capacity = this.#capacity
    return {
      rowCount: 0,
      firstNewSymbol: this.#symbolByTuple.size,
      newSymbols: [],
      symbols: used?.symbols ?? new Uint32Array(capacity),
      lines: used?.lines ?? new Float64Array(capacity),
      timestamps: used?.timestamps ?? new Float64Array(this.#header.dateColumn ? capacity : 0),
      values: this.#header.valueColumns.map((column, position): NcsvValues =>
        column.type === 'string' ? [] : (used?.values[position] ?? new Float64Array(capacity)),
      ),
      metadata: new Map(),
    }
  }

  #readSymbol(): number {
    const { symbolColumns } = this.#header
    const { bytes, starts, ends, styles } = this.#scanner
    const last = symbolColumns[symbolColumns.length - 1]!.index
    const isContiguous = last === symbolColumns.length - 1
    if (!isContiguous) return this.#readTuple()
    const start = styles[0] === plainCell ? starts[0]! : starts[0]! - 1
    const end = styles[last] === plainCell ? ends[last]! : ends[last]! + 1
    const known = this.#rawSymbols.count
    const raw = this.#rawSymbols.add(bytes, start, end)
    if (raw === known) this.#symbolByRaw.push(this.#readTuple())
    return this.#symbolByRaw[raw]!
  }

  #readTuple(): number {
    const tuple = this.#header.symbolColumns.map((column) => {
      const text = this.#readText(column.index, this.#maxSymbolLength) ?? ''
      const problem = this.#symbolProblem?.(text)
      if (problem !== undefined) this.#report(column.index, problem)
      return text.trim() === '' ? '' : text
    })
    if (tuple.every((value) => value === '')) {
      this.#report(
        this.#header.symbolColumns[0]!.index,
        'The row has no symbol: at least one symbol column must have a value.',
      )
      return 0
    }
    const key = tuple.length === 1 ? tuple[0]! : JSON.stringify(tuple)
    let symbol = this.#symbolByTuple.get(key)
    if (symbol === undefined) {
      symbol = this.#symbolByTuple.size
      this.#symbolByTuple.set(key, symbol)
      this.#batch.newSymbols.push(tuple)
    }
    return symbol
  }

  #readTimestamp(index: number): number {
    const { bytes, starts, ends } = this.#scanner
    const timestamp = parseDateBytes(bytes, starts[index]!, ends[index]!, this.#zone)
    if (Number.isNaN(timestamp)) this.#reportDate(index)
    return timestamp
  }

  #readMetadata(symbol: number, columns: readonly NcsvColumn[]): void {
    let given = this.#batch.metadata.get(symbol)
    for (let column = 0; column < columns.length; column++) {
      const { index, type } = columns[column]!
      const value: NcsvMetadataValue =
        type === 'string' ? this.#readText(index, this.#maxMetadataLength) : this.#readNumber(index, type)
      if (value === null || Number.isNaN(value)) continue
      given ??= columns.map(() => null)
      given[column] = value
    }
    if (given) this.#batch.metadata.set(symbol, given)
  }

  /** Returns the value of a number or date cell; NaN if it is empty or invalid. */
  #readNumber(index: number, type: 'double' | 'integer' | 'date'): number {
    const { bytes, starts, ends } = this.#scanner
    const start = starts[index]!
    const end = ends[index]!
    if (start === end) return Number.NaN
    if (type === 'date') {
      const date = parseDateBytes(bytes, start, end, this.#zone)
      if (Number.isNaN(date) && !this.#isBlank(start, end)) this.#reportDate(index)
      return date
    }
    const value = parseNumberBytes(bytes, start, end)
    if (Number.isNaN(value)) {
      if (!this.#isBlank(start, end)) this.#reportNumber(index, type)
    } else if (type === 'integer' && !Number.isSafeInteger(value)) {
      const sample = quoteForMessage(this.#sample(index))
      this.#report(
        index,
        Number.isInteger(value) || !Number.isFinite(value)
          ? `${sample} is too large for an integer column; the largest whole number is 9007199254740991.`
          : `${sample} is not a whole number; the column holds integers (I). Use a column of doubles for fractions.`,
        `${index} ${Number.isInteger(value) || !Number.isFinite(value) ? 'size' : 'fraction'}`,
      )
    } else if (!Number.isFinite(value)) {
      this.#report(
        index,
        `${quoteForMessage(this.#sample(index))} is too large; the largest number is 1.7976931348623157e308.`,
        `${index} size`,
      )
    }
    return value
  }

  /** Returns the value of a text cell, null if it is empty. Reports a string over the limit. */
  #readText(index: number, maxLength = Infinity): string | null {
    const { bytes, starts, ends, styles } = this.#scanner
    const start = starts[index]!
    const end = ends[index]!
    if (start === end) return null
    const text = bytes.toString('utf8', start, end)
    if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))) {
      const wrong = bytes.subarray(start, end).findIndex((byte) => byte >= 0x80)
      this.#report(
        index,
        `The text is not UTF-8 (byte 0x${bytes[start + wrong]!.toString(16).toUpperCase()}; it looks like Latin-1 or another older encoding). Save the file as UTF-8.`,
        `${index} encoding`,
      )
    }
    const value = styles[index] === escapedCell ? text.replaceAll('""', '"') : text
    if (value.length > maxLength)
      this.#report(
        index,
        `${quoteForMessage(value)} has ${value.length} characters; at most ${maxLength} are allowed.`,
        `${index} length`,
      )
    return value
  }

  #reportDate(index: number): void {
    const sample = this.#sample(index)
    this.#report(
      index,
      sample === ''
        ? 'The date is empty; every row needs one.'
        : `${quoteForMessage(sample)} is not a date. Use ISO 8601, such as 2024-05-26, 2024-05-26T10:00:00 or 2024-05-26T10:00:00Z, in the years 1677 to 2299.`,
      `${index} ${sample === '' ? 'no date' : 'date'}`,
    )
  }

  #reportNumber(index: number, type: 'double' | 'integer'): void {
    const allowed =
      type === 'integer'
        ? 'a whole number such as 1250 (no thousands separators)'
        : 'a number such as 1250.75 (with a decimal point and no thousands separators)'
    this.#report(
      index,
      `${quoteForMessage(this.#sample(index))} is not a number. Use ${allowed}, or leave the cell empty. Add (S) to the name of a text column.`,
      `${index} number`,
    )
  }

  #sample(index: number): string {
    const { bytes, starts, ends } = this.#scanner
    return bytes.toString('utf8', starts[index]!, Math.min(ends[index]!, starts[index]! + 200)).trim()
  }

  #isBlank(start: number, end: number): boolean {
    return this.#scanner.bytes.toString('latin1', start, end).trim() === ''
  }
}
