import { ImageError, type Chart, type ChartSpec, type ChartTable, type ChartWindow } from '@headwater/charts'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconFileTypeCsv from '@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconVector from '@tabler/icons-react/dist/esm/icons/IconVector.mjs'
import { headingOf, type Tile } from '@headwater/tile-data/contract'
import { type LoadedResult, limitText } from '@headwater/tile-data/core'
import { DownloadError, type MenuEntry, saveBlob, toastDownloadError, toastError } from '@headwater/web-kit'
import { seriesState } from '../../card/series-state.ts'
import type { SeriesTileData } from '../../card/SeriesTile.tsx'
import { exactCsvLabel, reportOmission, useExportMenu } from '../../exports/export-menu.tsx'
import { csvOfRows } from '../../exports/export-table.ts'
import { fileNameOf } from '../../exports/file-name.ts'
import { useFileTitle } from '../../exports/page-range-of-tile.ts'
import { tableOfChart } from './chart-export.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
/** Maximum number of rows in the readable table of a chart. */
const tableRows = 1000

/** State of a chart tile that its menu needs. */
interface ChartState {
  data: SeriesTileData
  /** The drawn chart; null before it is drawn. */
  chart: Chart | null
  /** The spec of the chart; undefined if it has no points. */
  spec: ChartSpec | undefined
  /** Sentence about lines that the chart omits; undefined if it draws all. */
  linesNote: string | undefined
  /** Visible part of the time axis; undefined means all of it. */
  window: ChartWindow | undefined
  /** Computes the spec of other rows of the tile. */
  specOf: (loaded: readonly LoadedResult[]) => ChartSpec
  /** The table that replaces the chart; undefined while the chart is visible. */
  table: ChartTable | undefined
  setTable: (table: ChartTable | undefined) => void
}

/** Registers the export of a chart and returns the entries of its menu. */
export function useChartMenu(
  tile: Tile,
  { data, chart, spec, linesNote, window, specOf, table, setTable }: ChartState,
): MenuEntry[] {
  const { series } = data
  const state = seriesState(data)
  // A picture outside its tile needs a title.
  const titled = { title: headingOf(tile) }
  const fileTitle = useFileTitle(tile)
  const omission = sentences(state.omission, linesNote)

  /** Loads all rows in the visible window, because the chart can omit points. */
  async function allPoints(): Promise<{ of: ChartSpec | undefined; omission: string | undefined }> {
    if (series.drawing === undefined) return { of: undefined, omission }
    const loaded = await series.loadRows(window && wholeMs(window))
    const limit = limitText(loaded.map(({ result }) => result))
    return { of: specOf(loaded), omission: sentences(limit && `The ${limit}.`, linesNote) }
  }

  async function rowsOf(from: Chart, limit: number) {
    const points = await allPoints()
    return { table: from.toTable(limit, points.of), omission: points.omission }
  }

  async function contentOf(from: Chart, extension: 'png' | 'svg' | 'csv', isExact: boolean) {
    if (extension === 'png') return { content: await pngOf(from, titled), omission }
    if (extension === 'svg')
      return { content: new Blob([await from.toSvg(titled)], { type: 'image/svg+xml' }), omission }
    const points = await allPoints()
    const text = csvOfRows(await from.toRows(points.of), { isExact })
    return { content: new Blob([text], { type: 'text/csv;charset=utf-8' }), omission: points.omission }
  }

  async function save(extension: 'png' | 'svg' | 'csv', { isExact = false } = {}) {
    if (chart === null) return
    try {
      const saved = await contentOf(chart, extension, isExact)
      saveBlob(saved.content, fileNameOf(fileTitle, extension))
      reportOmission(saved.omission)
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
      omission,
      ...(spec !== undefined && chart !== null
        ? {
            table: async () => {
              const rows = await rowsOf(chart, Infinity)
              return { ...tableOfChart(rows.table, spec.x), omission: rows.omission }
            },
            picture: (printed) => pngOf(chart, printed ?? titled),
            vector: () => chart.toSvg(titled),
          }
        : {}),
    },
    { csv: false },
  )
  if (spec === undefined) return []
  const toggle: MenuEntry = {
    label: table ? 'Show as chart' : 'Show as table',
    icon: table ? <IconChartLine {...icon} /> : <IconTable {...icon} />,
    onClick: () => (table ? setTable(undefined) : void showTable()),
  }
  if (tile.downloadable === false) return [toggle]
  return [
    toggle,
    'divider',
    { label: 'Save as PNG', icon: <IconPhoto {...icon} />, onClick: () => void save('png') },
    { label: 'Save as SVG', icon: <IconVector {...icon} />, onClick: () => void save('svg') },
    { label: 'Save as CSV', icon: <IconFileTypeCsv {...icon} />, onClick: () => void save('csv') },
    {
      label: exactCsvLabel,
      icon: <IconFileTypeCsv {...icon} />,
      onClick: () => void save('csv', { isExact: true }),
    },
    ...exportMenu,
  ]
}

/** Joins sentences to one text; undefined if there are none. */
function sentences(...given: (string | undefined)[]): string | undefined {
  return given.filter((text) => text !== undefined).join(' ') || undefined
}

/** Returns a window in whole milliseconds. */
export function wholeMs({ from, to }: ChartWindow): ChartWindow {
  return { from: Math.floor(from), to: Math.ceil(to) }
}

/** Returns a chart as PNG; throws a {@link DownloadError} when it is larger than the browser can create. */
async function pngOf(chart: Chart, look: Parameters<Chart['toPng']>[1]): Promise<Blob> {
  try {
    return await chart.toPng(undefined, look)
  } catch (error) {
    throw error instanceof ImageError ? new DownloadError(error.message) : error
  }
}
