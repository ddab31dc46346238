import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect } from 'react'
import { type RowWindow, useRowWindow } from '@headwater/web-kit'
import { fromClipboard, toClipboard } from './clipboard.ts'
import { CsvRow, type RowsOfGrid } from './CsvRow.tsx'
import type { CsvSheet } from './csv-sheet.ts'
import styles from './CsvGrid.module.css'
import { handleGridKey, selectionAfterEdit } from './grid-keys.ts'
import { isLarge, rowPx } from './grid-size.ts'
import { clampSelection, clearCells, cornersOf, pasteTexts, type Selection, textsIn } from './selection.ts'
import type { CellEdit } from './use-cell-edit.ts'
import { numberPx, useColumns } from './use-columns.ts'

/** Number of rendered rows outside the visible area. */
const hiddenRows = 20

interface CsvGridProps {
  /** Receives the element that scrolls and has the focus. */
  scroller: RefObject<HTMLDivElement | null>
  sheet: CsvSheet
  selection: Selection
  /** The edit of the active cell. */
  edit: CellEdit
  /** Whether the first row stays at the top. */
  hasHeader: boolean
  editable: boolean
  /** Whether all columns have the same width. */
  isBasic: boolean
  onSelect: (selection: Selection) => void
  /** Called after a change of the sheet. */
  onChange: () => void
}

/** The rows of a CSV file as a spreadsheet. Only visible cells are rendered. */
export function CsvGrid(props: CsvGridProps) {
  const { scroller, sheet, selection, edit, hasHeader, editable, isBasic, onSelect, onChange } = props
  const { row, column } = selection
  const first = hasHeader && sheet.rowCount > 0 ? 1 : 0
  const rows = useRowWindow(scroller, { count: sheet.rowCount - first, rowPx, framePx: first * rowPx })
  const columns = useColumns(sheet, scroller, isBasic)
  useVisibleSelection(scroller, selection, { rows, lefts: columns.lefts, first })

  function onKeyDown(event: KeyboardEvent): void {
    // The frame must not react to these keys.
    if (event.key === 'Enter' || event.key === 'Escape') event.stopPropagation()
    if (edit.text === undefined) {
      const pageRows = Math.max(1, rows.end - rows.first - hiddenRows)
      handleGridKey(event, { sheet, selection, editable, pageRows, onSelect, onEdit: edit.begin, onChange })
      return
    }
    const next = selectionAfterEdit(event, selection)
    if (next === undefined) return
    event.preventDefault()
    edit.commit()
    scroller.current?.focus()
    onSelect(clampSelection(next, sheet))
  }

  const corners = cornersOf(selection)
  const grid: RowsOfGrid = { sheet, columns, selection, corners, edit, editable, onSelect }
  const width = columns.lefts.at(-1)!
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      tabIndex={0}
      aria-label="Cells of the file"
      aria-rowcount={sheet.rowCount}
      aria-colcount={sheet.columnCount + 1}
      aria-activedescendant={`csv-${row}-${column}`}
      aria-readonly={!editable}
      data-large={isLarge(sheet.rowCount, window.innerHeight) || undefined}
      onKeyDown={onKeyDown}
      {...(edit.text === undefined ? clipboardHandlers(props) : {})}
    >
      {first === 0 ? null : (
        <div className={styles.head} role="rowgroup" style={{ width, height: rowPx }}>
          <CsvRow grid={grid} at={0} y={0} isHeader />
        </div>
      )}
      <div className={styles.area} role="rowgroup" style={{ width, height: rows.areaPx }}>
        {Array.from({ length: Math.max(0, rows.end - rows.first) }, (_, offset) => {
          const at = rows.first + offset
          return <CsvRow key={at} grid={grid} at={at + first} y={rows.topOf(at)} isHeader={false} />
        })}
      </div>
    </div>
  )
}

/** Copies, cuts and pastes the selected cells. */
function clipboardHandlers({ sheet, selection, editable, onChange }: CsvGridProps) {
  function copy(event: ClipboardEvent): void {
    event.preventDefault()
    if (sheet.rowCount > 0) event.clipboardData.setData('text/plain', toClipboard(textsIn(sheet, selection)))
  }
  return {
    onCopy: copy,
    onCut(event: ClipboardEvent): void {
      copy(event)
      if (!editable || sheet.rowCount === 0) return
      clearCells(sheet, selection)
      onChange()
    },
    onPaste(event: ClipboardEvent): void {
      if (!editable) return
      event.preventDefault()
      pasteTexts(sheet, selection, fromClipboard(event.clipboardData.getData('text/plain')))
      onChange()
    },
  }
}

/** Scrolls to the selected corner after each change of the selection, even after a search. */
function useVisibleSelection(
  scroller: RefObject<HTMLElement | null>,
  selection: Selection,
  { rows, lefts, first }: { rows: RowWindow; lefts: readonly number[]; first: number },
): void {
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (selection.toRow >= first) rows.scrollTo(selection.toRow - first)
    const start = lefts[selection.toColumn] ?? numberPx
    const end = lefts[selection.toColumn + 1] ?? start
    if (start - numberPx < element.scrollLeft) element.scrollLeft = start - numberPx
    else if (end > element.scrollLeft + element.clientWidth) element.scrollLeft = end - element.clientWidth
    // oxlint-disable-next-line react/exhaustive-deps -- only a new selection scrolls
  }, [selection])
}
