import type { KeyboardEvent } from 'react'
import type { CsvSheet } from './csv-sheet.ts'
import { cellAt, clampSelection, clearCells, fillDown, type Selection } from './selection.ts'

/** The state that the keys of a grid change. */
export interface KeyTarget {
  sheet: CsvSheet
  selection: Selection
  editable: boolean
  /** Number of rows of one page. */
  pageRows: number
  onSelect: (selection: Selection) => void
  /** Starts the edit of the active cell with a text. */
  onEdit: (text: string) => void
  /** Called after a change of the sheet. */
  onChange: () => void
}

/** Handles a key while no cell is edited: it moves the selection, changes the sheet or starts an edit. */
export function handleGridKey(event: KeyboardEvent, target: KeyTarget): void {
  const { sheet, selection, editable, onSelect, onEdit } = target
  const { key } = event
  const isMod = event.ctrlKey || event.metaKey
  const moved = movedBy(event, target)
  if (moved !== undefined) {
    event.preventDefault()
    onSelect(moved)
  } else if (isMod && key.toLowerCase() === 'a') {
    event.preventDefault()
    const all = { row: 0, column: 0, toRow: sheet.rowCount - 1, toColumn: sheet.columnCount - 1 }
    onSelect(clampSelection(all, sheet))
  } else if (!editable || sheet.rowCount === 0) return
  else if (changes(event, target)) event.preventDefault()
  else if (key === 'F2') onEdit(sheet.cell(selection.row, selection.column))
  else if (key.length === 1 && !isMod && !event.altKey) {
    event.preventDefault()
    onEdit(key)
  }
}

/** Returns the selection after Enter or Tab has ended an edit; undefined for other keys. */
export function selectionAfterEdit(
  { key, shiftKey }: KeyboardEvent,
  { row, column }: Selection,
): Selection | undefined {
  if (key === 'Enter') return cellAt(row + 1, column)
  return key === 'Tab' ? cellAt(row, column + (shiftKey ? -1 : 1)) : undefined
}

/** Returns the selection after a key that moves or extends it; undefined for other keys. */
function movedBy(event: KeyboardEvent, { sheet, selection, pageRows }: KeyTarget): Selection | undefined {
  const isMod = event.ctrlKey || event.metaKey
  const moves: Record<string, [number, number]> = {
    ArrowUp: [isMod ? -Infinity : -1, 0],
    ArrowDown: [isMod ? Infinity : 1, 0],
    ArrowLeft: [0, isMod ? -Infinity : -1],
    ArrowRight: [0, isMod ? Infinity : 1],
    PageUp: [-pageRows, 0],
    PageDown: [pageRows, 0],
    Home: [isMod ? -Infinity : 0, -Infinity],
    End: [isMod ? Infinity : 0, Infinity],
  }
  const move = moves[event.key]
  if (move === undefined) return undefined
  const toRow = selection.toRow + move[0]
  const toColumn = selection.toColumn + move[1]
  return clampSelection(event.shiftKey ? { ...selection, toRow, toColumn } : cellAt(toRow, toColumn), sheet)
}

/** Applies a key that changes the sheet immediately. Returns whether the key was handled. */
function changes(event: KeyboardEvent, { sheet, selection, onChange }: KeyTarget): boolean {
  const key = event.key.toLowerCase()
  const isMod = event.ctrlKey || event.metaKey
  if (isMod && key === 'd') fillDown(sheet, selection)
  else if (isMod && (key === 'y' || (key === 'z' && event.shiftKey))) sheet.redo()
  else if (isMod && key === 'z') sheet.undo()
  else if (key === 'delete' || key === 'backspace') clearCells(sheet, selection)
  else return false
  onChange()
  return true
}
