import type { Chart, ChartWindow } from '@headwater/charts'
import type { ChartSync } from '@headwater/tile-data/contract'
import { createContext } from 'react'

/** A chart that shares its cursor and optionally its zoom. */
export interface SyncedChart {
  /** The chart. */
  chart: Chart
  /** Charts of the same kind of x axis belong together. */
  axis: 'calendar' | 'dayOfYear'
}

/** Synchronises the charts of an insight. */
export interface ChartGroup {
  /** @returns leaves the group */
  join: (member: SyncedChart) => () => void
  /** Moves the cursor of the other charts; null hides it. */
  moveCursor: (from: Chart, x: number | null) => void
  /** Zooms the other charts; undefined resets them. */
  zoom: (from: Chart, window: ChartWindow | undefined) => void
}

/** The synchronised charts of an insight; undefined where charts are independent. */
export const ChartGroupContext = createContext<ChartGroup | undefined>(undefined)

/** Creates an empty group of charts; undefined where charts are independent. */
export function createChartGroup(sync: ChartSync): ChartGroup | undefined {
  if (sync === 'OFF') return undefined
  const members = new Set<SyncedChart>()
  const zoomed = new Map<SyncedChart['axis'], ChartWindow>()
  /** Charts emit the same events for synchronised changes as for changes by users. */
  let isPassingOn = false
  function passOn(from: Chart, act: (chart: Chart, axis: SyncedChart['axis']) => void): void {
    const source = [...members].find(({ chart }) => chart === from)
    if (source === undefined || isPassingOn) return
    isPassingOn = true
    try {
      for (const { chart, axis } of members) if (chart !== from && axis === source.axis) act(chart, axis)
    } finally {
      isPassingOn = false
    }
  }
  return {
    join(member) {
      members.add(member)
      const window = zoomed.get(member.axis)
      if (window !== undefined) show(member.chart, window)
      return () => void members.delete(member)
    },
    moveCursor: (from, x) => passOn(from, (chart) => chart.setCursor(x)),
    zoom(from, window) {
      if (sync !== 'CURSOR_AND_ZOOM' || isPassingOn) return
      const source = [...members].find(({ chart }) => chart === from)
      if (source === undefined) return
      if (window === undefined) zoomed.delete(source.axis)
      else zoomed.set(source.axis, window)
      passOn(from, (chart) => show(chart, window))
    },
  }
}

/** Zooms a chart. A chart without data in the window does not change. */
function show(chart: Chart, window: ChartWindow | undefined): void {
  if (window === undefined) return chart.resetZoom()
  const from = Math.max(window.from, chart.full.from)
  const to = Math.min(window.to, chart.full.to)
  if (from < to) chart.zoom(from, to)
}
