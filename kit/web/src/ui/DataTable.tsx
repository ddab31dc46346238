import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import { loadMoreWithinPx } from '../call/intervals.ts'
import styles from './DataTable.module.css'
import { ErrorState, NothingFound } from './ErrorState.tsx'
import { Skeleton } from './Skeleton.tsx'
import { usePageScrollRestoration } from './scroll-restoration.ts'
import { shortColumns } from './short-columns.ts'
import { useRowWindow } from './use-row-window.ts'

/** One column of a table. */
export interface Column<Row> {
  /** Id of the column. */
  id: string
  /** Heading. A column without a visible heading needs one in a `visually-hidden` span. */
  header: ReactNode
  /** Width in pixels, or a track of a CSS grid, for example `minmax(160px, 2fr)`. */
  width: number | string
  /** Alignment; numbers and times are aligned at the end. */
  align?: 'end' | 'center'
  /** Alignment of the heading, if different. */
  headerAlign?: 'start' | 'end' | 'center'
  /** Renders the cell of a row. */
  cell: (row: Row, index: number) => ReactNode
  /** The full text of a cell that can be cut off, for the tooltip. */
  text?: (row: Row) => string
  /** The text of a cell whose column can be narrower than `width` while its texts are short; other columns use the space. */
  shortText?: (row: Row) => string
  /** Whether the list can be sorted by the column. */
  sortable?: boolean
  /** Uses the secondary text colour. */
  quiet?: boolean
  /** In a narrow table the column with the highest number disappears first; without a number it stays. */
  priority?: number
}

/** Sort order of a list. */
export interface Sort {
  /** Id of the column. */
  column: string
  /** Direction. */
  order: 'asc' | 'desc'
}

/** Properties of {@link DataTable}. */
export interface DataTableProps<Row> {
  /** Accessible name. */
  label: string
  /** Columns from left to right. */
  columns: readonly Column<Row>[]
  /** Rows; undefined while the first ones load. */
  rows: readonly Row[] | undefined
  /** Returns a unique, stable key of a row. */
  rowKey: (row: Row, index: number) => string
  /** Row height in pixels: 32 by default, 36 in main lists, 72 in the mobile layout. */
  rowHeight?: 32 | 36 | 72
  /** Error of the last load. */
  error?: Error | null
  /** Loads again after an error. */
  onRetry?: () => void
  /** Content of a table without rows. */
  empty?: ReactNode
  /** Number of all rows, when not all are loaded. */
  totalCount?: number
  /** Keys of the selected rows; absent for tables without selection. */
  selected?: ReadonlySet<string>
  /** Called with the new selection. */
  onSelectedChange?: (selected: ReadonlySet<string>) => void
  /** Present sort order. */
  sort?: Sort
  /** Called with the new sort order. */
  onSortChange?: (sort: Sort) => void
  /** Called within 800 px of the end, to load more. */
  onEndReached?: () => void
  /** Whether more rows are loading. */
  loadingMore?: boolean
  /** Called for Enter or a double click. */
  onOpenRow?: (row: Row) => void
  /** Opens a row with a single click as well, for rows that open a panel beside the table. Default false. */
  opensOnClick?: boolean
  /** Called for a right click on a row. */
  onRowContextMenu?: (row: Row, at: { x: number; y: number }) => void
  /** Key of the current row, for example the one in a side panel. */
  activeKey?: string
  /** Called with the indexes of the first and last rendered row, for lists that load visible rows only. */
  onVisibleChange?: (first: number, last: number) => void
  /**
   * Lets the user drag the right edge of a heading; called with the new width. Keyboard users need another way, for example
   * in the dialog of the columns.
   */
  onColumnResize?: (column: string, widthPx: number) => void
  /** Number of frozen columns at the left. Default 0. */
  stickyColumns?: number
  /** Number of frozen rows below the header. Default 0. */
  stickyRows?: number
  /** Returns the style of a row; must be the same function as long as the styles are the same. */
  rowStyle?: (row: Row, index: number) => CSSProperties | undefined
  /** Style of the header. */
  headerStyle?: CSSProperties
  /** Renders the cells of a frozen row at the bottom. */
  footerCell?: (column: Column<Row>) => ReactNode
  /** Style of the row at the bottom. */
  footerStyle?: CSSProperties
}

