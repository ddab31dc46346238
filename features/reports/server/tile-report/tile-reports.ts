import { isDeepStrictEqual } from 'node:util'
import { beginningOf } from '@headwater/contract'
import type { Groups } from '@headwater/groups/server'
import type { Files } from '@headwater/files/server'
import { unlessRefused, type Clock, type Log, type Principal } from '@headwater/server-kit'
import { headingOf, type FileReference, type InsightContent, type Tile } from '@headwater/tiles/contract'
import { DefinitionError, getInsight, insightErrors } from '@headwater/insights/contract'
import {
  noDataMessage,
  dataPrepOf,
  appliedTile,
  type AppliedInsight,
  textTile,
  exportedTiles,
  appliedInsight,
  queryOfTile,
} from '@headwater/tiles/core'
import type { InsightAccess, InsightNames } from '@headwater/insights/server'
import { readableTypes } from '@headwater/insights/server'
import type { InsightFiles } from '@headwater/insights/server'
import type { InsightsReadModel } from '@headwater/insights/server'
import { chartTileRows, drawnChartOf } from './chart-tile-rows.ts'
import { createLakeReader } from './lake-reader.ts'
import { beginReading, type Reading } from './reading.ts'
import {
  maxReportCharacters,
  maxReportTiles,
  maxTextCharacters,
  type ReportTile,
  type TileReport,
} from './report-tile.ts'
import { type TileDataService, type TileReader, requirePermission } from '@headwater/tiles/server'
import { createSeriesReader } from './series-reader.ts'
import { hiddenNote, tableOfReport, type ShownRows } from './shown-rows.ts'
import { statsTileRows } from './stats-tile-rows.ts'
import { tableTileRows } from './table-tile-rows.ts'
import { createTileDataReader, type TileRows } from './tile-data.ts'
import { isRefusalOfTile, problemOf } from './tile-problem.ts'

