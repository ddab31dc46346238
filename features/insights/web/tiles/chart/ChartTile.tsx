import type { Chart, ChartStats, ChartTable } from '@headwater/charts'
import { useCallback, useMemo, useState } from 'react'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconFileTypeCsv from '@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconVector from '@tabler/icons-react/dist/esm/icons/IconVector.mjs'
import IconZoomReset from '@tabler/icons-react/dist/esm/icons/IconZoomReset.mjs'
import { Badge, EmptyState, IconButton, type MenuEntry, saveBlob, toastError } from '@headwater/web-kit'
import { fileNameOf } from '../../components/file-name.ts'
import { SeriesBadges, SeriesTileBody, useSeriesTile } from '../../components/SeriesTile.tsx'
import { TileHeader } from '../../components/TileCard.tsx'
import { TileMessage } from '../../components/TileStates.tsx'
import { useExportMenu } from '../../exports/export-menu.tsx'
import { seriesState } from '../../exports/series-state.ts'
import { useReportRefresh } from '../../components/refresh-times.ts'
import type { TileViewProps } from '../tile-view.ts'
import { ChartCanvas } from './ChartCanvas.tsx'
import { chartSpecOfTile, hasPoints } from './chart-spec-of-tile.ts'
import { tableOfChart } from './chart-export.ts'
import { chartSymbols } from '../../../contract/tiles/chart/chart-data.ts'
import { chartTile } from './chart-tile.ts'
import styles from './ChartTile.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
/** Rows of the readable table behind a chart. */
const tableRows = 1000

/** A chart of series over time: lines, areas, bars and dots on two axes. */
export default function ChartTileView({ tile, dataPrep, card }: TileViewProps) {
  const [now] = useState(() => Date.now())
  const definition = useMemo(() => chartTile.parse(tile), [tile])
  const symbols = useMemo(() => chartSymbols(definition.series, dataPrep), [definition, dataPrep])
  const data = useSeriesTile(tile, symbols)
  const { range, series } = data
  const { answers } = series
  const fromElsewhere = series.isOfOtherTile || series.source.kind !== 'series'
  const spec = useMemo(
    () =>
      answers &&
      chartSpecOfTile({
        chart: definition,
        timeZone: range.timeZone,
        answers,
        prepSymbols: dataPrep.symbols,
        fromElsewhere,
        now,
      }),
    [answers, definition, range.timeZone, dataPrep, fromElsewhere, now],
  )
  const [chart, setChart] = useState<Chart | null>(null)
  const [stats, setStats] = useState<ChartStats>()
  const [zoomed, setZoomed] = useState(false)
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
    fromElsewhere && definition.series.length === 0 && answers?.some(({ answer }) => answer.rows.length > 0)

  /** Away from its tile a picture says what it shows. */
  const titled = { title: tile.title }

  async function save(extension: 'png' | 'svg' | 'csv') {
    if (chart === null) return
    try {
      const content =
        extension === 'png'
          ? await chart.toPng(undefined, titled)
          : new Blob([extension === 'svg' ? await chart.toSvg(titled) : await chart.toCsv()], {
              type: contentTypes[extension],
            })
      saveBlob(content, fileNameOf(tile.title, extension))
    } catch (error) {
      toastError(error)
    }
  }

  const exportMenu = useExportMenu(
    tile,
    {
      ...seriesState(data),
      ...(drawable && chart !== null
        ? {
            table: () => tableOfChart(chart.toTable(Infinity), spec.x),
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
          onClick: () => setTable(table ? undefined : chart?.toTable(tableRows)),
        },
        ...saves,
      ]
    : []

  return (
    <>
      <TileHeader
        card={card}
        menu={menu}
        badges={
          <>
            {stats && drawable && stats.drawnPoints < stats.rawPoints ? (
              <Badge>
                {stats.rawPoints.toLocaleString('en-US')} raw → {stats.drawnPoints.toLocaleString('en-US')}{' '}
                drawn
              </Badge>
            ) : null}
            <SeriesBadges data={data} filled={drawable} />
          </>
        }
        actions={
          zoomed && !table ? (
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

const contentTypes = { svg: 'image/svg+xml', csv: 'text/csv;charset=utf-8' }

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
                <td key={index}>
                  {cell === null ? '' : cell.toLocaleString('en-US', { maximumFractionDigits: 6 })}
                </td>
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
