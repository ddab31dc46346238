import type { Chart, ChartSpec, ChartStats, ChartTable, ChartWindow } from '@headwater/charts'
import { useCallback, useEffect, useMemo, useState } from 'react'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconFileTypeCsv from '@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconVector from '@tabler/icons-react/dist/esm/icons/IconVector.mjs'
import IconZoomReset from '@tabler/icons-react/dist/esm/icons/IconZoomReset.mjs'
import {
  Badge,
  EmptyState,
  formatNumber,
  IconButton,
  type MenuEntry,
  saveBlob,
  toastDownloadError,
  toastError,
} from '@headwater/web-kit'
import { fileNameOf } from '../../exports/file-name.ts'
import { SeriesBadges, SeriesTileBody, useSeriesTile } from '../../card/SeriesTile.tsx'
import { OmissionBadge } from '../../card/RowLimitBadge.tsx'
import { TileHeader } from '../../card/TileCard.tsx'
import { TileMessage } from '../../card/TileStates.tsx'
import { csvOfRows } from '../../exports/export-table.ts'
import { reportOmission, useExportMenu } from '../../exports/export-menu.tsx'
import { useFileTitle } from '../../exports/page-range-of-tile.ts'
import { seriesState } from '../../card/series-state.ts'
import { useReportRefresh } from '../../card/refresh-times.ts'
import type { TileViewProps } from '../tile-view.ts'
import { ChartCanvas } from './ChartCanvas.tsx'
import { chartSpecOfTile, drawnChart, hasPoints } from './chart-spec-of-tile.ts'
import { tableOfChart } from './chart-export.ts'
import type { LoadedResult } from '../../../core/series/loaded-result.ts'
import { cutLinesText, maxDynamicLines } from '../../../core/tiles/chart/matching-series.ts'
import { limitText } from '../../../core/series/row-limit.ts'
import { chartTile } from './chart-tile.ts'
import styles from './ChartTile.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
/** Rows of the readable table behind a chart. */
const tableRows = 1000
/** Delay after the last change of the window before its points are requested, in milliseconds. */
const settleMs = 200

