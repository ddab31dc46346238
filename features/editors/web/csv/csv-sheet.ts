import { type CsvLayout, workerStep } from './index-csv.ts'

/** A changed row: its cells as written in the file (with quotes) and its line ending. */
interface EditedRow {
  cells: string[]
  end: string
}

/** A row: its index in the file, or its changed cells. */
type SheetRow = number | EditedRow

/** A new value of a cell. */
export interface CellChange {
  row: number
  column: number
  value: string
}

interface Step {
  at: number
  /** Number of columns before and after the step. */
  columns: [number, number]
  removed: SheetRow[]
  inserted: SheetRow[]
}

/** Rows whose width differs from that of the first row. */
export interface UnevenRows {
  count: number
  /** The rows, from 0, or the first of them; undefined when a change has moved rows that are not listed. */
  rows: readonly number[] | undefined
}

/** Maximum number of rows in the steps that can be undone. */
const maxHistoryRows = 4_000_000

/**
 * The rows of an open CSV file. Unchanged rows are stored as bytes of the file and split when they become visible, so
 * that a save preserves quotes, line endings and the byte order mark.
 */
export class CsvSheet {
  /** Number of columns of the widest row. */
  columnCount: number
  /** Increases with each change. */
  version = 0
  readonly layout: CsvLayout
  #rows: SheetRow[]
  #undo: Step[] = []
  #redo: Step[] = []
  #savedStep: Step | undefined
  readonly #decoder: TextDecoder
  readonly #lineEnd: string
  #cache = new Map<SheetRow, string[]>()
  #uneven: UnevenRows & { version: number }

