/** One series of a measurement; times in milliseconds. */
export interface BenchSeries {
  name: string
  kind: 'area' | 'line' | 'bars' | 'scatter'
  right: boolean
  x: Float64Array
  y: Float64Array
}

/** Interface of the page of each engine. */
export interface Engine {
  /** Draws a chart with axes, grid and legend of 1200 × 600 CSS pixels into an empty element. */
  make: (container: HTMLElement, series: readonly BenchSeries[]) => BenchChart
}

export interface BenchChart {
  /** Shows a window of x. */
  pan: (from: number, to: number) => void
  destroy: () => void
}

export const WIDTH = 1200
export const HEIGHT = 600
