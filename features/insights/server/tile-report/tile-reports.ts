import type { Groups } from '@headwater/groups/server'
import type { Files } from '@headwater/files/server'
import type { Preps } from '@headwater/preps/server'
import type { Clock, Log, Principal } from '@headwater/server-kit'
import type { Symbols } from '@headwater/symbols/server'
import { basketOf } from '../../contract/basket/basket.ts'
import {
  DefinitionError,
  getInsight,
  insightErrors,
  type FileReference,
  type InsightContent,
  type Tile,
} from '../../contract/index.ts'
import { paramSetsOf } from '../../contract/params/param-set.ts'
import { initialValues } from '../../contract/params/param-values.ts'
import { noDataMessage } from '../../contract/series/series-answer.ts'
import { askedData, dataPrepOf } from '../../contract/sources/asked-data.ts'
import { shownTile, type AppliedInsight } from '../../contract/sources/shown-tile.ts'
import { statsTile, statSymbols } from '../../contract/tiles/stats/stats-tile.ts'
import { textTile } from '../../contract/tiles/text-tile.ts'
import { exportedTiles } from '../../contract/tiles/visible-tiles.ts'
import type { InsightAccess, InsightNames } from '../insight-access.ts'
import { readableTypes } from '../insight-access.ts'
import type { InsightFiles } from '../insight-files.ts'
import type { InsightsReadModel } from '../insights-read-model.ts'
import { chartTileRows, drawnChartOf, symbolsOfChart } from './chart-tile-rows.ts'
import { createLakeReader } from './lake-reader.ts'
import {
  maxReportCharacters,
  maxReportTiles,
  maxTextCharacters,
  type ReportTile,
  type TileReport,
} from './report-tile.ts'
import { createSeriesReader } from './series-reader.ts'
import { hiddenNote, tableOfReport, type ShownRows } from './shown-rows.ts'
import { statsTileRows } from './stats-tile-rows.ts'
import { tableTileRows } from './table-tile-rows.ts'
import { createTileDataReader, type TileRows } from './tile-data.ts'
import { problemOf, requirePermission } from './tile-problem.ts'

/** What reports of insights are made from. */
export interface TileReportsDependencies {
  insightAccess: Pick<InsightAccess, 'toRead'>
  insightFiles: Pick<InsightFiles, 'readContent'>
  readModel: Pick<InsightsReadModel, 'findFile'>
  groups: Pick<Groups, 'access'>
  files: Pick<Files, 'getReadable' | 'readContent'>
  data: Pick<Symbols['data'], 'answer'>
  preps: Pick<Preps, 'get'>
  clock: Clock
  log: Log
}

/** Reads what insights show. */
export interface TileReports {
  /**
   * What the tiles of an insight show to a user now, as they would see it with the initial values of its parameters. A
   * tile whose data cannot be had says why in its note.
   * @param about `signal`: ends it
   * @throws AppError for an insight that the user cannot read, that is gone or damaged, and for a database or engine that
   *   does not answer
   */
  read(principal: Principal, about: InsightNames & { signal?: AbortSignal }): Promise<TileReport>
}

/** Why tiles of some kinds cannot stand on paper. */
const screenOnly: Readonly<Record<string, string>> = {
  CODE: 'Code runs on the screen only.',
  IMAGE: 'A picture. Open the insight to see it.',
  PDF: 'A PDF. Open the insight to see it.',
}
const otherKinds = 'Tiles of this kind are not part of a report.'