  constructor(layout: CsvLayout) {
    this.layout = layout
    this.columnCount = Math.max(1, layout.columnCount)
    this.#rows = Array.from({ length: layout.rowCount }, (_, row) => row)
    this.#decoder = new TextDecoder(layout.encoding === 'windows-1252' ? 'windows-1252' : 'utf-8', {
      ignoreBOM: true,
    })
    this.#uneven = { count: layout.unevenCount, rows: layout.unevenRows, version: 0 }
    this.#lineEnd = layout.rowCount === 0 ? '\n' : (/^(?:\r\n|\n|\r)/.exec(this.#endOf(0))?.[0] ?? '\n')
  }

  get rowCount(): number {
    return this.#rows.length
  }

  get isChanged(): boolean {
    return this.#undo.at(-1) !== this.#savedStep
  }

  get canUndo(): boolean {
    return this.#undo.length > 0
  }

  get canRedo(): boolean {
    return this.#redo.length > 0
  }

  /** Rows whose width differs from that of the first row, after all changes. */
  get unevenRows(): UnevenRows {
    if (this.#uneven.version !== this.version) this.#uneven = { ...this.#findUneven(), version: this.version }
    return this.#uneven
  }

  /** Returns the values of a row. */
  cellsOf(row: number): readonly string[] {
    const sheetRow = this.#rows[row]!
    const cached = this.#cache.get(sheetRow)
    if (cached !== undefined) return cached
    const cells = this.#rawCells(sheetRow).map((cell) => valueOf(cell))
    if (this.#cache.size > 2000) this.#cache.clear()
    this.#cache.set(sheetRow, cells)
    return cells
  }

  /** Returns the value of a cell; empty for a cell that the row does not have. */
  cell(row: number, column: number): string {
    return this.cellsOf(row)[column] ?? ''
  }

  /** Changes cells. Equal values have no effect. */
  setCells(changes: readonly CellChange[]): void {
    const changed = changes.filter(({ row, column, value }) => this.cell(row, column) !== value)
    if (changed.length === 0) return
    let first = Infinity
    let last = -1
    for (const { row } of changed) {
      first = Math.min(first, row)
      last = Math.max(last, row)
    }
    const rows = this.#rows.slice(first, last + 1)
    const copies = new Set<number>()
    for (const { row, column, value } of changed) {
      const at = row - first
      if (!copies.has(at)) rows[at] = this.#copy(rows[at]!)
      copies.add(at)
      const { cells } = rows[at] as EditedRow
      while (cells.length <= column) cells.push('')
      cells[column] = this.#rawOf(value, cells[column]!)
    }
    const columns = changed.reduce((most, { column }) => Math.max(most, column + 1), this.columnCount)
    this.#splice({ at: first, removed: this.#rows.slice(first, last + 1), inserted: rows }, columns)
  }

  /** Inserts empty rows, as wide as the first one, before a row. */
  insertRows(row: number, count = 1): void {
    const [first] = this.#rows
    const width = first === undefined ? this.columnCount : this.#rawCells(first).length
    const inserted = Array.from({ length: count }, () => ({
      // A single empty cell would be an empty line, which is not a row.
      cells: width === 1 ? ['""'] : Array<string>(width).fill(''),
      end: this.#lineEnd,
    }))
    this.#splice({ at: row, removed: [], inserted })
  }

  /** Deletes rows. */
  deleteRows(row: number, count = 1): void {
    this.#splice({ at: row, removed: this.#rows.slice(row, row + count), inserted: [] })
  }

  /** Inserts an empty column before a column. */
  insertColumn(column: number): void {
    this.#changeAll((cells) => {
      if (cells.length >= column) cells.splice(column, 0, '')
    }, this.columnCount + 1)
  }

  /** Deletes columns. */
  deleteColumns(column: number, count = 1): void {
    this.#changeAll((cells) => {
      cells.splice(column, count)
      if (cells.length === 0 || (cells.length === 1 && cells[0] === '')) cells.splice(0, 1, '""')
    }, this.columnCount - count)
  }

  /**
   * Sorts rows by a column, numbers by value before texts. Equal rows retain their order.
   * @param from first row to sort; rows above it are headers
   */
  sort(column: number, isDescending: boolean, from: number): void {
    const rows = this.#rows.slice(from)
    const keys = rows.map((row, at) => {
      const text = valueOf(this.#rawCells(row)[column] ?? '')
      const number = text.trim() === '' ? Number.NaN : Number(text)
      return { at, text, number }
    })
    const sign = isDescending ? -1 : 1
    const collator = new Intl.Collator(undefined, { numeric: true })
    keys.sort((a, b) => {
      const isNumber = [!Number.isNaN(a.number), !Number.isNaN(b.number)]
      if (isNumber[0] && isNumber[1]) return sign * (a.number - b.number) || a.at - b.at
      if (isNumber[0] !== isNumber[1]) return isNumber[0] ? -sign : sign
      return sign * collator.compare(a.text, b.text) || a.at - b.at
    })
    if (keys.every(({ at }, position) => at === position)) return
    this.#splice({ at: from, removed: rows, inserted: keys.map(({ at }) => rows[at]!) })
  }

  /** Returns the next cell after a given cell whose text contains `text`, ignoring case; undefined if there is none. */
  find(text: string, after: { row: number; column: number }): { row: number; column: number } | undefined {
    const wanted = text.toLowerCase()
    if (wanted === '' || this.rowCount === 0) return undefined
    for (let step = 0; step <= this.rowCount; step++) {
      const row = (after.row + step) % this.rowCount
      const cells = this.#rawCells(this.#rows[row]!)
      const from = step === 0 ? after.column + 1 : 0
      const column = cells.findIndex((cell, at) => at >= from && valueOf(cell).toLowerCase().includes(wanted))
      if (column >= 0) return { row, column }
    }
    return undefined
  }

  /** Replaces a text in all cells, ignoring case. Returns the number of changed cells. */
  replaceAll(text: string, by: string): number {
    if (text === '') return 0
    const pattern = new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'giu')
    const changes: CellChange[] = []
    this.#rows.forEach((sheetRow, row) => {
      this.#rawCells(sheetRow).forEach((cell, column) => {
        const value = valueOf(cell)
        const replaced = value.replace(pattern, () => by)
        if (replaced !== value) changes.push({ row, column, value: replaced })
      })
    })
    this.setCells(changes)
    return changes.length
  }

  undo(): void {
    const step = this.#undo.pop()
    if (step === undefined) return
    this.#redo.push(step)
    this.#apply(step.at, step.inserted.length, step.removed)
    this.columnCount = step.columns[0]
  }

  redo(): void {
    const step = this.#redo.pop()
    if (step === undefined) return
    this.#undo.push(step)
    this.#apply(step.at, step.removed.length, step.inserted)
    this.columnCount = step.columns[1]
  }

  /** Returns the content of the file. */
  toBlob(): Blob {
    return new Blob(this.#parts(), { type: 'text/csv' })
  }

  /** Returns the content of a file in UTF-8, with its byte order mark. */
  toText(): string {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const parts = this.#parts().map((part) => decoder.decode(part, { stream: true }))
    return parts.join('') + decoder.decode()
  }

  #parts(): Uint8Array<ArrayBuffer>[] {
    const { bytes, rowCount } = this.layout
    const encoder = new TextEncoder()
    const parts: Uint8Array<ArrayBuffer>[] = [bytes.subarray(0, this.#startOf(0))]
    let texts: string[] = []
    const flush = () => {
      if (texts.length > 0) parts.push(encoder.encode(texts.join('')))
      texts = []
    }
    const rows = this.#rows
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!
      if (typeof row !== 'number') {
        const isLast = at === rows.length - 1 && this.#startOf(rowCount) === bytes.length
        texts.push(row.cells.join(this.layout.separator), row.end === '' && !isLast ? this.#lineEnd : row.end)
        continue
      }
      let last = row
      while (rows[at + 1] === last + 1) {
        last++
        at++
      }
      flush()
      parts.push(bytes.subarray(this.#startOf(row), this.#startOf(last + 1)))
      if (at < rows.length - 1 && this.#endOf(last) === '') texts.push(this.#lineEnd)
    }
    flush()
    // An incomplete last row is not part of the grid, but stays in the file.
    parts.push(bytes.subarray(this.#startOf(rowCount)))
    return parts
  }

  #splice(change: Omit<Step, 'columns'>, columns = this.columnCount): void {
    const step: Step = { ...change, columns: [this.columnCount, columns] }
    this.#undo.push(step)
    this.#redo = []
    let size = 0
    for (let at = this.#undo.length - 1; at >= 0; at--) {
      size += this.#undo[at]!.removed.length + this.#undo[at]!.inserted.length
      if (size > maxHistoryRows && at < this.#undo.length - 1) {
        // The file stays changed even if all remaining steps are undone.
        this.#undo.splice(0, at + 1)
        this.#savedStep = { at: 0, columns: [0, 0], removed: [], inserted: [] }
        break
      }
    }
    this.#apply(step.at, step.removed.length, step.inserted)
    this.columnCount = step.columns[1]
  }

  #apply(at: number, removed: number, inserted: SheetRow[]): void {
    // Does not use spread, because many rows would exceed the maximum number of arguments.
    if (inserted.length === removed)
      for (const [index, row] of inserted.entries()) this.#rows[at + index] = row
    else this.#rows = [...this.#rows.slice(0, at), ...inserted, ...this.#rows.slice(at + removed)]
    this.version++
  }

  #changeAll(change: (cells: string[]) => void, columns: number): void {
    const inserted = this.#rows.map((row) => {
      const copy = this.#copy(row)
      change(copy.cells)
      return copy
    })
    this.#splice({ at: 0, removed: [...this.#rows], inserted }, Math.max(1, columns))
  }

  #findUneven(): UnevenRows {
    const { unevenCount, unevenRows } = this.layout
    if (unevenRows.length < unevenCount)
      return { count: unevenCount, rows: this.isChanged ? undefined : unevenRows }
    const uneven = new Set(unevenRows)
    const usualWidth = this.layout.rowCount === 0 ? 0 : this.#rawCells(0).length
    const widthOf = (row: SheetRow) =>
      typeof row === 'number' && !uneven.has(row) ? usualWidth : this.#rawCells(row).length
    const [first] = this.#rows
    const width = first === undefined ? 0 : widthOf(first)
    const rows: number[] = []
    this.#rows.forEach((row, at) => {
      if (widthOf(row) !== width) rows.push(at)
    })
    return { count: rows.length, rows }
  }

  #copy(row: SheetRow): EditedRow {
    return { cells: [...this.#rawCells(row)], end: typeof row === 'number' ? this.#endOf(row) : row.end }
  }

  #rawCells(row: SheetRow): string[] {
    if (typeof row !== 'number') return row.cells
    const text = this.#decoder.decode(this.layout.bytes.subarray(this.#startOf(row), this.#stopOf(row)))
    return splitRaw(text, this.layout.separator)
  }

  /** Returns a value as written in the file: with quotes if the cell had them or needs them. */
  #rawOf(value: string, before: string): string {
    const isQuoted =
      before.startsWith('"') ||
      value.includes(this.layout.separator) ||
      /["\r\n]|^\s|\s$/.test(value) ||
      (value === '' && this.columnCount === 1)
    return isQuoted ? `"${value.replaceAll('"', '""')}"` : value
  }

  #startOf(row: number): number {
    const { blocks, bytes } = this.layout
    return blocks[Math.floor(row / workerStep)]?.[(row % workerStep) * 2] ?? bytes.length
  }

  #stopOf(row: number): number {
    return this.layout.blocks[Math.floor(row / workerStep)]![(row % workerStep) * 2 + 1]!
  }

  #endOf(row: number): string {
    return this.#decoder.decode(this.layout.bytes.subarray(this.#stopOf(row), this.#startOf(row + 1)))
  }
}

/** Splits a row into cells as written, with their quotes. */
function splitRaw(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const cells: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"' && (isQuoted || at === start)) {
      if (isQuoted && text[at + 1] === '"') at++
      else isQuoted = !isQuoted
    } else if (!isQuoted && character === separator) {
      cells.push(text.slice(start, at))
      start = at + 1
    }
  }
  cells.push(text.slice(start))
  return cells
}

/** Returns the value of a cell as written; a cell that is not valid CSV is its text. */
function valueOf(raw: string): string {
  return raw.length > 1 && raw.startsWith('"') && raw.endsWith('"')
    ? raw.slice(1, -1).replaceAll('""', '"')
    : raw
}
