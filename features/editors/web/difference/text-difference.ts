import { compareSequences } from './compare-sequences.ts'

/** Equal lines that are visible around a change. */
const context = 3

/** A line of a difference, or the number of equal lines that are omitted. */
export type DifferenceLine =
  | {
      kind: 'same' | 'removed' | 'added'
      /** The line. */
      text: string
      /** Number of the line in the earlier text, from 1; undefined for an added line. */
      before: number | undefined
      /** Number of the line in the later text, from 1; undefined for a removed line. */
      after: number | undefined
    }
  | { kind: 'skipped'; count: number }

/** Difference of two texts by lines. */
export interface TextDifference {
  /** Changed lines with three lines around them. Empty if the texts are equal. */
  lines: DifferenceLine[]
  /** Number of added lines. */
  added: number
  /** Number of removed lines. */
  removed: number
}

/** Compares two texts line by line. Line ends are ignored. */
export function textDifference(before: string, after: string): TextDifference {
  const [old, now] = [linesOf(before), linesOf(after)]
  const changes = compareSequences(old, now)
  const lines: DifferenceLine[] = []
  let [added, removed, end] = [0, 0, 0]
  const same = (from: number, to: number, shift: number) => {
    for (let at = from; at < to; at++)
      lines.push({ kind: 'same', text: old[at]!, before: at + 1, after: at + 1 + shift })
  }
  for (const [index, { beforeStart, beforeEnd, afterStart, afterEnd }] of changes.entries()) {
    const shift = afterStart - beforeStart
    const [first, last] = [index === 0 ? 0 : Math.min(beforeStart, end + context), beforeStart]
    const from = Math.max(first, last - context)
    same(end, first, shift)
    if (from > first) lines.push({ kind: 'skipped', count: from - first })
    same(from, last, shift)
    for (let at = beforeStart; at < beforeEnd; at++)
      lines.push({ kind: 'removed', text: old[at]!, before: at + 1, after: undefined })
    for (let at = afterStart; at < afterEnd; at++)
      lines.push({ kind: 'added', text: now[at]!, before: undefined, after: at + 1 })
    added += afterEnd - afterStart
    removed += beforeEnd - beforeStart
    end = beforeEnd
  }
  const lastChange = changes.at(-1)
  if (lastChange !== undefined) {
    const to = Math.min(old.length, end + context)
    same(end, to, lastChange.afterEnd - lastChange.beforeEnd)
    if (to < old.length) lines.push({ kind: 'skipped', count: old.length - to })
  }
  return { lines, added, removed }
}

/**
 * Returns the lines of a text. An empty text has no lines. A line ending after the last line does not start another line.
 */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n?|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
