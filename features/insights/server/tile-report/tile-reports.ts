import { isDeepStrictEqual } from 'node:util'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import {
  DefinitionError,
  getInsight,
  headingOf,
  insightErrors,
  type InsightContent,
  type Tile,
} from '../../contract/index.ts'
import type { AppliedInsight } from '../../core/sources/shown-tile.ts'
import { exportedTiles } from '../../core/tiles/visible-tiles.ts'
import { appliedInsight } from '../../core/applied-insight.ts'
import type { InsightAccess, InsightNames } from '../insight-access.ts'
import { readableTypes } from '../insight-access.ts'
import type { InsightFiles } from '../insight-files.ts'
import { beginReading, type Reading } from './reading.ts'
import { maxReportCharacters, maxReportTiles, type ReportTile, type TileReport } from './report-tile.ts'

import { requirePermission } from './tile-problem.ts'
import type { TileContent, TileContents } from './tile-contents.ts'

/** What reports of insights are made from. */
export interface TileReportsDependencies {
  insightAccess: Pick<InsightAccess, 'toRead'>
  insightFiles: Pick<InsightFiles, 'readContent'>
  contents: TileContents
  /** The principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  findUserId: (userName: string) => Promise<number | undefined>
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

/** The reader of what insights show. */
export function createTileReports(dependencies: TileReportsDependencies): TileReports {
  const { insightAccess, insightFiles, contents } = dependencies

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
  ): Promise<TileContent> {
    for (let readings = 1; ; readings++) {
      const reading = beginReading(principal, signal)
      const shown = await contents.read(tile, insight, reading)
      const other = await findOther(await authorsOf(reading.prepSavers), { shown, reading })
      if (other === undefined) return shown
      // What arrives between two readings gives nobody another right.
      if (readings === maxReadings || other.isPartial) return { note: withheld(other.author.name) }
    }

    /** The first author who sees something else, or cannot be compared with. */
    async function findOther(
      authors: readonly Author[],
      own: { shown: TileContent; reading: Reading },
    ): Promise<{ author: Author; isPartial: boolean } | undefined> {
      for (const author of authors) {
        if (author.principal === undefined || !author.tiles.includes(tile)) return { author, isPartial: true }
        const reading = beginReading(author.principal, signal)
        const shown = await contents.read(tile, insight, reading)
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

function charactersIn({ table, text = '' }: ReportTile): number {
  const cells = table === undefined ? [] : [table.header, ...table.rows].flat()
  return cells.reduce((sum, cell) => sum + cell.length, text.length)
}
