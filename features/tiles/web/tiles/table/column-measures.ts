import {
  groupColumnWidth,
  isChoice,
  cellText,
  type DisplayColumn,
  groupColumnId,
  type TableTile,
} from '@headwater/tile-data/core'

type Row = readonly string[]

/** Widths of columns without a stored width. They share the remaining space. */
const widths = {
  time: 'minmax(80px, 1fr)',
  number: 'minmax(64px, 1fr)',
  text: 'minmax(96px, 2fr)',
}
const withTimeOfDay = 'minmax(138px, 1fr)'
/** Minimum widths of a number column without and with a footer, in pixels. */
const narrowestPx = 64
const withFooterPx = 112
/** Bounds of the width of a symbol column, in pixels. Within them the column is as wide as its texts. */
const narrowestKeyPx = 40
const widestKeyPx = 64
/** Width of a digit and of the padding of a cell with a background, in pixels. */
const characterPx = 8
const pillPx = 14
/** Number of rows that determine the width of a column. */
const measuredRows = 1000
const choiceWidth = 'minmax(120px, 1fr)'
/** Maximum number of values that a dropdown offers, and of rows that are searched for them. */
const offered = 500
const lookedAt = 100_000

/** Values of a column that depend on all rows. Computed once for the same rows. */
export interface Measure {
  /** Width as CSS or in pixels. */
  width: string | number
  /** Values of the column in the data; undefined unless readers choose its cells. */
  choices: string[] | undefined
}

/** Measures a column. */
export function measured(column: DisplayColumn, rows: readonly Row[], { dateFormat }: TableTile): Measure {
  const { settings, result } = column
  const choices = isChoice(settings.columnType) ? valuesIn(rows, result.index) : undefined
  const isChosen = choices !== undefined
  return { choices, width: settings.columnWidth ?? widthOf(column, rows, { isChosen, dateFormat }) }
}

function widthOf(
  column: DisplayColumn,
  rows: readonly Row[],
  { isChosen, dateFormat }: { isChosen: boolean; dateFormat: string },
): string | number {
  const { result, isNumber, settings } = column
  if (settings.columnId === groupColumnId)
    return groupColumnWidth(new Set(rows.map((row) => row[result.index]!)))
  if (isChosen) return choiceWidth
  const hasTime = result.kind === 'time' && rows.some((row) => !row[result.index]!.endsWith('T00:00:00'))
  if (isNumber || (result.kind === 'time' && dateFormat !== '')) {
    const least = settings.footer === '' ? narrowestPx : withFooterPx
    const needed = longestLine(rows, (row) => cellText(column, row[result.index]!, dateFormat))
    return `minmax(${Math.max(least, Math.round(needed * characterPx + pillPx))}px, 1fr)`
  }
  if (result.kind === 'symbol') {
    const needed = longestLine(rows, (row) => row[result.index]!) * characterPx
    return `minmax(${Math.min(widestKeyPx, Math.max(narrowestKeyPx, needed))}px, 1fr)`
  }
  return hasTime ? withTimeOfDay : widths[result.kind]
}

/** Returns the length of the longest line of a column, in characters, from rows spread evenly over the table. */
function longestLine(rows: readonly Row[], textOf: (row: Row) => string): number {
  const step = Math.max(1, Math.floor(rows.length / measuredRows))
  let longest = 0
  for (let at = 0; at < rows.length; at += step)
    for (const part of textOf(rows[at]!).split('\n')) longest = Math.max(longest, part.length)
  return longest
}

function valuesIn(rows: readonly Row[], index: number): string[] {
  const values = new Set<string>()
  for (let at = 0; at < Math.min(rows.length, lookedAt) && values.size < offered; at++)
    values.add(rows[at]![index]!)
  return [...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
