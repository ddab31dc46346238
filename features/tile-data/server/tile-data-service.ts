import { invalidInput, type AccessMode } from '@headwater/contract'
import type { Groups } from '@headwater/groups/server'
import type { DataPrepDetails } from '@headwater/preps/contract'
import { unlessRefused, validationErrorsOf, type Principal, type Slot } from '@headwater/server-kit'
import { dataQuery, dataQueryParameters, type DataKey, type DataQuery } from '@headwater/symbols/contract'
import type { DataQueryService } from '@headwater/symbols/server'
import { tileErrors, type DataPrepSymbols } from '../contract/index.ts'
import type { SeriesRequest, SeriesQuery } from '../core/series/series-request.ts'
import type { DataPrepAddress } from '../core/sources/tile-source.ts'
import { problemOf, queriesOf, type PartQuery, type WantedRows } from '../core/insight/part-query.ts'

type QueryResult = Awaited<ReturnType<DataQueryService['run']>>

/** The access with which tiles are read. */
export interface TileReader {
  /** Users who all need access `mode` to every group. The queries run with the access of the first user. */
  principals: readonly [Principal, ...Principal[]]
  /** Access mode that the users need for every group. */
  mode: AccessMode
  /**
   * Whether groups that are shared with the first user within a range are included, limited to the range. Only for a
   * single user who is the only recipient of the rows. Default false.
   */
  withinRanges?: boolean
  /** Maximum number of rows of a result; undefined: the limit of the query. */
  maxRows?: number | undefined
  /** Creates the error for a tile whose groups are all hidden. If absent, the result names the hidden groups. */
  allHidden?: (() => Error) | undefined
  /**
   * Finds a saved data prep and the users whose access its rows require. Returns undefined if it is not accessible to
   * all of them.
   */
  findPrep(
    address: DataPrepAddress,
  ): Promise<{ details: DataPrepDetails; principals: TileReader['principals'] } | undefined>
  /** Waits for a slot in which a query can run. */
  takeTurn(query: DataQuery, signal: AbortSignal): Promise<Slot>
}

/** A result of a tile that has not been loaded yet. */
export interface TileResult {
  /** Groups of the result. */
  groupNames: ReadonlySet<string>
  /** IANA zone of the dates. */
  timeZone: string
  /** Whether points are selected for drawing if there are too many rows. */
  drawn: boolean
  /** Runs the query in its slot of the query queue. The slot ends with the stream. */
  open(this: void, signal: AbortSignal): Promise<QueryResult>
}

/** The results of a tile. */
export interface TileResults {
  /** Groups of the tile that the reader cannot read; empty if their names are confidential. */
  hiddenGroups: readonly string[]
  /** The series that were queried. */
  symbols: readonly DataPrepSymbols[]
  /** The saved data prep of the tile; undefined if it queries series. */
  prep: DataPrepDetails | undefined
  /** The results in the order of the queries. */
  results: readonly TileResult[]
}

/** Reads the rows of tiles for members, visitors and reports. */
export type TileDataService = ReturnType<typeof createTileDataService>

