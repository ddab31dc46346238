import { RecentEntries } from './recent-entries.ts'
import type { SeriesLabel, QueryResult } from './query-result.ts'
import type { SeriesQuery, Selection } from './series-query.ts'
import type { SeriesSpan } from './tail-store.ts'
import { maxBufferedValues, bufferedResult } from './buffered-result.ts'

/** Maximum bytes of cached results. */
const maxBytes = 32 * 1024 * 1024
const maxResultBytes = 2 * 1024 * 1024
const maxSeries = 100
/**
 * Maximum number of characters of a column name, and of the symbols and metadata of a series, which each row repeats.
 */
const maxLabelLength = 200
/** Memory of a cached result besides its bytes and its key. */
const overheadBytes = 1024

/** A query that {@link ResultCache} accepts. */
export type SmallQuery = Omit<SeriesQuery, 'selections'> & {
  /** Selections whose series are listed. */
  selections: readonly (Omit<Selection, 'series'> & { series: readonly SeriesLabel[] })[]
}

interface Result {
  contentType: string
  bytes: Uint8Array
  overflows?: number
  totalRows?: number
}

interface CachedResult extends Result {
  series: readonly CoveredSeries[]
}

/** Series of one dataset that a result covers. */
interface CoveredSeries {
  dataset: number
  sids: readonly number[]
}

/** A statement in progress. */
interface Reading {
  series: readonly CoveredSeries[]
  result: Promise<Result>
  /** Cancels the statement once no caller waits for it. */
  stop: AbortController
  waiting: number
}

/**
 * Caches results of small queries over many points, such as the queries of tiles: users who open the same insight repeat
 * them. Concurrent equal queries share one statement. Entries stay valid because every change of points goes through
 * `change`. If other servers can write as well, the cache accepts no queries.
 */
export class ResultCache {
  readonly #read: (query: SmallQuery, signal: AbortSignal) => Promise<QueryResult>
  readonly #isEnabled: boolean
  /** Results by query. */
  readonly #results = new RecentEntries<CachedResult>(maxBytes)
  /** Statements in progress by query, started after the last change of their datasets. */
  readonly #reading = new Map<string, Reading>()

  /** @param read runs a query without this cache */
  constructor(
    read: (query: SmallQuery, signal: AbortSignal) => Promise<QueryResult>,
    { isEnabled }: { isEnabled: boolean },
  ) {
    this.#read = read
    this.#isEnabled = isEnabled
  }

  /**
   * Returns whether a query returns few numbers of few stored series and does not depend on the current time. Formulas
   * are excluded, because they read points of other series. Later pages are excluded, because they are rarely repeated.
   */
  accepts(query: SeriesQuery): query is SmallQuery {
    const { selections, range } = query
    return (
      this.#isEnabled &&
      (range === undefined ||
        range.kind === 'ALL' ||
        range.kind === 'BETWEEN' ||
        (range.kind === 'LAST' && range.unit === 'VALUES')) &&
      !query.offset &&
      !query.delta &&
      (query.filters ?? []).length === 0 &&
      query.calendar === undefined &&
      query.versionTexts === undefined &&
      selections.every(
        ({ formula, series, columns }) =>
          formula === undefined &&
          Array.isArray(series) &&
          columns.every(({ type, name }) => type !== 'string' && name.length <= maxLabelLength),
      ) &&
      isSmall(query as SmallQuery)
    )
  }

  /** Returns the result of an accepted query. */
  async run(query: SmallQuery, signal?: AbortSignal): Promise<QueryResult> {
    const { contentType, bytes, overflows, totalRows } = await this.#resultOf(query, signal)
    return bufferedResult({
      contentType,
      bytes,
      ...(overflows === undefined ? {} : { overflows }),
      ...(totalRows === undefined ? {} : { totalRows }),
    })
  }