/**
 * A list of rows with a fixed header, selection and sorting. Only the visible rows are in the document, so that millions of
 * rows scroll smoothly to the last one. Arrow keys, Page Up and Down, Home and End move; Space selects; Enter opens; Ctrl+A selects all.
 */
export function DataTable<Row>(given: DataTableProps<Row>) {
  const { label, rows, error, onRetry, empty, rowHeight = 32, selected, totalCount } = given
  const selectable = selected !== undefined
  const [widthPx, measured] = useWidth()
  const columns = useMemo(
    () => columnsThatFit(shortColumns(given.columns, rows), selectable, widthPx),
    [given.columns, rows, selectable, widthPx],
  )
  const props = { ...given, columns }
  const stickyColumns = given.stickyColumns ?? 0
  const { template, minWidthPx, lefts } = useMemo(
    () => tracksOf(columns, selectable, stickyColumns),
    [columns, selectable, stickyColumns],
  )
  const style = {
    '--columns': template,
    '--row-height': `${rowHeight}px`,
    '--table-width': `${minWidthPx}px`,
  } as CSSProperties
  if (error) {
    return (
      <div ref={measured} className={styles.table} style={style}>
        <ErrorState error={error} onRetry={onRetry} />
      </div>
    )
  }
  if (rows === undefined) return <LoadingTable {...props} style={style} measured={measured} />
  if (rows.length === 0) {
    return (
      <div ref={measured} className={styles.table} style={style}>
        <div role="table" aria-label={label}>
          <Header {...props} rows={rows} cellRole="columnheader" />
        </div>
        {empty ?? <NothingFound />}
      </div>
    )
  }
  return (
    <FullTable
      {...props}
      rows={rows}
      style={style}
      measured={measured}
      lefts={lefts}
      totalCount={totalCount ?? rows.length}
    />
  )
}

interface Drawn {
  style: CSSProperties
  /** Receives the outermost element, whose width decides which columns fit. */
  measured: (element: HTMLElement | null) => void
}

