import type { CSSProperties, ReactNode } from 'react'

/** One column of a table. */
export interface Column<Row> {
  /** Id of the column. */
  id: string
  /** Heading. A column without a visible heading needs a heading in a `visually-hidden` span. */
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
  /**
   * Text of a cell. If set, the column can be narrower than `width` while its texts are short, and other columns use
   * the space.
   */
  shortText?: (row: Row) => string
  /** Whether the list can be sorted by the column. */
  sortable?: boolean
  /** Uses the secondary text colour. */
  quiet?: boolean
  /**
   * Whether the column contains the name of the row, which phones show above the other values. Default: the first column
   * with a track as its width.
   */
  isName?: true
  /** In a narrow table, columns with the highest number are hidden first. Columns without a number stay visible. */
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
  /**
   * Returns a key that stays the same when the `rowKey` of an object changes, for example the name of a file when a newer
   * version replaces its row. The focus follows this key. Default: the `rowKey`.
   */
  rowIdentity?: (row: Row, index: number) => string
  /** Row height in pixels: 32 by default, 36 in main lists. On a phone the rows of main lists are 72 px high. */
  rowHeight?: 32 | 36
  /** Error of the last load. */
  error?: Error | null
  /** Loads again after an error. */
  onRetry?: () => void
  /** Content of a table without rows. */
  empty?: ReactNode
  /** Total number of rows if not all of them are loaded. */
  totalCount?: number
  /** Whether there can be more rows than `totalCount`. Default false. */
  totalIsAtLeast?: boolean
  /** Keys of the selected rows; absent for tables without selection. */
  selected?: ReadonlySet<string>
  /** Whether at most one row can be selected: there is no checkbox for all rows. Default false. */
  selectsOne?: boolean
  /** Called with the new selection. */
  onSelectedChange?: (selected: ReadonlySet<string>) => void
  /** Current sort order. */
  sort?: Sort
  /** Called with the new sort order. */
  onSortChange?: (sort: Sort) => void
  /** Called near the end of the list, to load more rows. */
  onEndReached?: () => void
  /** Distance from the end at which `onEndReached` is called, in pixels. Default 800. */
  endReachedWithinPx?: number
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
   * Called with the new width when the user drags the right edge of a heading. Offer keyboard users another way to change
   * the width, for example a dialog.
   */
  onColumnResize?: (column: string, widthPx: number) => void
  /** Number of frozen columns on the left. Default 0. */
  stickyColumns?: number
  /** Number of frozen rows below the header. Default 0. */
  stickyRows?: number
  /** Returns the style of a row. Pass the same function as long as the styles do not change. */
  rowStyle?: (row: Row, index: number) => CSSProperties | undefined
  /** Style of the header. */
  headerStyle?: CSSProperties
  /** Renders the cells of a frozen row at the bottom. */
  footerCell?: (column: Column<Row>) => ReactNode
  /** Style of the row at the bottom. */
  footerStyle?: CSSProperties
}

/** Values that the components of a table share, in addition to the properties. */
export interface RenderedTable {
  /** Tracks, row height and width of the table. */
  style: CSSProperties
  /** Receives the outermost element. Its width determines which columns fit. */
  measured: (element: HTMLElement | null) => void
}
