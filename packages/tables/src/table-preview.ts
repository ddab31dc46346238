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
  /** Number of columns: all columns of a Parquet file; for a sheet, the columns of the widest listed row. */
  columnCount: number
  /** Columns with values that have no text, such as lists, with their Parquet types. */
  columnsWithoutText: { name: string; type: string }[]
  /** The first rows with a value. */
  rows: {
    /** Row of the sheet, or position in the Parquet file, from 1. */
    number: number
    /** Texts of the cells; null for a missing value. */
    cells: (string | null)[]
  }[]
  /** Number of rows with a value; for a Parquet file, the number of all rows. */
  rowCount: number
  /** Whether all rows were counted. */
  isRowCountExact: boolean
  /** Whether texts were truncated. */
  hasCutTexts: boolean
  /** Reason why the rows after the listed ones cannot be read; absent if no problem is known. */
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

/** Truncates texts, and records whether it truncated any. */
export class CellCutter {
  hasCut = false
  readonly #maxLength: number

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** Returns the text, truncated to the maximum length. */
  cut(text: string): string {
    if (text.length > this.#maxLength) this.hasCut = true
    return text.slice(0, this.#maxLength).toWellFormed()
  }
}
