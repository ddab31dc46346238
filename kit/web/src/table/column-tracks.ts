import type { Column } from './table-props.ts'

/** Returns the columns that fit. Columns with the highest priority number are removed first. */
export function columnsThatFit<Row>(
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

/** Tracks of the grid of a table. */
export interface Tracks {
  /** Value of `grid-template-columns`. */
  template: string
  /** Below this width the table scrolls sideways. */
  minWidthPx: number
  /** Left offsets of the frozen columns. */
  lefts: readonly number[]
}

/** Gap between two columns, and total padding of a row. Same values as in the style sheet. */
const gapPx = 14
const sidesPx = 26
const startPx = 12

/** Returns the tracks of header and rows. No track depends on its content, so that all of them align. */
export function tracksOf(
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
  // The checkbox column is frozen together with the columns after it.
  const count = stickyColumns === 0 ? 0 : stickyColumns + (selectable ? 1 : 0)
  for (const { minPx } of tracks.slice(0, count)) {
    // The first frozen column extends to the edge.
    lefts.push(lefts.length === 0 ? 0 : left)
    left += minPx + gapPx
  }
  return { template: tracks.map(({ track }) => track).join(' '), minWidthPx, lefts }
}
