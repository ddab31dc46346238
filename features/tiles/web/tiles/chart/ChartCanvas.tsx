import { createChart, type Chart, type ChartSpec, type ChartStats, type ChartWindow } from '@headwater/charts'
import { useContext, useEffect, useRef } from 'react'
import { ChartGroupContext, type SyncedChart } from './chart-sync.ts'
import styles from './ChartTile.module.css'

/** Renders a chart of the chart engine. */
export function ChartCanvas({
  spec,
  label,
  onChart,
  onDraw,
  onZoom,
  axis,
}: {
  spec: ChartSpec
  label: string
  /** Receives the chart when it is created, null when it is destroyed. */
  onChart: (chart: Chart | null) => void
  onDraw: (stats: ChartStats) => void
  /** Receives the visible window after a zoom; undefined means all data. */
  onZoom: (window: ChartWindow | undefined) => void
  /** Kind of the x axis for shared cursor and zoom; undefined if it is not shared. */
  axis: SyncedChart['axis'] | undefined
}) {
  const container = useRef<HTMLDivElement>(null)
  const live = useRef<Chart>(null)
  const group = useContext(ChartGroupContext)
  const latest = useRef({ spec, label, onDraw, onZoom, group })
  const drawn = useRef<{ spec: ChartSpec; label: string }>(null)
  useEffect(() => {
    latest.current = { spec, label, onDraw, onZoom, group }
  })
  useEffect(() => {
    const chart = createChart(container.current!, latest.current.spec, {
      // This is a getter, so that the chart is not created again while the user types the title.
      get label() {
        return latest.current.label
      },
      onDraw: (stats) => latest.current.onDraw(stats),
      onZoom: (window) => {
        latest.current.onZoom(window)
        latest.current.group?.zoom(chart, window)
      },
      onCursor: (x) => latest.current.group?.moveCursor(chart, x),
    })
    live.current = chart
    drawn.current = latest.current
    onChart(chart)
    const theme = new MutationObserver(() => chart.restyle())
    theme.observe(document.documentElement, { attributes: true })
    return () => {
      theme.disconnect()
      chart.destroy()
      live.current = null
      onChart(null)
    }
  }, [onChart])
  useEffect(() => {
    const chart = live.current
    return chart === null || axis === undefined ? undefined : group?.join({ chart, axis })
  }, [group, axis])
  useEffect(() => {
    // A new chart already shows this spec and label.
    if (drawn.current?.spec === spec && drawn.current.label === label) return
    drawn.current = { spec, label }
    live.current?.update(spec)
  }, [spec, label])
  return <div ref={container} className={styles.canvas} />
}
