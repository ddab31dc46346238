import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useEscape, useRowWindow } from '@headwater/web-kit'
import { fromClipboard, toClipboard } from './clipboard.ts'
import type { CsvSheet } from './csv-sheet.ts'
import styles from './CsvGrid.module.css'
import { columnWidth, isLarge, rowPx } from './grid-size.ts'

/** Width of the column with the row numbers. */
const numberPx = 72
/** Rows whose texts decide the width of the columns. */
const measuredRows = 200
/** Longest displayed text of a cell, in characters. */
const displayedCharacters = 300

/** A selected range: the active cell and the opposite corner. */
export interface Selection {
  row: number
  column: number
  toRow: number
  toColumn: number
}

/** Returns the corners of a selection in order. */
export function cornersOf({ row, column, toRow, toColumn }: Selection) {
  return {
    top: Math.min(row, toRow),
    bottom: Math.max(row, toRow),
    left: Math.min(column, toColumn),
    right: Math.max(column, toColumn),
  }
}

/** Selects one cell. */
export function cellAt(row: number, column: number): Selection {
  return { row, column, toRow: row, toColumn: column }
}

/** The rows of a CSV file as a spreadsheet. Only visible cells are rendered. */
export function CsvGrid({
  sheet,
  selection,
  hasHeader,
  editable,
  onSelect,
  onChange,
}: {
  sheet: CsvSheet
  selection: Selection
  /** Whether the first row stays at the top. */
  hasHeader: boolean
  editable: boolean
  onSelect: (selection: Selection) => void
  /** Called after a change of the sheet. */
  onChange: () => void
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [editing, setEditing] = useState<string>()
  /** Whether the edit was cancelled; its field still loses the focus afterwards. */
  const isCancelled = useRef(false)
  // Esc ends an edit without a change and never closes the tool.
  useEscape(true, () => {
    isCancelled.current = true
    setEditing(undefined)
    scroller.current?.focus()
  })
  const view = useHorizontalView(scroller)
  const first = hasHeader && sheet.rowCount > 0 ? 1 : 0
  const count = sheet.rowCount - first
  const rows = useRowWindow(scroller, { count, rowPx, framePx: first * rowPx })
  const lefts = useLefts(sheet)
  const width = lefts.at(-1)!
  let from = lefts.findIndex((left) => left > view.left) - 1
  if (from < 0) from = 0
  let to = from
  while (to < sheet.columnCount && lefts[to]! < view.left + view.width) to++
  const { row, column } = selection
  const { top, bottom, left, right } = cornersOf(selection)

  function select(next: Selection): void {
    const clamp = (value: number, limit: number) => Math.max(0, Math.min(limit - 1, value))
    const toRow = clamp(next.toRow, sheet.rowCount)
    const toColumn = clamp(next.toColumn, sheet.columnCount)
    setEditing(undefined)
    onSelect({
      row: clamp(next.row, sheet.rowCount),
      column: clamp(next.column, sheet.columnCount),
      toRow,
      toColumn,
    })
  }

  // The selected corner stays visible, also after a search.
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (selection.toRow >= first) rows.scrollTo(selection.toRow - first)
    const start = lefts[selection.toColumn] ?? numberPx
    const end = lefts[selection.toColumn + 1] ?? start
    if (start - numberPx < element.scrollLeft) element.scrollLeft = start - numberPx
    else if (end > element.scrollLeft + element.clientWidth) element.scrollLeft = end - element.clientWidth
    // oxlint-disable-next-line react/exhaustive-deps -- only a new selection scrolls
  }, [selection])

  function commit(): void {
    if (editing === undefined || isCancelled.current) return
    sheet.setCells([{ row, column, value: editing }])
    setEditing(undefined)
    onChange()
    scroller.current?.focus()
  }

  function clear(): void {
    sheet.setCells(cellsIn(selection).map((cell) => ({ ...cell, value: '' })))
    onChange()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    // The frame must not react to these keys.
    if (key === 'Enter' || key === 'Escape') event.stopPropagation()
    if (editing !== undefined) {
      if (key === 'Enter' || key === 'Tab') {
        event.preventDefault()
        commit()
        select(key === 'Enter' ? cellAt(row + 1, column) : cellAt(row, column + (event.shiftKey ? -1 : 1)))
      }
      return
    }
    const isMod = event.ctrlKey || event.metaKey
    const page = Math.max(1, rows.end - rows.first - 20)
    const moves: Record<string, [number, number]> = {
      ArrowUp: [isMod ? -Infinity : -1, 0],
      ArrowDown: [isMod ? Infinity : 1, 0],
      ArrowLeft: [0, isMod ? -Infinity : -1],
      ArrowRight: [0, isMod ? Infinity : 1],
      PageUp: [-page, 0],
      PageDown: [page, 0],
      Home: [isMod ? -Infinity : 0, -Infinity],
      End: [isMod ? Infinity : 0, Infinity],
    }
    const move = moves[key]
    if (move !== undefined) {
      event.preventDefault()
      const toRow = selection.toRow + move[0]
      const toColumn = selection.toColumn + move[1]
      select(event.shiftKey ? { row, column, toRow, toColumn } : cellAt(toRow, toColumn))
    } else if (isMod && key.toLowerCase() === 'a') {
      event.preventDefault()
      onSelect({ row: 0, column: 0, toRow: sheet.rowCount - 1, toColumn: sheet.columnCount - 1 })
    } else if (!editable || sheet.rowCount === 0) return
    else if (isMod && /^[zyd]$/i.test(key)) {
      event.preventDefault()
      if (key.toLowerCase() === 'd') fillDown(sheet, selection)
      else if (key.toLowerCase() === 'y' || event.shiftKey) sheet.redo()
      else sheet.undo()
      onChange()
    } else if (key === 'Delete' || key === 'Backspace') {
      event.preventDefault()
      clear()
    } else if (key === 'F2') setEditing(sheet.cell(row, column))
    else if (key.length === 1 && !isMod && !event.altKey) {
      event.preventDefault()
      setEditing(key)
    }
  }

  function onCopy(event: ClipboardEvent, isCut: boolean): void {
    if (editing !== undefined || sheet.rowCount === 0) return
    event.preventDefault()
    const text: string[][] = []
    for (let at = top; at <= bottom; at++)
      text.push(Array.from({ length: right - left + 1 }, (_, index) => sheet.cell(at, left + index)))
    event.clipboardData.setData('text/plain', toClipboard(text))
    if (isCut && editable) clear()
  }

  function onPaste(event: ClipboardEvent): void {
    if (editing !== undefined || !editable) return
    event.preventDefault()
    const pasted = fromClipboard(event.clipboardData.getData('text/plain'))
    const missing = top + pasted.length - sheet.rowCount
    if (missing > 0) sheet.insertRows(sheet.rowCount, missing)
    sheet.setCells(
      pasted.flatMap((cells, down) =>
        cells.map((value, across) => ({ row: top + down, column: left + across, value })),
      ),
    )
    onChange()
  }

  const drawRow = (at: number, y: number) => (
    <div key={at} className={styles.row} style={{ top: y }} role="row" aria-rowindex={at + 1}>
      <div className={styles.number} role="rowheader">
        {at + 1}
      </div>
      {Array.from({ length: to - from }, (_, offset) => {
        const index = from + offset
        const isActive = at === row && index === column
        const isSelected = at >= top && at <= bottom && index >= left && index <= right
        return (
          <div
            key={index}
            id={`csv-${at}-${index}`}
            className={styles.cell}
            role={at < first ? 'columnheader' : 'gridcell'}
            aria-colindex={index + 2}
            aria-selected={isSelected}
            data-selected={isSelected || undefined}
            data-active={isActive || undefined}
            style={{ left: lefts[index], width: lefts[index + 1]! - lefts[index]! }}
            onMouseDown={(event) => {
              if (isActive && editing !== undefined) return
              if (editing !== undefined) commit()
              select(event.shiftKey ? { row, column, toRow: at, toColumn: index } : cellAt(at, index))
            }}
            onMouseEnter={(event) => {
              if (event.buttons === 1 && editing === undefined)
                select({ row, column, toRow: at, toColumn: index })
            }}
            onDoubleClick={() => {
              if (editable) setEditing(sheet.cell(at, index))
            }}
          >
            {isActive && editing !== undefined ? (
              <input
                autoFocus
                onFocus={() => {
                  isCancelled.current = false
                }}
                aria-label={`Row ${at + 1}, column ${index + 1}`}
                value={editing}
                onChange={(event) => setEditing(event.target.value)}
                onBlur={commit}
              />
            ) : (
              sheet.cell(at, index).slice(0, displayedCharacters)
            )}
          </div>
        )
      })}
    </div>
  )

  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      tabIndex={0}
      aria-label="Cells of the file"
      aria-rowcount={sheet.rowCount}
      aria-colcount={sheet.columnCount + 1}
      aria-activedescendant={`csv-${row}-${column}`}
      aria-readonly={!editable}
      data-large={isLarge(sheet.rowCount, window.innerHeight) || undefined}
      onKeyDown={onKeyDown}
      onCopy={(event) => onCopy(event, false)}
      onCut={(event) => onCopy(event, true)}
      onPaste={onPaste}
    >
      {first === 0 ? null : (
        <div className={styles.head} role="rowgroup" style={{ width, height: rowPx }}>
          {drawRow(0, 0)}
        </div>
      )}
      <div className={styles.area} role="rowgroup" style={{ width, height: rows.areaPx }}>
        {Array.from({ length: Math.max(0, rows.end - rows.first) }, (_, offset) => {
          const at = rows.first + offset
          return drawRow(at + first, rows.topOf(at))
        })}
      </div>
    </div>
  )
}

