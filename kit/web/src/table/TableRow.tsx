import { type CSSProperties, type MouseEvent, memo } from 'react'
import styles from './DataTable.module.css'
import { frozenCell, withBackground } from './cell-styles.ts'
import type { Column } from './table-props.ts'

/** Properties of {@link TableRow}. */
export interface TableRowProps {
  row: unknown
  index: number
  top: number
  columns: readonly Column<unknown>[]
  lefts: readonly number[]
  rowStyle: ((row: unknown, index: number) => CSSProperties | undefined) | undefined
  selected: boolean | undefined
  active: boolean
  focusable: boolean
  onFocusRow: (index: number) => void
  onToggle: (index: number, range: boolean) => void
  onOpen: ((row: unknown) => void) | undefined
  opensOnClick: boolean
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
  /** Controls inside the row handle their own clicks, and a text selection stays. */
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
