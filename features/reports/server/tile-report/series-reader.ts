import {
  type LoadedResult,
  readSeriesResult,
  rowsBySymbol,
  type SeriesQuery,
  type PartQuery,
} from '@headwater/tile-data/core'
import type { Principal } from '@headwater/server-kit'
import type { TileResult, TileResults, TileDataService, TileReader } from '@headwater/tile-data/server'
import type { Reading } from './reading.ts'
import { TileProblem } from './tile-problem.ts'

/** Maximum number of bytes that a report reads of one result. */
const maxResultBytes = 20_000_000

/** Series of a tile with their rows. */
export interface ReadSeries extends Pick<TileResults, 'symbols' | 'hiddenGroups' | 'prep'> {
  /** Rows of each result. */
  results: LoadedResult[]
}

/** Reads the series of tiles. */
export type SeriesReader = ReturnType<typeof createSeriesReader>

/** Creates the reader of series. */
export function createSeriesReader({
  tileData,
  readerOf,
}: {
  tileData: TileDataService
  readerOf: (principal: Principal) => TileReader
}) {
  /** Loads results one after the other, to limit memory. */
  async function load(
    reading: Reading,
    { results, hiddenGroups }: Pick<TileResults, 'results' | 'hiddenGroups'>,
  ): Promise<LoadedResult[]> {
    if (hiddenGroups.length > 0) reading.isPartial = true
    const loaded: LoadedResult[] = []
    for (const each of results) loaded.push(await loadOne(reading, each))
    return loaded
  }

  async function loadOne(reading: Reading, { groupNames, drawn, open }: TileResult): Promise<LoadedResult> {
    const { signal } = reading
    const { stream, totalRows, isPartial } = await open(signal)
    if (isPartial) reading.isPartial = true
    const result = readSeriesResult(await textOf(stream, signal), { totalRows, drawn })
    return { groupNames, result, rowsOf: rowsBySymbol(result) }
  }

  return {
    /** Returns the rows of queries, without series of groups that the user cannot read. */
    async read(reading: Reading, queries: readonly SeriesQuery[]): Promise<LoadedResult[]> {
      return load(reading, await tileData.resultsOf(queries, readerOf(reading.principal)))
    },

    /** Returns the series of a tile, with its row limit. */
    async readPart(reading: Reading, part: PartQuery): Promise<ReadSeries> {
      // A report that lists values needs rows instead of drawn points.
      const drawn = part.drawn && reading.limits.chartRows === undefined
      const ofTile = await tileData.read({ ...part, drawn }, {}, readerOf(reading.principal))
      if (ofTile.prep !== undefined) reading.prepSavers.add(ofTile.prep.modifiedBy)
      return { ...ofTile, results: await load(reading, ofTile) }
    },
  }
}

async function textOf(stream: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let sizeBytes = 0
  for await (const part of stream) {
    signal.throwIfAborted()
    sizeBytes += part.length
    if (sizeBytes > maxResultBytes)
      throw new TileProblem(
        `The data of this tile is larger than ${maxResultBytes / 1_000_000} MB, the limit of a report. Choose a shorter range or fewer series.`,
      )
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}
