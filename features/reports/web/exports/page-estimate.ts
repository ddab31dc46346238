import type { Paper } from './PrintDocument.tsx'

/** The parts of a tile that determine its printed length. */
export interface MeasuredPart {
  /** Number of rows of its table, before a limit. Default: it has no table. */
  rows?: number
  /** Whether it is an image. Default false. */
  isPicture?: boolean
  /** Number of characters of its text. Default: it has no text. */
  characters?: number
}

/** CSS pixels between the upper and the lower margin. */
const heights: Record<Paper, number> = {
  'a4-portrait': 1009,
  'a4-landscape': 680,
  'letter-portrait': 943,
  'letter-landscape': 703,
}

/** CSS pixels on paper, of a document with ordinary texts. */
const rowHeight = 22
const titleHeight = 50
const headHeight = 130
const lineHeight = 17
const charactersOfLine = 110

/**
 * Estimates the number of printed pages.
 * @param width CSS pixels between the left and the right margin
 * @param maxRows most printed rows of a table
 */
export function estimatePages(
  parts: readonly MeasuredPart[],
  { paper, width, maxRows }: { paper: Paper; width: number; maxRows: number },
): number {
  const page = heights[paper]
  let pages = 1
  let used = headHeight
  for (const { rows, isPicture, characters } of parts) {
    const lines = characters === undefined ? 0 : Math.ceil(characters / charactersOfLine)
    const height =
      titleHeight +
      (rows === undefined ? 0 : (Math.min(rows, maxRows) + 1) * rowHeight) +
      (isPicture === true ? Math.min(width * 0.45, page * 0.8) : 0) +
      lines * lineHeight
    // A picture that does not fit starts a new page; rows and lines break across pages.
    const start = isPicture === true && used + height > page ? page : used
    const end = start + height
    pages += Math.ceil(end / page) - 1
    used = end - (Math.ceil(end / page) - 1) * page
  }
  return pages
}