/** A chart of series over time: lines, areas, bars and dots on two axes. */
export default function ChartTileView({ tile, dataPrep, card }: TileViewProps) {
  const [now] = useState(() => Date.now())
  const definition = useMemo(() => chartTile.parse(tile), [tile])
  const [zoomed, setZoomed] = useState<ChartWindow>()
  const data = useSeriesTile(tile, dataPrep.symbols, {
    window: useSettledWindow(definition.basicChartType === 'seasonality' ? undefined : zoomed),
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
  const { spec, cut } = useMemo(
    () => (results ? drawnChart(sourceOf(results)) : { spec: undefined, cut: undefined }),
    [results, sourceOf],
  )
  const linesNote = cut && `${cutLinesText(cut)}.`
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
  useReportRefresh(tile.id, series.refreshedAt, spec && newest(spec.series, definition.basicChartType))
  const drawable = spec !== undefined && hasPoints(spec)
  const hasRowsOnly =
    fromElsewhere && definition.series.length === 0 && results?.some(({ result }) => result.rows.length > 0)

  const state = seriesState(data)

  /** All points in view, which rows are made of: those chosen for drawing would leave some out. */
  async function allPoints(): Promise<{ of: ChartSpec | undefined; omission: string | undefined }> {
    if (series.drawing === undefined) return { of: undefined, omission: sentences(state.omission, linesNote) }
    const window = zoomed && definition.basicChartType !== 'seasonality' ? wholeMs(zoomed) : undefined
    const loaded = await series.loadRows(window)
    const limit = limitText(loaded.map(({ result }) => result))
    return { of: chartSpecOfTile(sourceOf(loaded)), omission: sentences(limit && `The ${limit}.`, linesNote) }
  }
  async function rowsOf(drawnChart: Chart, limit: number) {
    const { of, omission } = await allPoints()
    return { table: drawnChart.toTable(limit, of), omission }
  }

  /** Away from its tile a picture says what it shows. */
  const titled = { title: tile.title }
  const fileTitle = useFileTitle(tile)

  async function save(extension: 'png' | 'svg' | 'csv') {
    if (chart === null) return
    try {
      let omission = sentences(state.omission, linesNote)
      let content: Blob
      if (extension === 'png') content = await chart.toPng(undefined, titled)
      else if (extension === 'svg') content = textBlob(await chart.toSvg(titled), 'image/svg+xml')
      else {
        const points = await allPoints()
        omission = points.omission
        content = textBlob(csvOfRows(await chart.toRows(points.of)), 'text/csv;charset=utf-8')
      }
      saveBlob(content, fileNameOf(fileTitle, extension))
      reportOmission(omission)
    } catch (error) {
      toastDownloadError(error)
    }
  }

  async function showTable() {
    if (chart === null) return
    try {
      setTable((await rowsOf(chart, tableRows)).table)
    } catch (error) {
      toastError(error)
    }
  }

  const exportMenu = useExportMenu(
    tile,
    {
      ...state,
      omission: sentences(state.omission, linesNote),
      ...(drawable && chart !== null
        ? {
            table: async () => {
              const rows = await rowsOf(chart, Infinity)
              return { ...tableOfChart(rows.table, spec.x), omission: rows.omission }
            },
            picture: (printed) => chart.toPng(undefined, printed ?? titled),
            vector: () => chart.toSvg(titled),
          }
        : {}),
    },
    { csv: false },
  )
  const saves: MenuEntry[] =
    tile.downloadable === false
      ? []
      : [
          'divider',
          { label: 'Save as PNG', icon: <IconPhoto {...icon} />, onClick: () => void save('png') },
          { label: 'Save as SVG', icon: <IconVector {...icon} />, onClick: () => void save('svg') },
          { label: 'Save as CSV', icon: <IconFileTypeCsv {...icon} />, onClick: () => void save('csv') },
          ...exportMenu,
        ]
  const menu: MenuEntry[] = drawable
    ? [
        {
          label: table ? 'Show as chart' : 'Show as table',
          icon: table ? <IconChartLine {...icon} /> : <IconTable {...icon} />,
          onClick: () => (table ? setTable(undefined) : void showTable()),
        },
        ...saves,
      ]
    : []

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
              label={tile.title}
              onChart={setChart}
              onDraw={onDraw}
              onZoom={setZoomed}
              axis={spec.x?.kind === 'number' ? undefined : (spec.x?.format ?? 'calendar')}
            />
            {table ? <ReadableTable table={table} title={tile.title} /> : null}
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

/** Sentences as one text; undefined without any. */
function sentences(...given: (string | undefined)[]): string | undefined {
  return given.filter((text) => text !== undefined).join(' ') || undefined
}

function textBlob(text: string, type: string): Blob {
  return new Blob([text], { type })
}

/** How many points there are in view, and how many of them are drawn; nothing when all of them are. */
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

/** A window in whole milliseconds. */
function wholeMs({ from, to }: ChartWindow): ChartWindow {
  return { from: Math.floor(from), to: Math.ceil(to) }
}

/** Returns the window, debounced and in whole milliseconds. */
function useSettledWindow(window: ChartWindow | undefined): ChartWindow | undefined {
  const [settled, setSettled] = useState<ChartWindow>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(window && wholeMs(window)), window === undefined ? 0 : settleMs)
    return () => clearTimeout(timer)
  }, [window])
  return window === undefined ? undefined : settled
}

/** The newest moment of the data; a seasonality chart does not tell it. */
function newest(series: readonly { x: ArrayLike<number> }[], kind: string): number | undefined {
  if (kind === 'seasonality') return undefined
  const last = Math.max(...series.map(({ x }) => (x.length === 0 ? -Infinity : x[x.length - 1]!)))
  return last > 1e9 ? last : undefined
}

/** What a chart draws, as rows. */
function ReadableTable({ table, title }: { table: ChartTable; title: string }) {
  return (
    <div className={styles.readable} tabIndex={0} role="region" aria-label={`${title} as a table`}>
      <table>
        <thead>
          <tr>
            {table.columns.map((name, index) => (
              <th key={`${index} ${name}`} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.x}>
              <th scope="row">{row.xText}</th>
              {row.cells.map((cell, index) => (
                <td key={index}>{cell === null ? '' : table.formats[index]!.text(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.totalRows > table.rows.length ? (
        <p>
          The first {table.rows.length.toLocaleString('en-US')} of {table.totalRows.toLocaleString('en-US')}{' '}
          rows in view. Zoom in, or save as CSV, for the others.
        </p>
      ) : null}
    </div>
  )
}