/** Creates the reader of tile data. */
export function createTileDataService({
  data,
  groups,
}: {
  data: Pick<DataQueryService, 'run'>
  groups: Pick<Groups, 'access'>
}) {
  async function canAllUse(
    principals: readonly Principal[],
    name: string,
    mode: AccessMode,
    withinRanges: boolean,
  ): Promise<boolean> {
    const readable = await Promise.all(
      principals.map(async (principal) => {
        const whole = await unlessRefused(groups.access.getGroup(principal, name, mode))
        return whole ?? (withinRanges ? groups.access.findLimited(principal, { name }) : undefined)
      }),
    )
    return !readable.includes(undefined)
  }

  /** Returns the groups of queries that not all users can read. */
  async function hiddenIn(
    queries: readonly DataQuery[],
    reader: Pick<TileReader, 'principals' | 'mode' | 'withinRanges'>,
  ): Promise<Set<string>> {
    const names = new Set(queries.flatMap((query) => query.keys.map((key) => groupOf(key, query))))
    const hidden = new Set<string>()
    // A key without a group is an error of the query, not a hidden group.
    names.delete('')
    for (const name of names)
      if (!(await canAllUse(reader.principals, name, reader.mode, readsRanges(reader)))) hidden.add(name)
    return hidden
  }

  async function run(query: DataQuery, reader: TileReader, signal: AbortSignal): Promise<QueryResult> {
    const [principal, ...others] = reader.principals
    const turn = await reader.takeTurn(query, signal)
    try {
      const { mode } = reader
      const withinRanges = readsRanges(reader)
      const result = await data.run(principal, query, { signal: turn.signal, others, mode, withinRanges })
      const { bytes, stream } = result
      return { ...result, bytes: undefined, stream: endingWith(bytes ? [bytes] : stream, turn.end) }
    } catch (error) {
      turn.end()
      throw error
    }
  }

  /**
   * Prepares the results of queries without the series of hidden groups.
   * @throws the error of `allHidden` if all series are hidden
   */
  async function resultsOf(
    seriesQueries: readonly SeriesQuery[],
    reader: TileReader,
  ): Promise<{
    hiddenGroups: string[]
    results: TileResult[]
  }> {
    const queries = seriesQueries.map(({ request }) => limited(parsed(request), reader.maxRows))
    const hidden = await hiddenIn(queries, reader)
    const results = queries.flatMap((query, index): TileResult[] => {
      const keys = query.keys.filter((key) => !hidden.has(groupOf(key, query)))
      if (keys.length === 0) return []
      return [
        {
          groupNames: seriesQueries[index]!.groupNames,
          timeZone: query.timeZone ?? 'UTC',
          drawn: query.drawPoints !== undefined,
          open: (signal) => run({ ...query, keys }, reader, signal),
        },
      ]
    })
    if (reader.allHidden === undefined) return { hiddenGroups: [...hidden], results }
    if (results.length === 0 && seriesQueries.length > 0) throw reader.allHidden()
    return { hiddenGroups: [], results }
  }

  return {
    resultsOf,
    /**
     * Prepares the results of a tile. Its rows are not loaded yet.
     * @throws AppError for a tile without a query, and for data that the reader cannot read
     */
    async read(part: PartQuery, wanted: WantedRows, reader: TileReader): Promise<TileResults> {
      const problem = problemOf(part)
      if (problem !== undefined) throw tileErrors.tileWithoutQuery({ problem })
      const { source } = part.query
      const prep = source.kind === 'dataPrep' ? await reader.findPrep(source.dataPrep) : undefined
      if (source.kind === 'dataPrep' && prep === undefined) throw tileErrors.tilePrepNotFound()
      const { symbols, queries, error } = queriesOf(part, wanted, prep?.details)
      if (error !== null) throw tileErrors.tileWithoutQuery({ problem: error.message })
      const { principals } = prep ?? reader
      return { symbols, prep: prep?.details, ...(await resultsOf(queries, { ...reader, principals })) }
    },
  }
}

/** A query applies the ranges of one user only. */
function readsRanges({
  principals,
  withinRanges = false,
}: Pick<TileReader, 'principals' | 'withinRanges'>): boolean {
  return withinRanges && principals.length === 1
}

function groupOf({ groupName }: DataKey, query: DataQuery): string {
  return groupName ?? query.groupName ?? ''
}

function parsed({ query, body }: SeriesRequest): DataQuery {
  const parameters = dataQueryParameters.safeParse(query)
  const parsedBody = dataQuery.safeParse(body)
  if (!parameters.success || !parsedBody.success)
    throw invalidInput(
      [parameters, parsedBody].flatMap(({ error }) => (error ? validationErrorsOf(error) : [])),
    )
  const given = Object.entries(parameters.data).filter(([, value]) => value !== undefined)
  return { ...parsedBody.data, ...Object.fromEntries(given) }
}

/** Limits the rows of a query. If the limit applies, the response counts all rows. */
function limited(query: DataQuery, maxRows: number | undefined): DataQuery {
  const wanted = query.absoluteSize ?? -1
  if (maxRows === undefined || (wanted >= 0 && wanted <= maxRows)) return query
  return { ...query, absoluteSize: maxRows, countRows: true }
}

async function* endingWith(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  end: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } finally {
    end()
  }
}
