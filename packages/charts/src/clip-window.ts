import type { ChartWindow } from './chart-handle.ts'

/** Returns the part of a window within the data; undefined if that is everything. */
export function clipWindow(window: ChartWindow, full: ChartWindow): ChartWindow | undefined {
  const whole = full.to - full.from
  // Below this width neighbouring pixels would get the same number.
  const least = Math.max(whole * 1e-9, Math.max(Math.abs(full.from), Math.abs(full.to)) * 1e-12)
  const width = Math.max(window.to - window.from, least)
  if (width >= whole) return undefined
  const from = Math.min(Math.max((window.from + window.to - width) / 2, full.from), full.to - width)
  return { from, to: from + width }
}
