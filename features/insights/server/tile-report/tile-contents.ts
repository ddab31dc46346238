import { beginningOf } from '@headwater/contract'
import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import type { Clock, Log, Principal } from '@headwater/server-kit'
import type { FileReference, Tile } from '../../contract/index.ts'
import { noDataMessage } from '../../core/series/series-answer.ts'
import { dataPrepOf } from '../../core/sources/asked-data.ts'
import { shownTile, type AppliedInsight } from '../../core/sources/shown-tile.ts'
import { textTile } from '../../core/tiles/text-tile.ts'
import { queryOfShown } from '../../core/part-query.ts'
import { chartTileRows, drawnChartOf } from './chart-tile-rows.ts'
import { createLakeReader, type FindFile } from './lake-reader.ts'
import type { Reading } from './reading.ts'
import { maxTextCharacters, type ReportTile } from './report-tile.ts'
import type { TileDataService, TileReader } from '../tile-data/tile-data-service.ts'
import { createSeriesReader } from './series-reader.ts'
import { hiddenNote, tableOfReport, type ShownRows } from './shown-rows.ts'
import { statsTileRows } from './stats-tile-rows.ts'
import { tableTileRows } from './table-tile-rows.ts'
import { createTileDataReader, type TileRows } from './tile-data.ts'
import { isRefusalOfTile, problemOf } from './tile-problem.ts'

/** What a tile shows, as far as it can stand on paper. */
export type TileContent = Omit<ReportTile, 'title' | 'kind'>

/** Reads what tiles show without a browser. */
export interface TileContents {
  /** What a tile shows to a user, or why it shows nothing. */
  read(tile: Tile, insight: AppliedInsight, reading: Reading): Promise<TileContent>
}

export interface TileContentsDependencies {
  findFile: FindFile
  groups: Pick<Groups, 'access'>
  files: Pick<Files, 'getReadable' | 'readContent'>
  tileData: TileDataService
  /** The reader of a user. */
  readerOf: (principal: Principal) => TileReader
  clock: Clock
  log: Log
}

/** Why tiles of some kinds cannot stand on paper. */
const screenOnly: Readonly<Record<string, string>> = {
  CODE: 'Code runs only in the browser.',
  IMAGE: 'A picture. Open the insight to see it.',
  PDF: 'A PDF. Open the insight to see it.',
}
const otherKinds = 'Tiles of this kind are not part of a report.'

/** Creates the reader of what tiles show. */
export function createTileContents(dependencies: TileContentsDependencies): TileContents {
  const { clock, log } = dependencies
  const series = createSeriesReader(dependencies)
  const lake = createLakeReader(dependencies)
  const tileData = createTileDataReader({ series, lake })

  /** What a tile of some kind shows. */
  async function contentOfTile(
    stored: Tile,
    insight: AppliedInsight,
    reading: Reading,
  ): Promise<TileContent> {
    const { tile, dataPrep } = shownTile(stored, dataPrepOf(insight.content, stored.id), insight)
    const read = () => tileData.read(reading, queryOfShown(tile, dataPrep.symbols, insight))
    switch (tile.type) {
      case 'Text':
        return textOf(tile, reading)
      case 'Table': {
        const data = await read()
        return shown(await tableTileRows(tile, data, { series, reading }), data)
      }
      case 'Chart': {
        const chart = drawnChartOf(tile)
        const data = await read()
        const now = clock.now().getTime()
        return shown(chartTileRows(chart, data, { prepSymbols: dataPrep.symbols, now }), data)
      }
      case 'STATS': {
        const data = await read()
        return (await statsTileRows(tile, data)) ?? nothingCame(data)
      }
      default:
        return { note: Object.hasOwn(screenOnly, tile.type) ? screenOnly[tile.type]! : otherKinds }
    }
  }

  async function textOf(tile: Tile, reading: Reading): Promise<Pick<ReportTile, 'note' | 'text'>> {
    const { source, templateContent } = textTile.parse(tile)
    const whole =
      source.type === 'FILE'
        ? await lake.readText(reading, source.value as FileReference, maxTextCharacters)
        : {
            text: beginningOf(templateContent, maxTextCharacters),
            isCut: templateContent.length > maxTextCharacters,
          }
    const note = whole.isCut ? 'The beginning of a longer text.' : ''
    return whole.text.trim() === '' ? { note: 'The text is empty.' } : { note, text: whole.text }
  }

  return {
    read(tile, insight, reading) {
      return contentOfTile(tile, insight, reading).catch((error: unknown) => {
        reading.signal.throwIfAborted()
        if (isRefusalOfTile(error)) reading.isPartial = true
        return { note: problemOf(error, { log, clock }) }
      })
    },
  }
}

function shown(rows: ShownRows, data: TileRows): Pick<ReportTile, 'note' | 'table'> {
  return rows.total === 0 ? nothingCame(data) : tableOfReport(rows, data)
}

function nothingCame(data: TileRows): Pick<ReportTile, 'note'> {
  return { note: [noDataMessage, hiddenNote(data)].filter((text) => text !== '').join(' ') }
}
