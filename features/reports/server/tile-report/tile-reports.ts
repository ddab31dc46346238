import type { Groups } from '@headwater/groups/server'
import type { Files } from '@headwater/files/server'
import type { Clock, Log, Principal } from '@headwater/server-kit'
import { headingOf, type InsightContent, type Tile } from '@headwater/tile-data/contract'
import { DefinitionError, getInsight, insightErrors } from '@headwater/insights/contract'
import {
  readableTypes,
  type InsightAccess,
  type InsightFiles,
  type InsightNames,
  type InsightsReadModel,
} from '@headwater/insights/server'
import { appliedInsight, exportedTiles, type PageChoices } from '@headwater/tile-data/core'
import { requirePermission, type TileDataService, type TileReader } from '@headwater/tile-data/server'
import { createLakeReader } from './lake-reader.ts'
import {
  emailLimits,
  maxReportTiles,
  type ReportLimits,
  type ReportTile,
  type TileReport,
} from './report-tile.ts'
import { createSeriesReader } from './series-reader.ts'
import { createAuthorSearch, readAgreedContent } from './tile-authors.ts'
import type { TileContentDependencies } from './tile-content.ts'
import { createTileDataReader } from './tile-data.ts'

/** Dependencies of reports. */
export interface TileReportsDependencies {
  /** Checks access to insights. */
  insightAccess: Pick<InsightAccess, 'toRead'>
  /** Stored definitions of insights. */
  insightFiles: Pick<InsightFiles, 'readContent'>
  /** Finds files of groups. */
  readModel: Pick<InsightsReadModel, 'findFile'>
  /** Checks access to groups. */
  groups: Pick<Groups, 'access'>
  /** Files of the lake. */
  files: Pick<Files, 'getReadable' | 'readContent'>
  /** Reads data of tiles. */
  tileData: TileDataService
  /** Returns the reader of tile data for a user. */
  readerOf: (principal: Principal) => TileReader
  /** Returns the principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Returns the id of a user by name. */
  findUserId: (userName: string) => Promise<number | undefined>
  /** Current time. */
  clock: Clock
  /** Log of the server. */
  log: Log
}

/** Reads reports of insights. */
export interface TileReports {
  /**
   * Returns the content of the tiles of an insight for a user, with the initial values of its parameters. If the data of a tile is
   * unavailable, its note gives the reason.
   *
   * A tile also has a note instead of its content unless the last authors of the insight and of its data prep can read the same data as the
   * user. Otherwise an author could add data that only the user can read and send it to themselves, or infer from missing tiles which
   * data exists.
   * @param request.signal aborts the report
   * @throws AppError if the insight does not exist, is damaged or the user cannot read it, and if a database does not respond
   */
  read(principal: Principal, request: ReportRequest): Promise<TileReport>
}

/** Request for a report. */
export interface ReportRequest extends InsightNames {
  /** Values of parameters and the range. Default: the initial values, and the range of each tile. */
  choices?: PageChoices
  /** Limits of the content. Default: the limits of e-mails. */
  limits?: ReportLimits
  /** Aborts the report. */
  signal?: AbortSignal
}

/** Creates the reader of reports. */
export function createTileReports(deps: TileReportsDependencies): TileReports {
  const series = createSeriesReader(deps)
  const lake = createLakeReader(deps)
  const { clock, log } = deps
  const readers = { series, lake, tileData: createTileDataReader({ series, lake }), clock, log }
  return {
    read: (principal, request) => readReport(deps, readers, principal, request),
  }
}

async function readReport(
  deps: TileReportsDependencies,
  readers: TileContentDependencies,
  principal: Principal,
  {
    choices = { parameters: {} },
    limits = emailLimits,
    signal = new AbortController().signal,
    ...names
  }: ReportRequest,
): Promise<TileReport> {
  const { content, savedById } = await openInsight(deps, principal, names)
  const insight = appliedInsight(content, choices)
  const findAuthors = createAuthorSearch(principal, {
    content,
    savedById,
    async tilesFor(author) {
      await openInsight(deps, author, names)
      return readableTiles(author, content)
    },
    findPrincipal: deps.findPrincipal,
    findUserId: deps.findUserId,
  })
  const tiles = readableTiles(principal, content)
  const reported: ReportTile[] = []
  let characters = 0
  for (const tile of tiles.slice(0, maxReportTiles)) {
    signal.throwIfAborted()
    const heading = { title: headingOf(tile), kind: tile.type }
    if (characters > limits.characters) {
      const note = 'The report is full. Open the insight to see this tile.'
      reported.push({ ...heading, note, isOmitted: true })
      continue
    }
    const access = { principal, findAuthors, signal, limits }
    const reportTile = { ...heading, ...(await readAgreedContent(readers, tile, insight, access)) }
    characters += countCharacters(reportTile)
    reported.push(reportTile)
  }
  return {
    title: names.insightName,
    insightName: names.insightName,
    groupName: names.groupName,
    tiles: reported,
    leftOut: tiles.length - reported.length,
  }
}

async function openInsight(
  { insightAccess, insightFiles }: TileReportsDependencies,
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

/** Returns the tiles that a user can open, in the order of a report. */
function readableTiles(principal: Principal, { tiles }: InsightContent): readonly Tile[] {
  const kinds = readableTypes(principal)
  return exportedTiles(tiles, {
    workflows: kinds.includes('WORKFLOW'),
    visualisations: kinds.includes('VISUALISATION'),
    framed: false,
  })
}

/**
 * Share of a point in the limit of characters, because a point needs as much memory as that many characters.
 */
const pointCharacters = 8

function countCharacters({ table, text = '', chart }: ReportTile): number {
  const cells = table === undefined ? [] : [table.header, ...table.rows].flat()
  const points = chart === undefined ? 0 : chart.spec.series.reduce((sum, { x }) => sum + x.length, 0)
  return cells.reduce((sum, cell) => sum + cell.length, text.length + points * pointCharacters)
}
