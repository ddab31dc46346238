import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { CsvSheet } from './csv-sheet.ts'
import { cellPx, columnWidth } from './grid-size.ts'

/** Width of the column with the row numbers in pixels. */
export const numberPx = 72
/** Number of rows whose texts determine the width of the columns. */
const measuredRows = 200

/** The columns of a grid and which of them are rendered. */
export interface Columns {
  /** Left edges of the columns, and the right edge of the last one. */
  lefts: number[]
  /** Index of the first rendered column. */
  from: number
  /** Index after the last rendered column. */
  to: number
}

/**
 * Returns the positions of the columns of a sheet, and which of them are visible in a scrolled element.
 * @param isBasic whether all columns have the same width; otherwise their texts determine the widths
 */
export function useColumns(
  sheet: CsvSheet,
  scroller: RefObject<HTMLElement | null>,
  isBasic: boolean,
): Columns {
  const lefts = useLefts(sheet, isBasic)
  const view = useHorizontalView(scroller)
  const from = Math.max(0, lefts.findIndex((left) => left > view.left) - 1)
  let to = from
  while (to < sheet.columnCount && lefts[to]! < view.left + view.width) to++
  return { lefts, from, to }
}

function useLefts(sheet: CsvSheet, isBasic: boolean): number[] {
  const { columnCount } = sheet
  return useMemo(() => {
    if (isBasic) return Array.from({ length: columnCount + 1 }, (_, at) => numberPx + at * cellPx)
    const longest = Array<number>(columnCount).fill(0)
    for (let row = 0; row < Math.min(sheet.rowCount, measuredRows); row++)
      sheet.cellsOf(row).forEach((cell, at) => {
        longest[at] = Math.max(longest[at] ?? 0, cell.length)
      })
    const lefts = [numberPx]
    for (let at = 0; at < columnCount; at++) lefts.push(lefts[at]! + columnWidth(longest[at]!))
    return lefts
  }, [sheet, columnCount, isBasic])
}

function useHorizontalView(scroller: RefObject<HTMLElement | null>) {
  const [view, setView] = useState({ left: 0, width: 2000 })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const measure = () =>
      setView((last) =>
        last.left === element.scrollLeft && last.width === element.clientWidth
          ? last
          : { left: element.scrollLeft, width: element.clientWidth },
      )
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller])
  return view
}