/** What reports of insights are made from. */
export interface TileReportsDependencies {
  insightAccess: Pick<InsightAccess, 'toRead'>
  insightFiles: Pick<InsightFiles, 'readContent'>
  readModel: Pick<InsightsReadModel, 'findFile'>
  groups: Pick<Groups, 'access'>
  files: Pick<Files, 'getReadable' | 'readContent'>
  tileData: TileDataService
  /** The reader of a user. */
  readerOf: (principal: Principal) => TileReader
  /** The principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  findUserId: (userName: string) => Promise<number | undefined>
  clock: Clock
  log: Log
}

/** Reads what insights show. */
export interface TileReports {
  /**
   * What the tiles of an insight show to a user now, as they would see it with the initial values of its parameters. A
   * tile whose data cannot be had says why in its note. So does one of which who saved the insight, or the data prep of the tile, last
   * may not read all, or does not see the same, whatever there is: otherwise who may change those could put data into it that only the
   * user may read, and have it sent to themselves, or learn by what is left out which data there are.
   * @param about `signal`: ends it
   * @throws AppError for an insight that the user cannot read, that is gone or damaged, and for a database or engine that
   *   does not answer
   */
  read(principal: Principal, about: InsightNames & { signal?: AbortSignal }): Promise<TileReport>
}

/** What a tile shows. */
type Shown = Omit<ReportTile, 'title' | 'kind'>

/** Somebody who decided what an insight shows. */
interface Author {
  name: string | undefined
  /** Undefined for somebody who has gone or is not known. */
  principal: Principal | undefined
  /** Tiles that they may open; all for who only saved a data prep. */
  tiles: readonly Tile[]
}

/** Data may arrive between two readings of a tile; then they are alike the next time. */
const maxReadings = 3

/** Why tiles of some kinds cannot stand on paper. */
const screenOnly: Readonly<Record<string, string>> = {
  CODE: 'Code runs only in the browser.',
  IMAGE: 'A picture. Open the insight to see it.',
  PDF: 'A PDF. Open the insight to see it.',
}
const otherKinds = 'Tiles of this kind are not part of a report.'

/** The reader of what insights show. */
export function createTileReports(dependencies: TileReportsDependencies): TileReports {
  const { insightAccess, insightFiles, clock, log } = dependencies
  const series = createSeriesReader(dependencies)
  const lake = createLakeReader(dependencies)
  const tileData = createTileDataReader({ series, lake })

  async function open(
    principal: Principal,
    names: InsightNames,
  ): Promise<{ content: InsightContent; savedById: number | undefined }> {
    requirePermission(principal, getInsight)
    const { stored } = await insightAccess.toRead(principal, names)
    try {
      return { content: await insightFiles.readContent(principal, stored), savedById: stored.savedById }
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error
      throw insightErrors.insightDamaged({ name: names.insightName, problem: error.message })
    }
  }

  /** What a tile of some kind shows. */
  async function contentOfTile(stored: Tile, insight: AppliedInsight, asking: Reading): Promise<Shown> {
    const { tile, dataPrep } = appliedTile(stored, dataPrepOf(insight.content, stored.id), insight)
    const read = () => tileData.read(asking, queryOfTile(tile, dataPrep.symbols, insight))
    switch (tile.type) {
      case 'Text':
        return textOf(tile, asking)
      case 'Table': {
        const data = await read()
        return shown(await tableTileRows(tile, data, { series, reading: asking }), data)
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

  async function textOf(tile: Tile, asking: Reading): Promise<Pick<ReportTile, 'note' | 'text'>> {
    const { source, templateContent } = textTile.parse(tile)
    const whole =
      source.type === 'FILE'
        ? await lake.readText(asking, source.value as FileReference, maxTextCharacters)
        : {
            text: beginningOf(templateContent, maxTextCharacters),
            isCut: templateContent.length > maxTextCharacters,
          }
    const note = whole.isCut ? 'The beginning of a longer text.' : ''
    return whole.text.trim() === '' ? { note: 'The text is empty.' } : { note, text: whole.text }
  }

  /** What a tile shows to somebody, or why it shows nothing. */
  function show(tile: Tile, insight: AppliedInsight, asking: Reading): Promise<Shown> {
    return contentOfTile(tile, insight, asking).catch((error: unknown) => {
      asking.signal.throwIfAborted()
      if (isRefusalOfTile(error)) asking.isPartial = true
      return { note: problemOf(error, { log, clock }) }
    })
  }

  /** Finds those who decided what an insight shows, besides who asks. */
  function createAuthors(
    asking: Principal,
    {
      names,
      content,
      savedById,
    }: { names: InsightNames; content: InsightContent; savedById: number | undefined },
  ) {
    const known = new Map<number | undefined, Promise<Author>>()

    async function find(userId: number | undefined): Promise<Author> {
      const principal = userId === undefined ? undefined : await dependencies.findPrincipal(userId)
      if (principal === undefined) return { name: undefined, principal, tiles: [] }
      return { name: principal.userName, principal, tiles: await tilesOf(principal) }
    }

    /** The tiles that somebody may have decided: who only saved a data prep need not know the insight. */
    async function tilesOf(author: Principal): Promise<readonly Tile[]> {
      if (author.userId !== savedById) return content.tiles
      return (await unlessRefused(open(author, names))) === undefined ? [] : openTiles(author, content)
    }

    return async (prepSavers: ReadonlySet<string>): Promise<Author[]> => {
      const savers = await Promise.all([...prepSavers].map(dependencies.findUserId))
      const userIds = new Set([savedById, ...savers])
      userIds.delete(asking.userId)
      return Promise.all(
        [...userIds].map((userId) => {
          const author = known.get(userId) ?? find(userId)
          known.set(userId, author)
          return author
        }),
      )
    }
  }

  /** What a tile shows, if all who decided that may read all of it and see the same. */
  async function showAlike(
    tile: Tile,
    insight: AppliedInsight,
    {
      principal,
      authorsOf,
      signal,
    }: { principal: Principal; authorsOf: ReturnType<typeof createAuthors>; signal: AbortSignal },
  ): Promise<Shown> {
    for (let readings = 1; ; readings++) {
      const reading = beginReading(principal, signal)
      const shown = await show(tile, insight, reading)
      const other = await findOther(await authorsOf(reading.prepSavers), { shown, reading })
      if (other === undefined) return shown
      // What arrives between two readings gives nobody another right.
      if (readings === maxReadings || other.isPartial) return { note: withheld(other.author.name) }
    }

    /** The first author who sees something else, or cannot be compared with. */
    async function findOther(
      authors: readonly Author[],
      own: { shown: Shown; reading: Reading },
    ): Promise<{ author: Author; isPartial: boolean } | undefined> {
      for (const author of authors) {
        if (author.principal === undefined || !author.tiles.includes(tile)) return { author, isPartial: true }
        const reading = beginReading(author.principal, signal)
        const shown = await show(tile, insight, reading)
        const isPartial = own.reading.isPartial || reading.isPartial
        if (isPartial || !isDeepStrictEqual(shown, own.shown)) return { author, isPartial }
      }
      return undefined
    }
  }

  return {
    async read(principal, { signal = new AbortController().signal, ...names }) {
      const { content, savedById } = await open(principal, names)
      const insight = appliedInsight(content, { parameters: {} })
      const authorsOf = createAuthors(principal, { names, content, savedById })
      const tiles = openTiles(principal, content)
      const reported: ReportTile[] = []
      let characters = 0
      for (const tile of tiles.slice(0, maxReportTiles)) {
        signal.throwIfAborted()
        const about = { title: headingOf(tile), kind: tile.type }
        if (characters > maxReportCharacters) {
          reported.push({ ...about, note: 'The report is full. Open the insight to see this tile.' })
          continue
        }
        const next = { ...about, ...(await showAlike(tile, insight, { principal, authorsOf, signal })) }
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

/** The tiles that a user may open, in the order of a report. */
function openTiles(principal: Principal, { tiles }: InsightContent): readonly Tile[] {
  const kinds = readableTypes(principal)
  return exportedTiles(tiles, {
    workflows: kinds.includes('WORKFLOW'),
    visualisations: kinds.includes('VISUALISATION'),
    framed: false,
  })
}

function withheld(name: string | undefined): string {
  if (name === undefined)
    return "Hidden: the last author's account is gone, or a newer version was deleted. Save the insight again."
  return `Hidden: ${name} saved the insight or its data prep last. A tile is sent only if both its last author and the sender can read all of its data and see the same.`
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
