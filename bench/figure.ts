/** A measured figure and whether it meets its goal. */
export interface Figure {
  /** Description, for example `second start, until it accepts requests`. */
  name: string
  /** Our value, in `unit`. */
  value: number
  /** Unit, for example `ms`, `MB`, `rows/s`. */
  unit: string
  /** The peer that did the same work side by side, with its version; null without a peer. */
  peer: string | null
  /** Ratio to the peer, larger is better; null without a peer. */
  ratio: number | null
  /** The goal, for example `≤ 3000 ms` or `≥ 1 × peer`. */
  goal: string
  /** Whether the goal is met in this run. */
  holds: boolean
}

/** Default export of a benchmark file: measures and returns its figures. It can print progress. */
export type Bench = () => Promise<Figure[]>

/** Creates a figure without a peer that must not exceed a limit. */
export function atMost(limit: number, figure: { name: string; value: number; unit: string }): Figure {
  const { name, value, unit } = figure
  return { name, value, unit, peer: null, ratio: null, goal: `≤ ${limit} ${unit}`, holds: value <= limit }
}

/** Returns the median; the lower one of two for an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

/** Returns the value that 95% of the values do not exceed. */
export function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN
}
