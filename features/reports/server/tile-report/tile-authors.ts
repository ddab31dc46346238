import { isDeepStrictEqual } from 'node:util'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { InsightContent, Tile } from '@headwater/tile-data/contract'
import type { AppliedInsight } from '@headwater/tile-data/core'
import { beginReading, type Reading } from './reading.ts'
import { readTileContent, type TileContent, type TileContentDependencies } from './tile-content.ts'

/** A user who determined the content of an insight: its last author, or the last author of a data prep. */
interface Author {
  name: string | undefined
  /** The author; undefined for a deleted or unknown user. */
  principal: Principal | undefined
  /** Tiles that the user can open; all tiles for the author of a data prep. */
  tiles: readonly Tile[]
}

/** Returns the authors of a tile, by the names of the last authors of its data preps, without the reader of the report. */
export type FindAuthors = (prepSavers: ReadonlySet<string>) => Promise<Author[]>

/**
 * Maximum number of attempts to read a tile. Two reads can differ if data arrives between them; a further attempt then
 * returns equal results.
 */
const maxReadings = 3

/**
 * Creates the search for the authors of an insight, with a cache.
 * @param options.tilesFor returns the tiles that the last author can open; throws if they cannot read the insight
 */
export function createAuthorSearch(
  reader: Principal,
  {
    content,
    savedById,
    tilesFor,
    findPrincipal,
    findUserId,
  }: {
    content: InsightContent
    savedById: number | undefined
    tilesFor: (author: Principal) => Promise<readonly Tile[]>
    findPrincipal: (userId: number) => Promise<Principal | undefined>
    findUserId: (userName: string) => Promise<number | undefined>
  },
): FindAuthors {
  const known = new Map<number | undefined, Promise<Author>>()

  async function find(userId: number | undefined): Promise<Author> {
    const principal = userId === undefined ? undefined : await findPrincipal(userId)
    if (principal === undefined) return { name: undefined, principal, tiles: [] }
    // The author of a data prep need not have access to the insight.
    const tiles = userId === savedById ? ((await unlessRefused(tilesFor(principal))) ?? []) : content.tiles
    return { name: principal.userName, principal, tiles }
  }

  return async (prepSavers) => {
    const saverIds = await Promise.all([...prepSavers].map(findUserId))
    const userIds = new Set([savedById, ...saverIds])
    userIds.delete(reader.userId)
    return Promise.all(
      [...userIds].map((userId) => {
        const author = known.get(userId) ?? find(userId)
        known.set(userId, author)
        return author
      }),
    )
  }
}

/** Returns the content of a tile if all its authors can read all of it and see the same; otherwise a note. */
export async function readAgreedContent(
  deps: TileContentDependencies,
  tile: Tile,
  insight: AppliedInsight,
  {
    principal,
    findAuthors,
    ...settings
  }: { principal: Principal; findAuthors: FindAuthors } & Pick<Reading, 'signal' | 'limits'>,
): Promise<TileContent> {
  for (let readings = 1; ; readings++) {
    const reading = beginReading(principal, settings)
    const content = await readTileContent(deps, tile, insight, reading)
    const authors = await findAuthors(reading.prepSavers)
    const difference = await findDifference(deps, tile, insight, authors, { content, reading })
    if (difference === undefined) return content
    // Another attempt helps if data arrived between two readings, but not if access is missing.
    if (readings === maxReadings || difference.isPartial)
      return { note: withheldNote(difference.author.name), isOmitted: true }
  }
}

/** Returns the first author who sees other content or whose view cannot be compared. */
async function findDifference(
  deps: TileContentDependencies,
  tile: Tile,
  insight: AppliedInsight,
  authors: readonly Author[],
  own: { content: TileContent; reading: Reading },
): Promise<{ author: Author; isPartial: boolean } | undefined> {
  for (const author of authors) {
    if (author.principal === undefined || !author.tiles.includes(tile)) return { author, isPartial: true }
    const reading = beginReading(author.principal, own.reading)
    const content = await readTileContent(deps, tile, insight, reading)
    const isPartial = own.reading.isPartial || reading.isPartial
    if (isPartial || !isDeepStrictEqual(content, own.content)) return { author, isPartial }
  }
  return undefined
}

function withheldNote(name: string | undefined): string {
  if (name === undefined)
    return "Hidden: the last author's account is gone, or a newer version was deleted. Save the insight again."
  return `Hidden: ${name} saved the insight or its data prep last. A tile is sent only if both its last author and the sender can read all of its data and see the same.`
}
