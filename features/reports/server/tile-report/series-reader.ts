import {
  type LoadedResult,
  readSeriesResult,
  rowsBySymbol,
  type SeriesQuery,
  type PartQuery,
} from '@headwater/tiles/core'
import type { Principal } from '@headwater/server-kit'
import type { TileResult, TileResults, TileDataService, TileReader } from '@headwater/tiles/server'
import type { Reading } from './reading.ts'
import { TileProblem } from './tile-problem.ts'

/** Bytes of one result that are read at most. */
const maxAnswerBytes = 20_000_000

/** The series of a tile. */
export interface ReadSeries extends Pick<TileResults, 'symbols' | 'hiddenGroups' | 'prep'> {
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
  /** The rows of some results, one after another. */
  async function load(
    reading: Reading,
    { results, hiddenGroups }: Pick<TileResults, 'results' | 'hiddenGroups'>,
  ): Promise<LoadedResult[]> {
    if (hiddenGroups.length > 0) reading.isPartial = true
    const loaded: LoadedResult[] = []
    for (const each of results) loaded.push(await loadOne(reading, each))
    return loaded
  }

  async function loadOne(reading: Reading, { groupNames, open }: TileResult): Promise<LoadedResult> {
    const { signal } = reading
    const found = await open(signal)
    if (found.isPartial) reading.isPartial = true
    const { stream, totalRows } = found
    const result = readSeriesResult(await textOf(stream, signal), { totalRows })
    return { groupNames, result, rowsOf: rowsBySymbol(result) }
  }

  return {
    /** The rows of some queries. Series of groups that the user cannot read are left out. */
    async read(reading: Reading, queries: readonly SeriesQuery[]): Promise<LoadedResult[]> {
      return load(reading, await tileData.resultsOf(queries, readerOf(reading.principal)))
    },

    /** The series of a tile, with its row limit. */
    async readPart(reading: Reading, part: PartQuery): Promise<ReadSeries> {
      // A report lists values, so it wants the rows themselves.
      const found = await tileData.read({ ...part, drawn: false }, {}, readerOf(reading.principal))
      if (found.prep !== undefined) reading.prepSavers.add(found.prep.modifiedBy)
      return { ...found, results: await load(reading, found) }
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
    if (sizeBytes > maxAnswerBytes)
      throw new TileProblem(
        `Its data are larger than ${maxAnswerBytes / 1_000_000} MB, the most that a report reads. Choose a shorter range or fewer series.`,
      )
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}
