import { useEffect, useRef } from 'react'
import { createChart, type Chart, type ChartSpec } from '@headwater/charts'
import styles from './ChartsTab.module.css'

/** Chart that updates with its specification and the colour scheme. */
export function PreviewChart({ spec, label }: { spec: ChartSpec; label: string }) {
  const container = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart>(undefined)
  useEffect(() => {
    if (chart.current === undefined) chart.current = createChart(container.current!, spec, { label })
    else chart.current.update(spec)
  }, [spec, label])
  useEffect(() => {
    const theme = new MutationObserver(() => chart.current?.restyle())
    theme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => {
      theme.disconnect()
      chart.current?.destroy()
      chart.current = undefined
    }
  }, [])
  return <div ref={container} className={styles.canvas} />
}