  /** Runs a change of points. Discards results of these series that were read before its end. */
  async change<T>(dataset: number, span: SeriesSpan, work: () => Promise<T>): Promise<T> {
    this.#forget(dataset, span)
    try {
      return await work()
    } finally {
      this.#forget(dataset, span)
    }
  }

  async #resultOf(query: SmallQuery, signal: AbortSignal | undefined): Promise<Result> {
    signal?.throwIfAborted()
    const key = JSON.stringify(query)
    const cached = this.#results.use(key)
    if (cached !== undefined) return cached
    const reading = this.#reading.get(key) ?? this.#begin(key, query)
    reading.waiting++
    const left = Promise.withResolvers<never>()
    const leave = () => {
      if (--reading.waiting === 0) this.#stop(key, reading)
      left.reject(signal!.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([reading.result, left.promise])
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #begin(key: string, query: SmallQuery): Reading {
    const stop = new AbortController()
    const series = query.selections.map(({ dataset, series }) => ({
      dataset,
      sids: series.map(({ sid }) => sid),
    }))
    const reading: Reading = { series, stop, waiting: 0, result: this.#readWhole(query, stop.signal) }
    this.#reading.set(key, reading)
    reading.result
      .then((result) => {
        if (this.#reading.get(key) === reading) this.#store(key, { ...result, series })
      })
      .catch(() => undefined)
      .finally(() => this.#stop(key, reading))
    return reading
  }

  /** Prevents other callers from joining the statement. */
  #stop(key: string, reading: Reading): void {
    if (this.#reading.get(key) === reading) this.#reading.delete(key)
    reading.stop.abort()
  }

  async #readWhole(query: SmallQuery, signal: AbortSignal): Promise<Result> {
    const { contentType, stream, overflows, totalRows, recycle } = await this.#read(query, signal)
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) {
      chunks.push(new Uint8Array(chunk))
      recycle?.(chunk)
    }
    // A separate buffer, because small results of `Buffer.concat` would keep a larger pool alive.
    const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0))
    let at = 0
    for (const chunk of chunks) {
      bytes.set(chunk, at)
      at += chunk.byteLength
    }
    return {
      contentType,
      bytes,
      ...(overflows === undefined ? {} : { overflows }),
      ...(totalRows === undefined ? {} : { totalRows }),
    }
  }

  #store(key: string, result: CachedResult): void {
    const { byteLength } = result.bytes
    if (byteLength <= maxResultBytes) this.#results.set(key, result, overheadBytes + key.length + byteLength)
  }

  #forget(dataset: number, span: SeriesSpan): void {
    this.#results.forget(({ series }) => isAbout(series, dataset, span))
    // New queries do not join a statement that started before the change, and its result is not cached.
    for (const [key, { series }] of this.#reading)
      if (isAbout(series, dataset, span)) this.#reading.delete(key)
  }
}

function isSmall({ selections, limit = Infinity, drawPoints = Infinity, layout }: SmallQuery): boolean {
  const seriesCount = selections.reduce((sum, { series }) => sum + series.length, 0)
  if (seriesCount > maxSeries) return false
  if (selections.some(({ series }) => series.some((label) => labelLength(label) > maxLabelLength)))
    return false
  const columnCount = selections.reduce((sum, { columns }) => sum + columns.length, 0)
  const cellsOfRow = layout === 'columns' ? seriesCount * columnCount : columnCount
  return Math.min(limit * cellsOfRow, drawPoints * seriesCount * columnCount) <= maxBufferedValues
}

function labelLength({ symbols, metadata = [] }: SeriesLabel): number {
  return [...symbols, ...metadata].reduce((sum, text) => sum + text.length, 0)
}

function isAbout(requested: readonly CoveredSeries[], dataset: number, span: SeriesSpan): boolean {
  return requested.some(
    (series) =>
      series.dataset === dataset &&
      (span === 'all' || series.sids.some((sid) => sid >= span.firstSid && sid <= span.lastSid)),
  )
}
