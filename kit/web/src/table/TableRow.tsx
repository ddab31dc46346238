import { type CSSProperties, type MouseEvent, memo } from 'react'
import styles from './DataTable.module.css'
import { frozenCell, withBackground } from './cell-styles.ts'
import type { Column } from './table-props.ts'

/** Properties of {@link TableRow}. */
export interface TableRowProps {
  /** Data of the row, passed to the cells and handlers. */
  row: unknown
  /** Index of the row in the table, from 0, without the header. */
  index: number
  /** Vertical offset in its row group, in pixels. */
  top: number
  /** Visible columns, in order. */
  columns: readonly Column<unknown>[]
  /** Left offsets of the frozen cells, in pixels, including the checkbox cell; empty if there are no frozen columns. */
  lefts: readonly number[]
  /** Returns the style of a row; undefined for the default style. */
  rowStyle: ((row: unknown, index: number) => CSSProperties | undefined) | undefined
  /** Whether its checkbox is checked; undefined hides the checkbox. */
  selected: boolean | undefined
  /** Whether it is the current row, for example the one whose details are open. */
  active: boolean
  /** Whether the Tab key focuses this row; true for exactly one row of the table. */
  focusable: boolean
  /** Called when the row or a control inside it receives the focus. */
  onFocusRow: (index: number) => void
  /** Called when the user clicks the checkbox; `range` is true if the Shift key is held. */
  onToggle: (index: number, range: boolean) => void
  /** Called when the user opens the row; undefined if rows cannot be opened. */
  onOpen: ((row: unknown) => void) | undefined
  /** Whether a single click opens the row; otherwise a double click does. */
  opensOnClick: boolean
  /**
   * Called on a right click, with the position of the pointer in the viewport in CSS pixels. If undefined, the browser shows
   * its own menu.
   */
  onContextMenu: ((row: unknown, at: { x: number; y: number }) => void) | undefined
}

/** A row; it renders again only if its properties change. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const {
    row,
    index,
    top,
    columns,
    lefts,
    rowStyle,
    selected,
    active,
    focusable,
    onFocusRow,
    onToggle,
    onOpen,
    opensOnClick,
    onContextMenu,
  } = props
  /** Opens the row, unless the user clicked a control inside it or has selected text. */
  function openByClick({ target }: MouseEvent) {
    const onControl = target instanceof Element && target.closest('a, button, input, label') !== null
    if (!onControl && window.getSelection()?.isCollapsed !== false) onOpen?.(row)
  }
  function openMenu(event: MouseEvent) {
    if (!onContextMenu) return
    event.preventDefault()
    onContextMenu(row, { x: event.clientX, y: event.clientY })
  }
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-current={active || undefined}
      data-index={index}
      tabIndex={focusable ? 0 : -1}
      className={styles.row}
      style={{ ...withBackground(rowStyle?.(row, index)), transform: `translateY(${top}px)` }}
      onFocus={() => onFocusRow(index)}
      data-clickable={(onOpen && opensOnClick) || undefined}
      onClick={opensOnClick ? openByClick : undefined}
      onDoubleClick={onOpen && !opensOnClick ? () => onOpen(row) : undefined}
      onContextMenu={openMenu}
    >
      {selected === undefined ? null : (
        <span role="gridcell" className={styles.check} {...frozenCell(lefts, 0)}>
          <input
            type="checkbox"
            aria-label="Select row"
            tabIndex={-1}
            checked={selected}
            onChange={() => {}}
            onClick={(event) => onToggle(index, event.shiftKey)}
          />
        </span>
      )}
      {columns.map((column, at) => (
        <span
          key={column.id}
          role="gridcell"
          className={styles.cell}
          data-align={column.align}
          data-quiet={column.quiet || undefined}
          title={column.text?.(row)}
          {...frozenCell(lefts, selected === undefined ? at : at + 1)}
        >
          {column.cell(row, index)}
        </span>
      ))}
    </div>
  )
})
