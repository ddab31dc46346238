import { getDataPrepByName, type DataPrepDetails } from '@headwater/preps/contract'
import type { Preps } from '@headwater/preps/server'
import { isRefusal, type Principal } from '@headwater/server-kit'
import type { DataPrepSymbols } from '../../contract/index.ts'
import { filteredTable, isChosen, ofAnyGroup, type AskedData } from '../../contract/sources/asked-data.ts'
import { noPrepMessage, prepQuestions } from '../../contract/sources/prep-questions.ts'
import { loadedTable, readTypedTable } from '../../contract/sources/read-table.ts'
import type { DataPrepAddress } from '../../contract/sources/tile-source.ts'
import type { LoadedAnswer } from '../../contract/series/loaded-answer.ts'
import { maxLoadedRows } from '../../contract/series/row-limit.ts'
import type { SeriesRange } from '../../contract/series/series-range.ts'
import { isBackwards, seriesQuestions } from '../../contract/series/series-request.ts'
import type { LakeReader } from './lake-reader.ts'
import type { ReadSeries, SeriesReader } from './series-reader.ts'
import type { Reading } from './reading.ts'
import { requirePermission, TileProblem } from './tile-problem.ts'

/** The rows of a tile, whatever they come from. */
export interface TileRows {
  answers: readonly LoadedAnswer[]
  /** The series that were asked for; empty for tables. */
  symbols: readonly DataPrepSymbols[]
  range: SeriesRange
  /** Whether they come from no question of the tile itself. */
  isFromElsewhere: boolean
  /** Whether they are the rows of a file or of a typed table. */
  isTable: boolean
  /** Groups that are asked for and that the user cannot read. */
  hiddenGroups: readonly string[]
  /** Why these are not all rows there are: as the tile wants it, or because a report reads no more. */
  cutBy: 'tile' | 'report' | undefined
}

/** Reads the rows of tiles from whatever their source is. */
export type TileDataReader = ReturnType<typeof createTileDataReader>

/** The reader of the rows of tiles. */
export function createTileDataReader({
  series,
  lake,
  preps,
}: {
  series: SeriesReader
  lake: LakeReader
  preps: Pick<Preps, 'get'>
}) {
  async function findPrep(principal: Principal, address: DataPrepAddress): Promise<DataPrepDetails> {
    requirePermission(principal, getDataPrepByName)
    try {
      return await preps.get(principal, address, { withMetadata: false, resolvePattern: false })
    } catch (error) {
      throw isRefusal(error) ? new TileProblem(noPrepMessage, { isRefusal: true }) : error
    }
  }

  async function fromPrep(
    reading: Reading,
    address: DataPrepAddress,
    { range, chosenRange, filters, bindings }: AskedData,
  ) {
    const prep = await findPrep(reading.principal, address)
    reading.prepSavers.add(prep.modifiedBy)
    const { absoluteSize } = atMostRows(range)
    const { symbols, questions, error } = prepQuestions(prep, {
      bindings,
      range: chosenRange,
      filters,
      absoluteSize,
    })
    if (error !== null) throw new TileProblem(error.message)
    const read = await series.read(reading, symbols, questions)
    return { ...read, symbols, range: { ...range, timeZone: prep.timezone } }
  }

  return {
    /**
     * The rows that a tile asks for.
     * @param options `metadata`: names of metadata that come with its own series
     * @throws TileProblem, and what storage and files refuse a question with
     */
    async read(
      reading: Reading,
      asked: AskedData,
      { metadata = [] }: { metadata?: readonly string[] } = {},
    ): Promise<TileRows> {
      const { problem, source, symbols, range, filters, bindings, isOfOtherTile } = asked
      if (problem !== undefined) throw new TileProblem(problem)
      if (!isChosen(asked)) throw new TileProblem('No data has been chosen.')
      switch (source.kind) {
        case 'series':
        case 'basket': {
          if (isBackwards(range)) throw new TileProblem('The date range ends before it begins.')
          const questions = seriesQuestions(symbols, atMostRows(range), {
            filters,
            metadata: isOfOtherTile ? [] : metadata,
          })
          const read = await series.read(reading, symbols, questions)
          return rowsOf({ ...read, symbols, range }, source.kind === 'basket')
        }
        case 'dataPrep':
          return rowsOf(await fromPrep(reading, source.dataPrep, asked), true)
        case 'file':
          return tableRows(await lake.readTable(reading, source.file))
        case 'text':
          return tableRows(loadedTable(readTypedTable(source.text)))
      }

      function rowsOf(
        read: ReadSeries & Pick<TileRows, 'symbols' | 'range'>,
        isFromElsewhere: boolean,
      ): TileRows {
        const hidden = read.symbols.filter(({ groupName }) => read.hiddenGroups.includes(groupName)).length
        if (hidden > 0 && hidden === read.symbols.length)
          throw new TileProblem(unreadable(read.hiddenGroups), { isRefusal: true })
        const isLimited = read.answers.some(({ answer }) => answer.limited)
        return {
          ...read,
          answers: isOfOtherTile ? read.answers.map(ofAnyGroup) : read.answers,
          isFromElsewhere: isFromElsewhere || isOfOtherTile,
          isTable: false,
          cutBy: isLimited ? (atMostRows(range) === range ? 'tile' : 'report') : undefined,
        }
      }

      function tableRows(loaded: LoadedAnswer): TileRows {
        const rows = filteredTable(isOfOtherTile ? ofAnyGroup(loaded) : loaded, bindings)
        return {
          answers: [rows],
          symbols: [],
          range,
          isFromElsewhere: true,
          isTable: true,
          hiddenGroups: [],
          cutBy: loaded.answer.limited ? 'report' : undefined,
        }
      }
    },
  }
}

/** The range with at most so many rows as a report reads; the very same one when it has no more. */
function atMostRows(range: SeriesRange): SeriesRange {
  const { absoluteSize } = range
  return absoluteSize !== null && absoluteSize <= maxLoadedRows
    ? range
    : { ...range, absoluteSize: maxLoadedRows }
}

/** Which groups cannot be read. */
export function unreadable(groupNames: readonly string[]): string {
  return groupNames.length === 1
    ? `The group ${groupNames[0]} cannot be read.`
    : `The groups ${groupNames.join(', ')} cannot be read.`
}
