import { useEffect, useRef } from 'react'
import { createChart, type Chart, type ChartSpec } from '@headwater/charts'
import styles from './SymbolPanel.module.css'

/** Chart that updates with its specification and the colour scheme. */
export function SymbolChart({ spec, label }: { spec: ChartSpec; label: string }) {
  const container = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart>(undefined)
  useEffect(() => {
    if (container.current === null) return
    if (chart.current === undefined) chart.current = createChart(container.current, spec, { label })
    else chart.current.update(spec)
  }, [spec, label])
  useEffect(
    () => () => {
      chart.current?.destroy()
      chart.current = undefined
    },
    [],
  )
  useEffect(() => {
    const observer = new MutationObserver(() => chart.current?.restyle())
    observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => observer.disconnect()
  }, [])
  return <div ref={container} className={styles.chart} />
}