/** The reader of what insights show. */
export function createTileReports(dependencies: TileReportsDependencies): TileReports {
  const { insightAccess, insightFiles, clock, log } = dependencies
  const series = createSeriesReader(dependencies)
  const lake = createLakeReader(dependencies)
  const tileData = createTileDataReader({ series, lake, preps: dependencies.preps })

  async function contentOf(principal: Principal, names: InsightNames): Promise<InsightContent> {
    requirePermission(principal, getInsight)
    const { stored } = await insightAccess.toRead(principal, names)
    try {
      return await insightFiles.readContent(principal, stored)
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error
      throw insightErrors.insightDamaged({ name: names.insightName, problem: error.message })
    }
  }

  /** What a tile of some kind shows. */
  async function contentOfTile(
    stored: Tile,
    insight: AppliedInsight,
    asking: { principal: Principal; signal: AbortSignal },
  ): Promise<Omit<ReportTile, 'title' | 'kind'>> {
    const { tile, dataPrep } = shownTile(stored, dataPrepOf(insight.content, stored.id), insight)
    const read = (symbols: typeof dataPrep.symbols): Promise<TileRows> =>
      tileData.read(asking.principal, askedData(tile, symbols, insight), asking.signal)
    switch (tile.type) {
      case 'Text':
        return textOf(tile, asking.principal)
      case 'Table': {
        const data = await read(dataPrep.symbols)
        return shown(await tableTileRows(tile, data, { series, ...asking }), data)
      }
      case 'Chart': {
        const chart = drawnChartOf(tile)
        const data = await read(symbolsOfChart(chart, dataPrep.symbols))
        const now = clock.now().getTime()
        return shown(chartTileRows(chart, data, { prepSymbols: dataPrep.symbols, now }), data)
      }
      case 'STATS': {
        const data = await read(statSymbols(statsTile.parse(tile).series))
        return statsTileRows(tile, data) ?? nothingCame(data)
      }
      default:
        return { note: Object.hasOwn(screenOnly, tile.type) ? screenOnly[tile.type]! : otherKinds }
    }
  }

  async function textOf(tile: Tile, principal: Principal): Promise<Pick<ReportTile, 'note' | 'text'>> {
    const { source, templateContent } = textTile.parse(tile)
    const whole =
      source.type === 'FILE'
        ? await lake.readText(principal, source.value as FileReference, maxTextCharacters)
        : {
            text: templateContent.slice(0, maxTextCharacters),
            isCut: templateContent.length > maxTextCharacters,
          }
    const note = whole.isCut ? 'The beginning of a longer text.' : ''
    return whole.text.trim() === '' ? { note: 'It has no text yet.' } : { note, text: whole.text }
  }

  return {
    async read(principal, { signal = new AbortController().signal, ...names }) {
      const content = await contentOf(principal, names)
      const sets = paramSetsOf(content).map((set) => ({ set, chosen: initialValues(set) }))
      const insight = { content, sets, basket: basketOf(content) }
      const kinds = readableTypes(principal)
      const tiles = exportedTiles(content.tiles, {
        workflows: kinds.includes('WORKFLOW'),
        visualisations: kinds.includes('VISUALISATION'),
        framed: false,
      })
      const reported: ReportTile[] = []
      let characters = 0
      for (const tile of tiles.slice(0, maxReportTiles)) {
        signal.throwIfAborted()
        const about = { title: tile.title === '' ? 'Untitled' : tile.title, kind: tile.type }
        if (characters > maxReportCharacters) {
          reported.push({ ...about, note: 'The report is full. Open the insight to see this tile.' })
          continue
        }
        const made = await contentOfTile(tile, insight, { principal, signal }).catch((error: unknown) => {
          signal.throwIfAborted()
          return { note: problemOf(error, { log, clock }) }
        })
        const next = { ...about, ...made }
        characters += charactersIn(next)
        reported.push(next)
      }
      return {
        title: names.insightName,
        insightName: names.insightName,
        groupName: names.groupName,
        tiles: reported,
        leftOut: tiles.length - reported.length,
      }
    },
  }
}

function shown(rows: ShownRows, data: TileRows): Pick<ReportTile, 'note' | 'table'> {
  return rows.total === 0 ? nothingCame(data) : tableOfReport(rows, data)
}

function nothingCame(data: TileRows): Pick<ReportTile, 'note'> {
  return { note: [noDataMessage, hiddenNote(data)].filter((text) => text !== '').join(' ') }
}

function charactersIn({ table, text = '' }: ReportTile): number {
  const cells = table === undefined ? [] : [table.header, ...table.rows].flat()
  return cells.reduce((sum, cell) => sum + cell.length, text.length)
}
