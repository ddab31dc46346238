import type { CsvSheet } from './csv-sheet.ts'
import styles from './CsvGrid.module.css'
import { cellAt, type Corners, type Selection } from './selection.ts'
import type { CellEdit } from './use-cell-edit.ts'
import type { Columns } from './use-columns.ts'

/** Maximum length of the displayed text of a cell, in characters. */
const displayedCharacters = 300

/** Average width of a character in pixels. */
const characterPx = 8
/** Width of the padding and the border of a cell in pixels. */
const besidesTextPx = 17

/** Values that all rows of a grid share. */
export interface RowsOfGrid {
  sheet: CsvSheet
  columns: Columns
  selection: Selection
  corners: Corners
  edit: CellEdit
  editable: boolean
  onSelect: (selection: Selection) => void
}

/** A rendered row of the grid. */
export function CsvRow({
  grid,
  at,
  y,
  isHeader,
}: {
  grid: RowsOfGrid
  at: number
  y: number
  isHeader: boolean
}) {
  const { from, to } = grid.columns
  return (
    <div className={styles.row} style={{ top: y }} role="row" aria-rowindex={at + 1}>
      <div className={styles.number} role="rowheader">
        {at + 1}
      </div>
      {Array.from({ length: to - from }, (_, offset) => (
        <CsvCell key={from + offset} grid={grid} row={at} column={from + offset} isHeader={isHeader} />
      ))}
    </div>
  )
}

function CsvCell({
  grid,
  row,
  column,
  isHeader,
}: {
  grid: RowsOfGrid
  row: number
  column: number
  isHeader: boolean
}) {
  const { sheet, selection, corners, edit, editable, onSelect } = grid
  const { lefts } = grid.columns
  const isActive = row === selection.row && column === selection.column
  const isSelected =
    row >= corners.top && row <= corners.bottom && column >= corners.left && column <= corners.right
  const width = lefts[column + 1]! - lefts[column]!
  const text = sheet.cell(row, column).slice(0, displayedCharacters)
  const extended = { ...selection, toRow: row, toColumn: column }
  return (
    <div
      id={`csv-${row}-${column}`}
      className={styles.cell}
      role={isHeader ? 'columnheader' : 'gridcell'}
      aria-colindex={column + 2}
      aria-selected={isSelected}
      data-selected={isSelected || undefined}
      data-active={isActive || undefined}
      style={{ left: lefts[column], width }}
      title={text.length * characterPx > width - besidesTextPx ? text : undefined}
      onMouseDown={(event) => {
        if (isActive && edit.text !== undefined) return
        edit.commit()
        onSelect(event.shiftKey ? extended : cellAt(row, column))
      }}
      onMouseEnter={(event) => {
        if (event.buttons === 1 && edit.text === undefined) onSelect(extended)
      }}
      onDoubleClick={() => {
        if (editable) edit.begin(sheet.cell(row, column))
      }}
    >
      {isActive && edit.text !== undefined ? (
        <input
          autoFocus
          aria-label={`Row ${row + 1}, column ${column + 1}`}
          value={edit.text}
          onChange={(event) => edit.begin(event.target.value)}
          onBlur={edit.commit}
        />
      ) : (
        text
      )}
    </div>
  )
}
