import { cellStates, isLineEnd, nextCellState, type CellState } from './cell-state.ts'

const separators = [',', ';', '\t', '|']

/**
 * Detects the separator: the comma, semicolon, tab or vertical bar that is most frequent outside quotes in the first
 * non-empty line. Defaults to a comma.
 * @param text beginning of a file
 * @param isWhole whether no more text follows
 * @returns undefined until the text contains that line
 */
export function findSeparator(text: string, isWhole: true): string
export function findSeparator(text: string, isWhole: boolean): string | undefined
export function findSeparator(text: string, isWhole: boolean): string | undefined {
  const counts = new Map<string, number>()
  let state: CellState = cellStates.start
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    const code = text.charCodeAt(at)
    const isSeparator = separators.includes(character)
    if (state !== cellStates.quoted) {
      if (isLineEnd(code) && text.slice(0, at).trim() !== '') return mostFrequent(counts)
      if (isSeparator) counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    state = nextCellState(state, code, isSeparator)
  }
  return isWhole ? mostFrequent(counts) : undefined
}

function mostFrequent(counts: ReadonlyMap<string, number>): string {
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a)
  return first?.[0] ?? ','
}
