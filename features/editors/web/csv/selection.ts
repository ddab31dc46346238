import type { CsvSheet } from './csv-sheet.ts'

/** A selected range: the active cell and the opposite corner. */
export interface Selection {
  /** Row of the active cell, from 0. */
  row: number
  /** Column of the active cell, from 0. */
  column: number
  /** Row of the opposite corner, from 0. */
  toRow: number
  /** Column of the opposite corner, from 0. */
  toColumn: number
}

/** The corners of a selection in order. */
export interface Corners {
  /** First row. */
  top: number
  /** Last row. */
  bottom: number
  /** First column. */
  left: number
  /** Last column. */
  right: number
}

/** Returns the corners of a selection in order. */
export function cornersOf({ row, column, toRow, toColumn }: Selection): Corners {
  return {
    top: Math.min(row, toRow),
    bottom: Math.max(row, toRow),
    left: Math.min(column, toColumn),
    right: Math.max(column, toColumn),
  }
}

/** Selects one cell. */
export function cellAt(row: number, column: number): Selection {
  return { row, column, toRow: row, toColumn: column }
}

/** Returns the part of a selection that exists, or the nearest cell. */
export function clampSelection(
  { row, column, toRow, toColumn }: Selection,
  { rowCount, columnCount }: CsvSheet,
): Selection {
  const clamp = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))
  return {
    row: clamp(row, rowCount),
    column: clamp(column, columnCount),
    toRow: clamp(toRow, rowCount),
    toColumn: clamp(toColumn, columnCount),
  }
}

/** Returns the texts of the selected cells. */
export function textsIn(sheet: CsvSheet, selection: Selection): string[][] {
  const { top, bottom, left, right } = cornersOf(selection)
  return Array.from({ length: bottom - top + 1 }, (_, down) =>
    Array.from({ length: right - left + 1 }, (_, across) => sheet.cell(top + down, left + across)),
  )
}

/** Empties the selected cells. */
export function clearCells(sheet: CsvSheet, selection: Selection): void {
  sheet.setCells(cellsIn(selection).map((cell) => ({ ...cell, value: '' })))
}

/** Writes texts, starting at the first selected cell. Adds missing rows. */
export function pasteTexts(sheet: CsvSheet, selection: Selection, texts: string[][]): void {
  const { top, left } = cornersOf(selection)
  const missing = top + texts.length - sheet.rowCount
  if (missing > 0) sheet.insertRows(sheet.rowCount, missing)
  sheet.setCells(
    texts.flatMap((cells, down) =>
      cells.map((value, across) => ({ row: top + down, column: left + across, value })),
    ),
  )
}

/** Copies the first row of a selection into its other rows. A single row is filled from the row above. */
export function fillDown(sheet: CsvSheet, selection: Selection): void {
  const { top, bottom, left, right } = cornersOf(selection)
  const source = top === bottom ? top - 1 : top
  if (source < 0) return
  const filled = { row: source + 1, column: left, toRow: bottom, toColumn: right }
  sheet.setCells(cellsIn(filled).map((cell) => ({ ...cell, value: sheet.cell(source, cell.column) })))
}

function cellsIn(selection: Selection): { row: number; column: number }[] {
  const { top, bottom, left, right } = cornersOf(selection)
  const cells: { row: number; column: number }[] = []
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) cells.push({ row, column })
  return cells
}
