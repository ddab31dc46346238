import type { Column } from './table-props.ts'

/** Number of measured rows. It is limited so that column widths stay the same when the list loads more rows. */
const measuredRows = 50

/** Narrows columns whose texts are short, but never below the width of their header. */
export function shortColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[] | undefined,
): readonly Column<Row>[] {
  if (rows === undefined || rows.length === 0) return columns
  return columns.map((column) => {
    const { shortText, width, header } = column
    if (shortText === undefined || typeof width === 'number') return column
    const texts = rows.slice(0, measuredRows).map((row) => shortText(row))
    if (typeof header === 'string') texts.push(header)
    const neededPx = Math.ceil(Math.max(...texts.map(widthOf))) + 2
    const leastPx = Number(/(\d+)px/.exec(width)?.[1] ?? 0)
    return neededPx < leastPx ? { ...column, width: neededPx } : column
  })
}

const widths = new Map<string, number>()
let canvas: CanvasRenderingContext2D | null | undefined

/** Returns the width of text in a cell, in pixels. */
function widthOf(text: string): number {
  const known = widths.get(text)
  if (known !== undefined) return known
  canvas ??= document.createElement('canvas').getContext('2d')
  if (!canvas) return Infinity
  canvas.font = getComputedStyle(document.body).font
  const { width } = canvas.measureText(text)
  widths.set(text, width)
  return width
}
