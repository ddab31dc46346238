/** Type of a column of a preview. `mixed`: cells of several types; `empty`: no cell has a value. */
export type TableColumnType =
  'text' | 'integer' | 'number' | 'decimal' | 'boolean' | 'date' | 'timestamp' | 'time' | 'mixed' | 'empty'

/** The beginning of a table. */
export interface TablePreview {
  /** Names of the first sheets of a workbook; none for Parquet. */
  sheets: string[]
  /** Number of sheets with cells. */
  sheetCount: number
  /** Columns of the rows: labels such as A in a sheet, or the names of a Parquet file. */
  columns: { name: string; type: TableColumnType }[]
  /** Number of columns: all of a Parquet file, those of the widest row listed of a sheet. */
  columnCount: number
  /** Columns whose values have no text, such as lists, with their types in the terms of Parquet. */
  columnsWithoutText: { name: string; type: string }[]
  /** The first rows with a value. */
  rows: {
    /** Row of the sheet, or position in the Parquet file, from 1. */
    number: number
    /** Texts of the cells; null for a missing value. */
    cells: (string | null)[]
  }[]
  /** Number of rows with a value, or of all rows of a Parquet file. */
  rowCount: number
  /** Whether all rows were counted. */
  isRowCountExact: boolean
  /** Whether texts were cut. */
  hasCutTexts: boolean
  /** Why the rows after those listed cannot be read; absent if no problem is known. */
  problem?: string
}

/** The part of a table to read. */
export interface TablePreviewOptions {
  /** Format of the file. */
  format: 'XLSX' | 'Parquet'
  /** Position of the sheet of a workbook, from 1. */
  sheet: number
  /** Maximum number of rows. */
  maxRows: number
  /** Maximum number of columns. */
  maxColumns: number
  /** Maximum number of characters of a cell. */
  maxCellLength: number
}

/** Maximum number of characters of the name of a column or sheet. */
const maxNameLength = 200

/** Returns the beginning of a name, as well-formed text. */
export const shortName = (name: string) => name.slice(0, maxNameLength).toWellFormed()

/** Shortens texts and notes whether it had to. */
export class CellCutter {
  hasCut = false
  readonly #maxLength: number

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** Returns the beginning of the text. */
  cut(text: string): string {
    if (text.length > this.#maxLength) this.hasCut = true
    return text.slice(0, this.#maxLength).toWellFormed()
  }
}
