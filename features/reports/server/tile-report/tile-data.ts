import type { DataPrepSymbols } from '@headwater/tile-data/contract'
import {
  filteredTable,
  isChosen,
  ofAnyGroup,
  loadedTable,
  readTableText,
  type LoadedResult,
  maxLoadedRows,
  type SeriesRange,
  type PartQuery,
} from '@headwater/tile-data/core'
import type { LakeReader } from './lake-reader.ts'
import type { Reading } from './reading.ts'
import type { ReportLimits } from './report-tile.ts'
import type { SeriesReader } from './series-reader.ts'
import { TileProblem } from './tile-problem.ts'

/** Rows of a tile from any source. */
export interface TileRows {
  /** Rows of each result. */
  results: readonly LoadedResult[]
  /** Requested series; empty for tables. */
  symbols: readonly DataPrepSymbols[]
  /** Range of the query. */
  range: SeriesRange
  /** Whether the rows come from another source than a query of the tile. */
  isFromElsewhere: boolean
  /** Whether the rows come from a file or a typed table. */
  isTable: boolean
  /** Requested groups that the user cannot read. */
  hiddenGroups: readonly string[]
  /** The limit that truncated the rows; undefined if they are complete. */
  cutBy: 'tile' | 'report' | undefined
  /** Limits of the report. */
  limits: ReportLimits
}

/** Reads the rows of tiles from any source. */
export type TileDataReader = ReturnType<typeof createTileDataReader>

/** Creates the reader of the rows of tiles. */
export function createTileDataReader({ series, lake }: { series: SeriesReader; lake: LakeReader }) {
  async function readSeries(reading: Reading, part: PartQuery): Promise<TileRows> {
    const { source, range, isOfOtherTile } = part.query
    const { results, symbols, hiddenGroups, prep } = await series.readPart(reading, part)
    const hidden = symbols.filter(({ groupName }) => hiddenGroups.includes(groupName)).length
    if (hidden > 0 && hidden === symbols.length)
      throw new TileProblem(unreadable(hiddenGroups), { isRefusal: true })
    const isLimited = results.some(({ result }) => result.limited)
    const { absoluteSize } = range
    const isOfTile = absoluteSize !== null && absoluteSize <= maxLoadedRows
    return {
      results: isOfOtherTile ? results.map(ofAnyGroup) : results,
      symbols,
      hiddenGroups,
      range: prep === undefined ? range : { ...range, timeZone: prep.timezone },
      isFromElsewhere: isOfOtherTile || source.kind !== 'series',
      isTable: false,
      cutBy: isLimited ? (isOfTile ? 'tile' : 'report') : undefined,
      limits: reading.limits,
    }
  }

  function rowsOfTable({ limits }: Reading, { query }: PartQuery, loaded: LoadedResult): TileRows {
    const { range, bindings, isOfOtherTile } = query
    const rows = filteredTable(isOfOtherTile ? ofAnyGroup(loaded) : loaded, bindings)
    return {
      results: [rows],
      symbols: [],
      range,
      isFromElsewhere: true,
      isTable: true,
      hiddenGroups: [],
      cutBy: loaded.result.limited ? 'report' : undefined,
      limits,
    }
  }

  return {
    /**
     * Returns the rows of a tile.
     * @throws TileProblem, and errors of storage and files
     */
    async read(reading: Reading, part: PartQuery): Promise<TileRows> {
      const { problem, source } = part.query
      if (problem !== undefined || !isChosen(part.query)) return readSeries(reading, part)
      if (source.kind === 'file')
        return rowsOfTable(reading, part, await lake.readTable(reading, source.file))
      if (source.kind === 'text') return rowsOfTable(reading, part, loadedTable(readTableText(source.text)))
      return readSeries(reading, part)
    },
  }
}

/** Returns a sentence about groups that the user cannot read. */
export function unreadable(groupNames: readonly string[]): string {
  return groupNames.length === 1
    ? `The group ${groupNames[0]} cannot be read.`
    : `The groups ${groupNames.join(', ')} cannot be read.`
}