function LoadingTable<Row>({ label, columns, selected, style, measured }: DataTableProps<Row> & Drawn) {
  return (
    <div
      ref={measured}
      className={styles.table}
      style={style}
      aria-busy="true"
      aria-label={`${label}, loading`}
      role="status"
    >
      <div aria-hidden="true">
        <div className={styles.header}>
          {selected === undefined ? null : <span />}
          {columns.map((column) => (
            <span key={column.id} className={styles.headerCell} data-align={column.align}>
              {column.header}
            </span>
          ))}
        </div>
        {Array.from({ length: 12 }, (_, index) => (
          <div key={index} className={styles.loadingRow}>
            {selected === undefined ? null : <span />}
            {columns.map((column, at) => (
              <span key={column.id} className={styles.cell} data-align={column.align}>
                <Skeleton width={column.align === 'end' ? 56 : `${48 + ((index * 7 + at * 13) % 40)}%`} />
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

type FullProps<Row> = DataTableProps<Row> &
  Drawn & {
    rows: readonly Row[]
    totalCount: number
    /** Positions of the frozen columns; empty without any. */
    lefts: readonly number[]
  }

function FullTable<Row>(props: FullProps<Row>) {
  const {
    label,
    columns,
    rows,
    rowKey,
    rowHeight = 32,
    selected,
    onSelectedChange,
    onEndReached,
    totalCount,
    measured,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const root = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element
      measured(element)
    },
    [measured],
  )
  const [focusIndex, setFocusIndex] = useState(0)
  const anchor = useRef(0)
  const wanted = useRef<number>(undefined)
  useLayoutEffect(focusWanted)
  const pinned = Math.min(rows.length, props.stickyRows ?? 0)
  const drawn = useRowWindow(scroller, {
    count: rows.length - pinned,
    rowPx: rowHeight,
    framePx: headerHeight + (pinned + (props.footerCell === undefined ? 0 : 1)) * rowHeight,
  })
  usePageScrollRestoration(scroller, label)
  useEndReached(scroller, onEndReached, rows.length)
  useVisibleChange(props.onVisibleChange, drawn.first, pinned + drawn.end - 1)
  const current = Math.min(focusIndex, rows.length - 1)

  const toggle = useCallback(
    (index: number, range: boolean) => {
      if (!selected || !onSelectedChange) return
      const next = new Set(selected)
      const key = rowKey(rows[index]!, index)
      if (range) {
        const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)]
        for (let each = from; each <= to; each++) next.add(rowKey(rows[each]!, each))
      } else if (!next.delete(key)) next.add(key)
      anchor.current = index
      onSelectedChange(next)
    },
    [onSelectedChange, rowKey, rows, selected],
  )

  function focusRow(index: number) {
    const at = Math.min(rows.length - 1, Math.max(0, index))
    setFocusIndex(at)
    if (at >= pinned) drawn.scrollTo(at - pinned)
    wanted.current = at
    focusWanted()
  }

  /** Focuses the wanted row once it is rendered, unless the focus has moved elsewhere. */
  function focusWanted() {
    if (wanted.current === undefined) return
    const focused = document.activeElement
    const hasLeft = focused !== document.body && scroller.current?.contains(focused) !== true
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (!hasLeft && !row) return
    wanted.current = undefined
    if (!hasLeft) row?.focus({ preventScroll: true })
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
    if (row === null) return
    const onRow = event.target === row
    const index = Number(row.dataset.index)
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 320) / rowHeight) - 2)
    const to = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: rows.length - 1,
    }[event.key]
    if (to !== undefined && (onRow || event.key.startsWith('Arrow'))) {
      event.preventDefault()
      if (event.shiftKey && selected) toggle(Math.min(rows.length - 1, Math.max(0, to)), true)
      focusRow(to)
    } else if (event.key === ' ' && onRow && selected) {
      event.preventDefault()
      toggle(index, event.shiftKey)
    } else if (event.key === 'Enter' && onRow) {
      props.onOpenRow?.(rows[index]!)
    } else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selected) {
      event.preventDefault()
      onSelectedChange?.(new Set(rows.map(rowKey)))
    } else if (
      (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) &&
      props.onRowContextMenu
    ) {
      event.preventDefault()
      const box = row.getBoundingClientRect()
      props.onRowContextMenu(rows[index]!, { x: box.left + 48, y: box.bottom })
    }
  }

  function drawnRow(row: Row, index: number, top: number): ReactNode {
    const key = rowKey(row, index)
    return (
      <TableRow
        // A row that loads when it becomes visible keeps its element, and with it the focus.
        key={props.onVisibleChange === undefined ? key : index}
        row={row}
        index={index}
        top={top}
        columns={columns as readonly Column<unknown>[]}
        lefts={props.lefts}
        rowStyle={props.rowStyle as TableRowProps['rowStyle']}
        selected={selected?.has(key)}
        active={props.activeKey === key}
        focusable={index === current}
        onFocusRow={setFocusIndex}
        onToggle={toggle}
        onOpen={props.onOpenRow as ((row: unknown) => void) | undefined}
        opensOnClick={props.opensOnClick === true}
        onContextMenu={
          props.onRowContextMenu as ((row: unknown, at: { x: number; y: number }) => void) | undefined
        }
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
      aria-rowcount={totalCount + (props.footerCell === undefined ? 1 : 2)}
      aria-colcount={columns.length + (selected ? 1 : 0)}
      aria-multiselectable={selected ? true : undefined}
      onKeyDown={onKeyDown}
    >
      <Header {...props} cellRole="columnheader">
        {pinned === 0
          ? null
          : rows.slice(0, pinned).map((row, index) => drawnRow(row, index, index * rowHeight))}
      </Header>
      <div role="rowgroup" className={styles.body} style={{ height: drawn.areaPx }}>
        {rows
          .slice(pinned + drawn.first, pinned + drawn.end)
          .map((row, at) => drawnRow(row, pinned + drawn.first + at, drawn.topOf(drawn.first + at)))}
      </div>
      {props.footerCell === undefined ? null : (
        <Footer {...props} footerCell={props.footerCell} rowIndex={totalCount + 2} />
      )}
      {props.loadingMore ? (
        <div className={styles.more} role="row">
          <span role="gridcell">Loading more …</span>
        </div>
      ) : null}
    </div>
  )
}

const headerHeight = 28

function Header<Row>({
  columns,
  rows,
  rowKey,
  selected,
  onSelectedChange,
  sort,
  onSortChange,
  onColumnResize,
  headerStyle,
  lefts = [],
  cellRole,
  children,
}: DataTableProps<Row> & {
  cellRole: 'columnheader'
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
      <div role="row" aria-rowindex={1} className={styles.header} style={withBack(headerStyle)}>
        {selected === undefined ? null : (
          <span role={cellRole} className={styles.check} {...staying(lefts, 0)}>
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
          </span>
        )}
        {columns.map((column, at) => {
          const order = sort?.column === column.id ? sort.order : undefined
          return (
            <span
              key={column.id}
              role={cellRole}
              className={styles.headerCell}
              data-align={column.headerAlign ?? column.align}
              {...staying(lefts, selected === undefined ? at : at + 1)}
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

function Footer<Row>({
  columns,
  selected,
  footerCell,
  footerStyle,
  lefts,
  rowIndex,
}: FullProps<Row> & { footerCell: (column: Column<Row>) => ReactNode; rowIndex: number }) {
  return (
    <div role="rowgroup" className={styles.footerGroup}>
      <div role="row" aria-rowindex={rowIndex} className={styles.footer} style={withBack(footerStyle)}>
        {selected === undefined ? null : (
          <span role="gridcell" className={styles.check} {...staying(lefts, 0)} />
        )}
        {columns.map((column, at) => (
          <span
            key={column.id}
            role="gridcell"
            className={styles.cell}
            data-align={column.align}
            {...staying(lefts, selected === undefined ? at : at + 1)}
          >
            {footerCell(column)}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Returns the style of a cell in a frozen column. */
function staying(lefts: readonly number[], at: number): object {
  if (at >= lefts.length) return {}
  const edge = at === 0 ? 'first' : undefined
  return {
    'data-stays': edge ?? 'next',
    'data-last': at === lefts.length - 1 || undefined,
    style: { left: lefts[at] },
  }
}

/** Passes the background to the cells, which cover what scrolls below them. */
function withBack(style: CSSProperties | undefined): CSSProperties | undefined {
  if (style?.backgroundColor === undefined) return style
  const { backgroundColor, ...others } = style
  return { ...others, '--row-back': backgroundColor } as CSSProperties
}

const narrowestPx = 48
const widestPx = 800

/** The right edge of a heading, which changes the width of its column. */
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

interface TableRowProps {
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

const TableRow = memo(function TableRow(props: TableRowProps) {
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
      style={{ ...withBack(rowStyle?.(row, index)), transform: `translateY(${top}px)` }}
      onFocus={() => onFocusRow(index)}
      data-clickable={(onOpen && opensOnClick) || undefined}
      onClick={opensOnClick ? openByClick : undefined}
      onDoubleClick={onOpen && !opensOnClick ? () => onOpen(row) : undefined}
      onContextMenu={openMenu}
    >
      {selected === undefined ? null : (
        <span role="gridcell" className={styles.check} {...staying(lefts, 0)}>
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
          {...staying(lefts, selected === undefined ? at : at + 1)}
        >
          {column.cell(row, index)}
        </span>
      ))}
    </div>
  )
})

function useVisibleChange(
  onChange: ((first: number, last: number) => void) | undefined,
  first: number | undefined,
  last: number | undefined,
): void {
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    if (first !== undefined && last !== undefined) latest.current?.(first, last)
  }, [first, last])
}

function useEndReached(
  scroller: { current: HTMLElement | null },
  onEndReached: (() => void) | undefined,
  count: number,
): void {
  const latest = useRef(onEndReached)
  useEffect(() => {
    latest.current = onEndReached
  })
  const wanted = onEndReached !== undefined
  useEffect(() => {
    const element = scroller.current
    if (!wanted || element === null) return
    const check = () => {
      if (element.scrollHeight - element.scrollTop - element.clientHeight <= loadMoreWithinPx)
        latest.current?.()
    }
    check()
    element.addEventListener('scroll', check, { passive: true })
    return () => element.removeEventListener('scroll', check)
  }, [scroller, wanted, count])
}

/** Observes the inner width of an element in pixels; undefined until it is rendered. */
function useWidth(): [number | undefined, (element: HTMLElement | null) => void] {
  const [widthPx, setWidthPx] = useState<number>()
  const observer = useRef<ResizeObserver>(undefined)
  const measured = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect()
    if (element === null) return
    const measure = () => setWidthPx(element.clientWidth)
    measure()
    observer.current = new ResizeObserver(measure)
    observer.current.observe(element)
  }, [])
  return [widthPx, measured]
}

function columnsThatFit<Row>(
  columns: readonly Column<Row>[],
  selectable: boolean,
  widthPx: number | undefined,
): readonly Column<Row>[] {
  if (widthPx === undefined || tracksOf(columns, selectable).minWidthPx <= widthPx) return columns
  const priority = Math.max(...columns.map((column) => column.priority ?? 0))
  if (priority <= 0) return columns
  return columnsThatFit(
    columns.filter((column) => column.priority !== priority),
    selectable,
    widthPx,
  )
}

interface Tracks {
  template: string
  /** Below this width the table scrolls sideways. */
  minWidthPx: number
  /** Positions of the frozen columns from the left. */
  lefts: readonly number[]
}

/** Gap between two columns, and the padding of a row on both sides together, as in the style sheet. */
const gapPx = 14
const sidesPx = 26
const startPx = 12

/** Returns the tracks of header and rows. No track depends on its content, so that all of them align. */
function tracksOf(
  columns: readonly { width: number | string }[],
  selectable: boolean,
  stickyColumns = 0,
): Tracks {
  const widths = [...(selectable ? [14] : []), ...columns.map(({ width }) => width)]
  const tracks = widths.map((width) => {
    if (typeof width === 'number') return { track: `${width}px`, minPx: width }
    if (width === '1fr') return { track: 'minmax(120px, 1fr)', minPx: 120 }
    return { track: width, minPx: Number(/(\d+)px/.exec(width)?.[1] ?? 0) }
  })
  const minWidthPx = tracks.reduce((sum, { minPx }) => sum + minPx, (tracks.length - 1) * gapPx + sidesPx)
  const lefts: number[] = []
  let left = startPx
  // The checkboxes of rows are frozen with the columns behind them.
  const count = stickyColumns === 0 ? 0 : stickyColumns + (selectable ? 1 : 0)
  for (const { minPx } of tracks.slice(0, count)) {
    // The first one extends to the edge.
    lefts.push(lefts.length === 0 ? 0 : left)
    left += minPx + gapPx
  }
  return { template: tracks.map(({ track }) => track).join(' '), minWidthPx, lefts }
}
