/** A block of items that differs: these items of the earlier sequence became those of the later one. Ends are exclusive. */
export interface Change {
  /** First item of the earlier sequence, counted from 0. */
  beforeStart: number
  /** End in the earlier sequence. */
  beforeEnd: number
  /** First item of the later sequence, counted from 0. */
  afterStart: number
  /** End in the later sequence. */
  afterEnd: number
}

/** Maximum number of added and removed items that are matched one by one. It bounds time and memory. */
const maxEdits = 1000

/**
 * Returns the blocks in which two sequences differ, with the fewest added and removed items (Myers). Sequences that differ in more than
 * 1,000 items are one block, without their equal beginning and end.
 */
export function compareSequences(before: readonly string[], after: readonly string[]): Change[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let [beforeEnd, afterEnd] = [before.length, after.length]
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--
    afterEnd--
  }
  if (start === beforeEnd && start === afterEnd) return []
  const whole: Change = { beforeStart: start, beforeEnd, afterStart: start, afterEnd }
  if (start === beforeEnd || start === afterEnd) return [whole]
  const pairs = commonPairs(before.slice(start, beforeEnd), after.slice(start, afterEnd))
  if (pairs === undefined) return [whole]
  const changes: Change[] = []
  let [x, y] = [start, start]
  for (const [i, j] of [...pairs, [beforeEnd - start, afterEnd - start] as const]) {
    const [nextX, nextY] = [i + start, j + start]
    if (nextX > x || nextY > y)
      changes.push({ beforeStart: x, beforeEnd: nextX, afterStart: y, afterEnd: nextY })
    x = nextX + 1
    y = nextY + 1
  }
  return changes
}

/** Returns the positions of equal items in their order; undefined if there are too many edits. */
function commonPairs(
  before: readonly string[],
  after: readonly string[],
): (readonly [number, number])[] | undefined {
  const most = Math.min(before.length + after.length, maxEdits)
  const offset = most + 1
  const ends = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(ends.slice(offset - edits - 1, offset + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown =
        diagonal === -edits ||
        (diagonal !== edits && ends[offset + diagonal - 1]! < ends[offset + diagonal + 1]!)
      let x = isDown ? ends[offset + diagonal + 1]! : ends[offset + diagonal - 1]! + 1
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++
      ends[offset + diagonal] = x
      if (x >= before.length && x - diagonal >= after.length) return pairsOf(trace, before, after)
    }
  }
  return undefined
}

/** Traces the edits back from the ends of both sequences. */
function pairsOf(
  trace: readonly Int32Array[],
  { length: beforeLength }: readonly string[],
  { length: afterLength }: readonly string[],
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let [x, y] = [beforeLength, afterLength]
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const ends = trace[edits]!
    const endOf = (diagonal: number) => ends[diagonal + edits + 1]!
    const diagonal = x - y
    const isDown = diagonal === -edits || (diagonal !== edits && endOf(diagonal - 1) < endOf(diagonal + 1))
    const previous = isDown ? diagonal + 1 : diagonal - 1
    const startX = edits === 0 ? 0 : endOf(previous)
    const startY = edits === 0 ? 0 : startX - previous
    const [matchX, matchY] = edits === 0 ? [0, 0] : isDown ? [startX, startY + 1] : [startX + 1, startY]
    while (x > matchX && y > matchY) pairs.push([--x, --y])
    x = startX
    y = startY
  }
  return pairs.reverse()
}
