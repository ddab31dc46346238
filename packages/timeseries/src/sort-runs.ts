/**
 * Sorts numbers that come in ascending runs, as those of series that were read one after the other, and leaves each once. Neighbouring runs
 * are merged until one is left, so that few runs cost little more than reading them. The given array may be used for it.
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

/** Writes the numbers of two runs to a place on, each once; answers with the place behind them. */
function mergeRuns(left: Float64Array, right: Float64Array, target: Float64Array, place: number): number {
  let atLeft = 0
  let atRight = 0
  let at = place
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
