import { CsvReader } from '@headwater/csv'
import type { TestTable } from '../../contract/index.ts'

/** Limits of a SELECT result in a test run. */
export const testLimits = {
  /** Maximum number of counted rows. */
  countedRows: 100_000,
  rows: 100,
  columns: 100,
  cellLength: 300,
  outputBytes: 200_000_000,
} as const

/** Reads a CSV result, stores its first rows and counts all rows. */
export class FirstRows {
  readonly #decoder = new TextDecoder()
  readonly #rows: string[][] = []
  #header: readonly string[] | undefined
  #rowCount = 0
  readonly #reader = new CsvReader((cells) => {
    if (this.#header === undefined) {
      this.#header = cells
      return
    }
    this.#rowCount += 1
    if (this.#rows.length < testLimits.rows) this.#rows.push(firstCells(cells))
  })

  /** Adds the next bytes. */
  add(part: Uint8Array): void {
    this.#reader.push(this.#decoder.decode(part, { stream: true }))
  }

  /** Ends the result and returns its first rows. */
  end(hasMoreRows: boolean): TestTable {
    this.#reader.push(this.#decoder.decode())
    this.#reader.end()
    const header = this.#header ?? []
    return {
      columns: firstCells(header),
      columnCount: header.length,
      rows: this.#rows,
      rowCount: this.#rowCount,
      hasMoreRows,
    }
  }
}

/** Returns the first cells, with long ones truncated. */
function firstCells(cells: readonly string[]): string[] {
  return cells
    .slice(0, testLimits.columns)
    .map((cell) => (cell.length > testLimits.cellLength ? `${cell.slice(0, testLimits.cellLength)}…` : cell))
}
