/**
 * Sorts numbers that come in ascending runs, as those of series that were read one after the other. Neighbouring runs are merged until
 * one is left, so that few runs cost little more than reading them. The given array may be used for it.
 */
export function sortRuns(values: Float64Array): Float64Array {
  let starts = startsOfRuns(values)
  let source = values
  let target: Float64Array = new Float64Array(starts.length > 1 ? values.length : 0)
  while (starts.length > 1) {
    const merged: number[] = []
    for (let run = 0; run < starts.length; run += 2) {
      const start = starts[run]!
      const middle = starts[run + 1] ?? values.length
      const end = starts[run + 2] ?? values.length
      mergeRuns(source, target, { start, middle, end })
      merged.push(start)
    }
    starts = merged
    ;[source, target] = [target, source]
  }
  return source
}

function startsOfRuns(values: Float64Array): number[] {
  const starts = [0]
  for (let at = 1; at < values.length; at++) if (values[at]! < values[at - 1]!) starts.push(at)
  return starts
}

function mergeRuns(
  source: Float64Array,
  target: Float64Array,
  { start, middle, end }: { start: number; middle: number; end: number },
): void {
  let [left, right] = [start, middle]
  for (let at = start; at < end; at++) {
    const isLeft = left < middle && (right >= end || source[left]! <= source[right]!)
    target[at] = isLeft ? source[left++]! : source[right++]!
  }
}
