import type { ChartWindow } from './chart-handle.ts'

/** Clips a window to the data. Returns undefined if it contains all data. */
export function clipWindow(window: ChartWindow, full: ChartWindow): ChartWindow | undefined {
  const whole = full.to - full.from
  // Below this width, neighbouring pixels would have the same x.
  const least = Math.max(whole * 1e-9, Math.max(Math.abs(full.from), Math.abs(full.to)) * 1e-12)
  const width = Math.max(window.to - window.from, least)
  if (width >= whole) return undefined
  const from = Math.min(Math.max((window.from + window.to - width) / 2, full.from), full.to - width)
  return { from, to: from + width }
}
