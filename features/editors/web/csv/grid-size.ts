/** Height of a row of the grid in pixels. */
export const rowPx = 32
/** Width of a cell of the basic editor and of previews in pixels. */
export const cellPx = 150

/** Returns the width of a column for its longest text, in pixels: 8 per character plus 40, from 80 to 600. */
export function columnWidth(characters: number): number {
  return Math.min(600, Math.max(80, characters * 8 + 40))
}

/** Returns whether rows fill more than 80% of the window, so that the grid scrolls instead of growing. */
export function isLarge(rowCount: number, windowPx: number): boolean {
  return rowCount * rowPx > windowPx * 0.8
}
