import { createChart, type Chart, type ChartSpec, type ChartStats } from '@headwater/charts'
import { type RefObject, useEffect, useRef } from 'react'
import styles from './ChartTile.module.css'

/** A chart of the engine in the page; `chart` is set while it stands. */
export function ChartCanvas({
  spec,
  label,
  chart,
  onDraw,
  onZoom,
}: {
  spec: ChartSpec
  label: string
  chart: RefObject<Chart | null>
  onDraw: (stats: ChartStats) => void
  onZoom: (zoomed: boolean) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef({ spec, onDraw, onZoom })
  useEffect(() => {
    latest.current = { spec, onDraw, onZoom }
  })
  useEffect(() => {
    const created = createChart(place.current!, latest.current.spec, {
      label,
      onDraw: (stats) => latest.current.onDraw(stats),
      onZoom: (window) => latest.current.onZoom(window !== undefined),
    })
    chart.current = created
    const theme = new MutationObserver(() => created.restyle())
    theme.observe(document.documentElement, { attributes: true })
    return () => {
      theme.disconnect()
      created.destroy()
      chart.current = null
    }
  }, [chart, label])
  useEffect(() => chart.current?.update(spec), [chart, spec])
  return <div ref={place} className={styles.canvas} />
}
