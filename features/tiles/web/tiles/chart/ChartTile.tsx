import type { Chart, ChartStats, ChartTable, ChartWindow } from '@headwater/charts'
import { useCallback, useMemo, useState } from 'react'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconZoomReset from '@tabler/icons-react/dist/esm/icons/IconZoomReset.mjs'
import { headingOf } from '@headwater/tile-data/contract'
import {
  chartSpecOfTile,
  drawnChart,
  hasPoints,
  type LoadedResult,
  cutLinesText,
  maxDynamicLines,
  chartTile,
  listedNames,
} from '@headwater/tile-data/core'
import { Badge, EmptyState, formatNumber, IconButton, useSettled } from '@headwater/web-kit'
import { SeriesBadges, SeriesTileBody, useSeriesTile, withoutRowsText } from '../../card/SeriesTile.tsx'
import { OmissionBadge } from '../../card/RowLimitBadge.tsx'
import { TileHeader } from '../../card/TileCard.tsx'
import { TileMessage } from '../../card/TileStates.tsx'
import { useReportRefresh } from '../../card/refresh-times.ts'
import type { TileViewProps } from '../tile-view.ts'
import { ChartCanvas } from './ChartCanvas.tsx'
import { ReadableTable } from './ReadableTable.tsx'
import { useChartMenu, wholeMs } from './use-chart-menu.tsx'
import styles from './ChartTile.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
/** Delay after the last change of the window before its points are requested, in milliseconds. */
const settleMs = 200

/** A chart of series over time: lines, areas, bars and dots on two axes. */
export default function ChartTileView({ tile, dataPrep, card }: TileViewProps) {
  const [now] = useState(() => Date.now())
  const definition = useMemo(() => chartTile.parse(tile), [tile])
  const isSeasonal = definition.basicChartType === 'seasonality'
  const [zoomed, setZoomed] = useState<ChartWindow>()
  const data = useSeriesTile(tile, dataPrep.symbols, {
    window: useSettledWindow(isSeasonal ? undefined : zoomed),
  })
  const { range, series } = data
  const { results } = series
  const fromElsewhere = series.isOfOtherTile || series.source.kind !== 'series'
  const sourceOf = useCallback(
    (from: readonly LoadedResult[]) => ({
      chart: definition,
      timeZone: range.timeZone,
      results: from,
      prepSymbols: dataPrep.symbols,
      fromElsewhere,
      now,
    }),
    [definition, range.timeZone, dataPrep, fromElsewhere, now],
  )
  const { spec, cut, empty } = useMemo(
    () => (results ? drawnChart(sourceOf(results)) : ({} as Partial<ReturnType<typeof drawnChart>>)),
    [results, sourceOf],
  )
  const [chart, setChart] = useState<Chart | null>(null)
  const [stats, setStats] = useState<ChartStats>()
  const [table, setTable] = useState<ChartTable>()
  const onDraw = useCallback(
    (next: ChartStats) =>
      setStats((last) =>
        last?.rawPoints === next.rawPoints && last.drawnPoints === next.drawnPoints ? last : { ...next },
      ),
    [],
  )
  useReportRefresh(tile.id, series.refreshedAt, spec && !isSeasonal ? newest(spec.series) : undefined)
  const drawable = spec !== undefined && hasPoints(spec)
  const hasRowsOnly =
    fromElsewhere && definition.series.length === 0 && results?.some(({ result }) => result.rows.length > 0)

  const menu = useChartMenu(tile, {
    data,
    chart,
    spec: drawable ? spec : undefined,
    linesNote: cut && `${cutLinesText(cut)}.`,
    window: isSeasonal ? undefined : zoomed,
    specOf: (loaded) => chartSpecOfTile(sourceOf(loaded)),
    table,
    setTable,
  })

  return (
    <>
      <TileHeader
        menu={menu}
        badges={
          <>
            {drawable && data.rowLimit === undefined ? (
              <DrawnPoints stats={stats} drawing={series.drawing} />
            ) : null}
            {drawable && cut !== undefined ? (
              <OmissionBadge
                text={cutLinesText(cut)}
                hint={`A dynamic series draws at most ${maxDynamicLines} lines. Narrow its symbols to see the others.`}
              />
            ) : null}
            {drawable && empty?.length && data.rowLimit === undefined && data.hidden === 0 ? (
              <OmissionBadge
                text={withoutRowsText(empty, 'no data')}
                hint={`No values in this range: ${listedNames(empty)}.`}
              />
            ) : null}
            <SeriesBadges data={data} filled={drawable} />
          </>
        }
        actions={
          zoomed !== undefined && !table ? (
            <IconButton
              label="Reset zoom"
              icon={<IconZoomReset {...icon} />}
              onClick={() => chart?.resetZoom()}
            />
          ) : null
        }
      />
      <SeriesTileBody
        data={data}
        editing={card.editing}
        icon={<IconChartLine size={20} stroke={1.6} />}
        shape="chart"
      >
        {drawable ? (
          <div className={styles.frame}>
            <ChartCanvas
              spec={spec}
              label={headingOf(tile)}
              onChart={setChart}
              onDraw={onDraw}
              onZoom={setZoomed}
              axis={spec.x?.kind === 'number' ? undefined : (spec.x?.format ?? 'calendar')}
            />
            {table ? <ReadableTable table={table} title={headingOf(tile)} /> : null}
          </div>
        ) : hasRowsOnly ? (
          <TileMessage>
            <EmptyState icon={<IconChartLine size={20} stroke={1.6} />} title="No series yet">
              {card.editing
                ? 'Add columns of the data as series in the panel on the right.'
                : 'Edit the insight to add columns of the data.'}
            </EmptyState>
          </TileMessage>
        ) : null}
      </SeriesTileBody>
    </>
  )
}

/** Shows the numbers of visible and drawn points. Renders nothing if all points are drawn. */
function DrawnPoints({
  stats,
  drawing,
}: {
  stats: ChartStats | undefined
  drawing: { total: number; drawn: number } | undefined
}) {
  const total = drawing?.total ?? stats?.rawPoints ?? 0
  const drawn = Math.min(drawing?.drawn ?? Infinity, stats?.drawnPoints ?? Infinity)
  if (!(drawn < total)) return null
  return (
    <Badge>
      {formatNumber(total)} points, {formatNumber(drawn)} drawn
    </Badge>
  )
}

/** Returns the window, debounced and in whole milliseconds. The end of the zoom is not delayed. */
function useSettledWindow(window: ChartWindow | undefined): ChartWindow | undefined {
  const settled = useSettled(window, settleMs)
  const whole = useMemo(() => settled && wholeMs(settled), [settled])
  return window === undefined ? undefined : whole
}

/**
 * Returns the newest timestamp of the data in epoch milliseconds; undefined if there are no data or if the x axis has
 * numbers.
 */
function newest(series: readonly { x: ArrayLike<number> }[]): number | undefined {
  const last = Math.max(...series.map(({ x }) => (x.length === 0 ? -Infinity : x[x.length - 1]!)))
  return last > 1e9 ? last : undefined
}
