import { beginningOf } from '@headwater/contract'
import type { Clock, Log } from '@headwater/server-kit'
import type { FileReference, Tile } from '@headwater/tile-data/contract'
import {
  chartTile,
  dataPrepOf,
  noDataMessage,
  queryOfTile,
  appliedTile,
  textTile,
  type AppliedInsight,
} from '@headwater/tile-data/core'
import { chartOfTile } from './chart-of-tile.ts'
import { chartTileRows } from './chart-tile-rows.ts'
import type { LakeReader } from './lake-reader.ts'
import type { Reading } from './reading.ts'
import type { ReportTile } from './report-tile.ts'
import type { SeriesReader } from './series-reader.ts'
import { statsTileRows } from './stats-tile-rows.ts'
import { tableTileRows } from './table-tile-rows.ts'
import type { TileDataReader, TileRows } from './tile-data.ts'
import { isRefusalOfTile, problemOf } from './tile-problem.ts'
import { hiddenNote, tableOfReport, type VisibleRows } from './visible-rows.ts'

/** Content of a tile without its heading. */
export type TileContent = Omit<ReportTile, 'title' | 'kind'>

/** Readers of the data of tiles. */
export interface TileContentDependencies {
  /** Reads series. */
  series: SeriesReader
  /** Reads files of the lake. */
  lake: LakeReader
  /** Reads the rows of tiles. */
  tileData: TileDataReader
  /** Current time. */
  clock: Clock
  /** Log of the server. */
  log: Log
}

/** Notes of tiles that a report cannot show. */
const screenOnlyNotes: Readonly<Record<string, string>> = {
  CODE: 'Code runs only in the browser.',
  IMAGE: 'An image. Open the insight to see it.',
  PDF: 'A PDF. Open the insight to see it.',
}
const otherKindsNote = 'Reports do not include this tile type.'

/** Returns the content of a tile, or a note with the reason for its absence. */
export function readTileContent(
  deps: TileContentDependencies,
  tile: Tile,
  insight: AppliedInsight,
  reading: Reading,
): Promise<TileContent> {
  return contentOf(deps, tile, insight, reading).catch((error: unknown) => {
    reading.signal.throwIfAborted()
    if (isRefusalOfTile(error)) reading.isPartial = true
    return { note: problemOf(error, deps), isOmitted: true }
  })
}

async function contentOf(
  { series, lake, tileData, clock }: TileContentDependencies,
  stored: Tile,
  insight: AppliedInsight,
  reading: Reading,
): Promise<TileContent> {
  const { tile, dataPrep } = appliedTile(stored, dataPrepOf(insight.content, stored.id), insight)
  const read = () => tileData.read(reading, queryOfTile(tile, dataPrep.symbols, insight))
  switch (tile.type) {
    case 'Text':
      return readText(lake, tile, reading)
    case 'Table': {
      const data = await read()
      return tableContent(await tableTileRows(tile, data, { series, reading }), data)
    }
    case 'Chart': {
      const chart = chartTile.parse(tile)
      const data = await read()
      const source = { prepSymbols: dataPrep.symbols, now: clock.now().getTime() }
      const { chartRows } = reading.limits
      return chartRows === undefined
        ? (chartOfTile(tile, chart, data, source) ?? emptyContent(data))
        : tableContent(chartTileRows(chart, data, { ...source, maxRows: chartRows }), data)
    }
    case 'STATS': {
      const data = await read()
      return (await statsTileRows(tile, data)) ?? emptyContent(data)
    }
    default:
      return {
        note: Object.hasOwn(screenOnlyNotes, tile.type) ? screenOnlyNotes[tile.type]! : otherKindsNote,
        isOmitted: true,
      }
  }
}

async function readText(
  lake: LakeReader,
  tile: Tile,
  reading: Reading,
): Promise<Pick<ReportTile, 'note' | 'text'>> {
  const { source, templateContent } = textTile.parse(tile)
  const { textCharacters } = reading.limits
  const { text, isCut } =
    source.type === 'FILE'
      ? await lake.readText(reading, source.value as FileReference, textCharacters)
      : {
          text: beginningOf(templateContent, textCharacters),
          isCut: templateContent.length > textCharacters,
        }
  if (text.trim() === '') return { note: 'The text is empty.' }
  return { note: isCut ? 'The beginning of a longer text.' : '', text }
}

function tableContent(rows: VisibleRows, data: TileRows): Pick<ReportTile, 'note' | 'table'> {
  return rows.total === 0 ? emptyContent(data) : tableOfReport(rows, data)
}

function emptyContent(data: TileRows): Pick<ReportTile, 'note'> {
  return { note: [noDataMessage, hiddenNote(data)].filter((text) => text !== '').join(' ') }
}
