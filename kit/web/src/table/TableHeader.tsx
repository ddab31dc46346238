import { type ReactNode, useRef } from 'react'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import styles from './DataTable.module.css'
import { frozenCell, withBackground } from './cell-styles.ts'
import type { DataTableProps } from './table-props.ts'

/** The header with its sort buttons, its checkbox and the frozen rows below it. */
export function TableHeader<Row>({
  columns,
  rows,
  rowKey,
  selected,
  selectsOne = false,
  onSelectedChange,
  sort,
  onSortChange,
  onColumnResize,
  headerStyle,
  lefts = [],
  children,
}: DataTableProps<Row> & {
  lefts?: readonly number[]
  /** Frozen rows below the header. */
  children?: ReactNode
}) {
  const all =
    rows !== undefined &&
    rows.length > 0 &&
    selected !== undefined &&
    rows.every((row, index) => selected.has(rowKey(row, index)))
  const some = selected !== undefined && selected.size > 0 && !all
  return (
    <div role="rowgroup" className={styles.headerGroup}>
      <div role="row" aria-rowindex={1} className={styles.header} style={withBackground(headerStyle)}>
        {selected === undefined ? null : (
          <span role="columnheader" className={styles.check} {...frozenCell(lefts, 0)}>
            {selectsOne ? (
              <span className="visually-hidden">Selected</span>
            ) : (
              <input
                type="checkbox"
                aria-label="Select all loaded rows"
                checked={all}
                disabled={rows === undefined || rows.length === 0}
                ref={(box) => {
                  if (box) box.indeterminate = some
                }}
                onChange={() => onSelectedChange?.(all ? new Set() : new Set(rows?.map(rowKey)))}
              />
            )}
          </span>
        )}
        {columns.map((column, at) => {
          const order = sort?.column === column.id ? sort.order : undefined
          return (
            <span
              key={column.id}
              role="columnheader"
              className={styles.headerCell}
              data-align={column.headerAlign ?? column.align}
              {...frozenCell(lefts, selected === undefined ? at : at + 1)}
              aria-sort={order === undefined ? undefined : order === 'asc' ? 'ascending' : 'descending'}
            >
              {column.sortable && onSortChange ? (
                <button
                  type="button"
                  className={styles.sort}
                  onClick={() => onSortChange({ column: column.id, order: order === 'asc' ? 'desc' : 'asc' })}
                >
                  <span className={styles.headerText}>{column.header}</span>
                  {order === 'asc' ? <IconArrowUp size={12} stroke={1.8} aria-hidden="true" /> : null}
                  {order === 'desc' ? <IconArrowDown size={12} stroke={1.8} aria-hidden="true" /> : null}
                </button>
              ) : (
                <span className={styles.headerText}>{column.header}</span>
              )}
              {onColumnResize === undefined ? null : (
                <ColumnEdge onResize={(widthPx) => onColumnResize(column.id, widthPx)} />
              )}
            </span>
          )
        })}
      </div>
      {children === null || children === undefined ? null : <div className={styles.pinned}>{children}</div>}
    </div>
  )
}

const narrowestPx = 48
const widestPx = 800

/** The handle at the right edge of a heading that resizes its column. */
function ColumnEdge({ onResize }: { onResize: (widthPx: number) => void }) {
  const start = useRef<{ x: number; widthPx: number }>(undefined)
  return (
    <span
      className={styles.edge}
      aria-hidden="true"
      onPointerDown={(event) => {
        const heading = event.currentTarget.parentElement
        if (heading === null) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, widthPx: heading.getBoundingClientRect().width }
      }}
      onPointerMove={(event) => {
        if (start.current === undefined) return
        const widthPx = start.current.widthPx + event.clientX - start.current.x
        onResize(Math.round(Math.min(widestPx, Math.max(narrowestPx, widthPx))))
      }}
      onPointerUp={() => {
        start.current = undefined
      }}
    />
  )
}
