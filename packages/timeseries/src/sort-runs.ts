/**
 * Sorts numbers that consist of ascending runs, such as the timestamps of consecutive series, and removes duplicates. It
 * merges neighbouring runs until one is left, which is fast for few runs. It can overwrite the given array.
 */
export function sortRuns(values: Float64Array): Float64Array {
  let ends = endsOfRuns(values)
  let source = values
  let target: Float64Array = new Float64Array(ends.length > 1 ? values.length : 0)
  while (ends.length > 1) {
    const merged: number[] = []
    for (let run = 0; run < ends.length; run += 2) {
      const left = source.subarray(ends[run - 1] ?? 0, ends[run])
      const right = source.subarray(ends[run], ends[run + 1] ?? ends[run])
      merged.push(mergeRuns(left, right, target, merged.at(-1) ?? 0))
    }
    ends = merged
    ;[source, target] = [target, source]
  }
  return source.subarray(0, ends[0])
}

function endsOfRuns(values: Float64Array): number[] {
  const ends: number[] = []
  for (let at = 1; at < values.length; at++) if (values[at]! <= values[at - 1]!) ends.push(at)
  return [...ends, values.length]
}

/** Merges two runs without duplicates into `target`, starting at index `start`. Returns the next index. */
function mergeRuns(left: Float64Array, right: Float64Array, target: Float64Array, start: number): number {
  let atLeft = 0
  let atRight = 0
  let at = start
  while (atLeft < left.length && atRight < right.length) {
    const a = left[atLeft]!
    const b = right[atRight]!
    target[at++] = a < b ? a : b
    if (a <= b) atLeft++
    if (b <= a) atRight++
  }
  target.set(left.subarray(atLeft), at)
  at += left.length - atLeft
  target.set(right.subarray(atRight), at)
  return at + right.length - atRight
}
