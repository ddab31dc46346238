import { type KeyboardEvent, type ReactNode, useCallback, useRef } from 'react'
import { usePageScrollRestoration } from '../ui/scroll-restoration.ts'
import styles from './DataTable.module.css'
import { TableFooter } from './TableFooter.tsx'
import { TableHeader } from './TableHeader.tsx'
import { TableRow, type TableRowProps } from './TableRow.tsx'
import { useEndReached, useVisibleChange } from './row-events.ts'
import { handleRowKey } from './row-keys.ts'
import type { Column, DataTableProps, RenderedTable } from './table-props.ts'
import { useRowFocus } from './use-row-focus.ts'
import { useRowToggle } from './use-row-toggle.ts'
import { useRowWindow } from './use-row-window.ts'

type LoadedTableProps<Row> = DataTableProps<Row> &
  RenderedTable & {
    rows: readonly Row[]
    totalCount: number
    /** Height of a row in pixels. */
    rowPx: number
    /** Positions of the frozen columns; empty if there are none. */
    lefts: readonly number[]
  }

const headerHeight = 28

/** A table with at least one row. */
export function LoadedTable<Row>(props: LoadedTableProps<Row>) {
  const { label, columns, rows, rowKey, rowIdentity, rowPx, selected, totalCount, measured } = props
  const scroller = useRef<HTMLDivElement>(null)
  const root = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element
      measured(element)
    },
    [measured],
  )
  const pinned = Math.min(rows.length, props.stickyRows ?? 0)
  const drawn = useRowWindow(scroller, {
    count: rows.length - pinned,
    rowPx,
    framePx: headerHeight + (pinned + (props.footerCell === undefined ? 0 : 1)) * rowPx,
  })
  const focus = useRowFocus(scroller, {
    count: rows.length,
    keyOf: (index) => rowKey(rows[index]!, index),
    identityOf: (index) => (rowIdentity ?? rowKey)(rows[index]!, index),
    scrollTo(index) {
      if (index >= pinned) drawn.scrollTo(index - pinned)
    },
  })
  usePageScrollRestoration(scroller, label)
  useEndReached(scroller, props.onEndReached, rows.length, props.endReachedWithinPx)
  useVisibleChange(props.onVisibleChange, drawn.first, pinned + drawn.end - 1)
  const toggle = useRowToggle(props)

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const viewPx = scroller.current?.clientHeight ?? 320
    handleRowKey(event, props, {
      rowsPerPage: Math.floor(viewPx / rowPx) - 2,
      focusRow: focus.moveTo,
      toggle,
    })
  }

  function drawnRow(row: Row, index: number, top: number): ReactNode {
    const key = rowKey(row, index)
    return (
      <TableRow
        // A row that loads when it becomes visible keeps its element and therefore its focus.
        key={props.onVisibleChange === undefined ? key : index}
        row={row}
        index={index}
        top={top}
        columns={columns as readonly Column<unknown>[]}
        lefts={props.lefts}
        rowStyle={props.rowStyle as TableRowProps['rowStyle']}
        selected={selected?.has(key)}
        active={props.activeKey === key}
        focusable={index === focus.current}
        onFocusRow={focus.onFocusRow}
        onToggle={toggle}
        onOpen={props.onOpenRow as TableRowProps['onOpen']}
        opensOnClick={props.opensOnClick === true}
        onContextMenu={props.onRowContextMenu as TableRowProps['onContextMenu']}
      />
    )
  }

  return (
    <div
      ref={root}
      className={styles.table}
      style={props.style}
      role="grid"
      aria-label={label}
      // -1 means that the number is not known.
      aria-rowcount={props.totalIsAtLeast ? -1 : totalCount + (props.footerCell === undefined ? 1 : 2)}
      aria-colcount={columns.length + (selected ? 1 : 0)}
      aria-multiselectable={selected && !props.selectsOne ? true : undefined}
      onKeyDown={onKeyDown}
      {...focus.handlers}
    >
      <TableHeader {...props}>
        {pinned === 0 ? null : rows.slice(0, pinned).map((row, index) => drawnRow(row, index, index * rowPx))}
      </TableHeader>
      <div role="rowgroup" className={styles.body} style={{ height: drawn.areaPx }}>
        {rows
          .slice(pinned + drawn.first, pinned + drawn.end)
          .map((row, at) => drawnRow(row, pinned + drawn.first + at, drawn.topOf(drawn.first + at)))}
      </div>
      {props.footerCell === undefined ? null : (
        <TableFooter {...props} footerCell={props.footerCell} rowIndex={totalCount + 2} />
      )}
      {props.loadingMore ? (
        <div className={styles.more} role="row">
          <span role="gridcell">Loading more …</span>
        </div>
      ) : null}
    </div>
  )
}
