import { useMemo } from 'react'
import IconBasket from '@tabler/icons-react/dist/esm/icons/IconBasket.mjs'
import { automaticAxes, type ChartSpec } from '@headwater/charts/values'
import { Button, EmptyState, ErrorState, Skeleton } from '@headwater/web-kit'
import { draftProblem, type PrepDraft } from '../draft.ts'
import { maxLines, type PreviewSeries, usePausedDraft, usePreviewSeries } from '../preview-client.ts'
import { PreviewTable } from './PreviewTable.tsx'
import { PreviewChart } from './PreviewChart.tsx'
import styles from './ChartsTab.module.css'

/** Tab with the result as a chart and a table. */
export function ChartsTab({ draft, onAdd }: { draft: PrepDraft; onAdd: () => void }) {
  const paused = usePausedDraft(draft)
  const problem = draftProblem(paused)
  const series = usePreviewSeries(paused, { enabled: problem === undefined })
  const timeZone = paused.settings.timezone
  const chart = useMemo(
    () => (series.data === undefined ? undefined : chartOf(series.data, timeZone)),
    [series.data, timeZone],
  )
  if (draft.basket.length === 0) {
    return (
      <EmptyState
        icon={<IconBasket size={20} stroke={1.6} />}
        title="The basket is empty"
        action={<Button onClick={onAdd}>Add symbols</Button>}
      >
        Choose symbols to preview their values.
      </EmptyState>
    )
  }
  return (
    <>
      {problem !== undefined ? null : series.error ? (
        <ErrorState
          error={series.error}
          title="The chart could not be drawn"
          onRetry={() => void series.refetch()}
        />
      ) : chart === undefined ? (
        <div className={styles.chart}>
          <Skeleton lines={6} />
        </div>
      ) : chart.spec.series.length === 0 ? null : (
        <section className={styles.chart} aria-label="Chart">
          <PreviewChart spec={chart.spec} label="Preview of the data prep" />
          {chart.hidden > 0 || paused.basket.length > maxLines ? (
            <p className={styles.note}>The first {chart.spec.series.length} lines are drawn.</p>
          ) : null}
        </section>
      )}
      <PreviewTable draft={draft} />
    </>
  )
}

function chartOf({ symbols, values }: PreviewSeries, timeZone: string): { spec: ChartSpec; hidden: number } {
  const names = new Map<string, number>()
  const lines = values.flatMap(({ timestamps, columns }, index) =>
    Object.entries(columns)
      .filter(([name, points]) => name !== 'InsertTime' && points.some((value) => typeof value === 'number'))
      .map(([name, points]) => {
        const label = [...Object.values(symbols[index] ?? {}), name].join(' · ')
        const count = (names.get(label) ?? 0) + 1
        names.set(label, count)
        return {
          label: count === 1 ? label : `${label} (${count})`,
          kind: 'line' as const,
          axis: 'automatic' as const,
          x: timestamps,
          y: points.map((value) => (typeof value === 'number' ? value : null)),
        }
      }),
  )
  const series = lines.slice(0, maxLines)
  const axes = automaticAxes(series)
  const spec: ChartSpec = {
    series: series.map((each, index) => ({ ...each, axis: axes[index]! })),
    x: { kind: 'time', timeZone },
    leftAxis: { domain: 'Auto scale' },
    rightAxis: { domain: 'Auto scale' },
  }
  return { spec, hidden: lines.length - spec.series.length }
}