/** Copies the first row of a selection into its other rows. A single row is filled from the row above. */
export function fillDown(sheet: CsvSheet, selection: Selection): void {
  const { top, bottom, left, right } = cornersOf(selection)
  const source = top === bottom ? top - 1 : top
  if (source < 0) return
  const filled = { row: source + 1, column: left, toRow: bottom, toColumn: right }
  sheet.setCells(cellsIn(filled).map((cell) => ({ ...cell, value: sheet.cell(source, cell.column) })))
}

function cellsIn(selection: Selection): { row: number; column: number }[] {
  const { top, bottom, left, right } = cornersOf(selection)
  const cells: { row: number; column: number }[] = []
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) cells.push({ row, column })
  return cells
}

/** Returns the left edges of the columns, and the right edge of the last one. */
function useLefts(sheet: CsvSheet): number[] {
  const { columnCount } = sheet
  return useMemo(() => {
    const longest = Array<number>(columnCount).fill(0)
    for (let row = 0; row < Math.min(sheet.rowCount, measuredRows); row++)
      sheet.cellsOf(row).forEach((cell, at) => {
        longest[at] = Math.max(longest[at] ?? 0, cell.length)
      })
    const lefts = [numberPx]
    for (let at = 0; at < columnCount; at++) lefts.push(lefts[at]! + columnWidth(longest[at]!))
    return lefts
  }, [sheet, columnCount])
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
