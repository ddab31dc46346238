const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * State of a reader within a cell: before it, in unquoted text, in quotes, or after a quote that may be the closing
 * one.
 */
export const cellStates = { start: 0, plain: 1, quoted: 2, quoteSeen: 3 } as const
/** A value of {@link cellStates}. */
export type CellState = (typeof cellStates)[keyof typeof cellStates]

/** Returns whether a character outside quotes ends a line. */
export function isLineEnd(code: number): boolean {
  return code === lineFeed || code === carriageReturn
}

/**
 * Returns the state after a character, by the rules of `CsvReader`: a quote opens a quoted cell only at its start.
 * @param isSeparator whether the character separates cells outside quotes
 */
export function nextCellState(state: CellState, code: number, isSeparator: boolean): CellState {
  if (state === cellStates.quoted) return code === quote ? cellStates.quoteSeen : cellStates.quoted
  if (code === quote && state !== cellStates.plain) return cellStates.quoted
  return isSeparator || isLineEnd(code) ? cellStates.start : cellStates.plain
}
