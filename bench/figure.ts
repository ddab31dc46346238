/** One measured figure, and whether it holds what is promised. */
export interface Figure {
  /** What was measured, for example `second start, until it accepts requests`. */
  name: string
  /** Ours, in `unit`. */
  value: number
  /** Unit in words or signs, for example `ms`, `MB`, `rows/s`. */
  unit: string
  /** The peer that did the same work side by side, with its version; null when there is none. */
  peer: string | null
  /** How many times better we are than the peer, larger is better; null without a peer. */
  ratio: number | null
  /** What is promised, in words, for example `≤ 3000 ms` or `≥ 1 × peer`. */
  goal: string
  /** Whether the goal is met in this run. */
  holds: boolean
}

/** What a file of this folder exports by default: measures and answers with its figures. It may print what it does. */
export type Bench = () => Promise<Figure[]>

/** A figure without a peer that must not be larger than a limit. */
export function atMost(limit: number, figure: { name: string; value: number; unit: string }): Figure {
  const { name, value, unit } = figure
  return { name, value, unit, peer: null, ratio: null, goal: `≤ ${limit} ${unit}`, holds: value <= limit }
}

/** The middle of some measurements; of an even number the lower one of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}
