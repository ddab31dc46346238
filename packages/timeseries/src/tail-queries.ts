import { formatCsvCell } from '@headwater/csv'
import { hasClock } from './clock-sql.ts'
import { formatHeaderLine } from './result-format.ts'
import { positiveInteger } from './dataset-tables.ts'
import { unionColumns } from './open-selections.ts'
import type { QueryResult, SeriesLabel } from './query-result.ts'
import type { Selection, SeriesQuery } from './series-query.ts'
import type { ColumnSpec } from './series-upload.ts'
import { checkQuery } from './query-check.ts'
import { mostTailRows, type SeriesTail } from './series-tail.ts'
import type { TailReader } from './tail-reader.ts'
import type { TailStore } from './tail-store.ts'
import { newestRows, TailText } from './tail-text.ts'
import { maxBufferedValues, bufferedResult } from './buffered-result.ts'

/** Maximum number of series per statement. One statement serves many queries. */
const seriesPerRead = 64
/** Maximum concurrent statements for the same columns of a dataset; later requests join the next one. */
const maxReads = 2

/** A query that {@link TailQueries} accepts. */
export type TailQuery = Omit<SeriesQuery, 'selections' | 'range'> & {
  /** Selections whose series are listed. */
  selections: readonly (Selection & { series: readonly SeriesLabel[] })[]
  /** The newest points of each series. */
  range: { kind: 'LAST'; unit: 'VALUES'; amount: number }
}

/** Series of one dataset that are read together. */
interface Reader {
  key: string
  dataset: number
  requested: readonly ColumnSpec[]
  /** Series for the next statement. */
  waiting: Map<number, PromiseWithResolvers<SeriesTail>>
  /** Series in a running statement that started after the last change. */
  reading: Map<number, Promise<SeriesTail>>
  reads: number
  /** State of the dataset at the last request. */
  state: number | undefined
}

/**
 * Runs queries for the newest points of series in memory. One statement reads the missing series of all queries that arrive
 * while another statement runs, which takes little longer than a single query. If other servers can write as well, nothing
 * is cached; queries for one series are only batched.
 */
export class TailQueries {
  readonly #reader: Pick<TailReader, 'read'>
  readonly #store: TailStore
  readonly #isCaching: boolean
  /** Readers with a running or waiting statement, by dataset and columns. */
  readonly #readers = new Map<string, Reader>()

  /** @param options.isCaching whether no other server writes, so that the store can be used */
  constructor(reader: Pick<TailReader, 'read'>, store: TailStore, { isCaching }: { isCaching: boolean }) {
    this.#reader = reader
    this.#store = store
    this.#isCaching = isCaching
  }

  /**
   * Returns whether a query requests the newest points of series as plain NCSV. A limit that drops nothing does not matter,
   * and neither does the order of a single series.
   */
  accepts(query: SeriesQuery): query is TailQuery {
    const { range, selections } = query
    if (!isPlain(query) || range?.kind !== 'LAST' || range.unit !== 'VALUES') return false
    if (range.anchor !== undefined || !Number.isSafeInteger(range.amount)) return false
    if (range.amount < 1 || range.amount > mostTailRows) return false
    if (!selections.every(isStored)) return false
    const seriesCount = selections.reduce((sum, { series }) => sum + (series as SeriesLabel[]).length, 0)
    const isOne = seriesCount === 1
    return (
      (isOne || (seriesCount > 1 && this.#isCaching && query.sortBy !== 'time')) &&
      range.amount * seriesCount * unionColumns(query).length <= maxBufferedValues &&
      (query.limit === undefined || query.limit >= range.amount * seriesCount)
    )
  }

  /**
   * Returns the result of an accepted query; undefined if it needs older points, or points changed during the read.
   * @throws SeriesEngineError `invalid` for an invalid query
   */
  async run(query: TailQuery, signal?: AbortSignal): Promise<QueryResult | undefined> {
    checkQuery(query)
    const requested = await this.#findTails(query)
    signal?.throwIfAborted()
    if (requested === undefined) return undefined
    const columns = unionColumns(query)
    const order = query.order ?? 'asc'
    const text = new TailText()
    text.addText(formatHeaderLine(query, columns))
    for (const { selection, label, tail } of requested) {
      const own = columns.map(({ name, type }) =>
        selection.columns.find((column) => column.name === name && column.type === type),
      )
      const rows = newestRows(tail, own, { amount: query.range.amount, order })
      const keys = query.symbolKeys.map((_, index) => `${formatCsvCell(label.symbols[index] ?? '')},`)
      const metadata = (query.metadataColumns ?? []).map(
        (_, index) => `,${formatCsvCell(label.metadata?.[index] ?? '')}`,
      )
      if (rows === undefined || !text.addRows(rows, keys.join(''), metadata.join(''))) return undefined
    }
    return bufferedResult({ contentType: 'text/csv; charset=utf-8', bytes: text.toBuffer() })
  }

  /**
   * Returns the tails of all series in the order of the result, from one consistent state; undefined if there was no such
   * state.
   */
  async #findTails(query: TailQuery): Promise<RequestedTail[] | undefined> {
    const requested = query.selections.flatMap((selection) =>
      inOrder(selection.series).map((label) => {
        const tail = this.#store.find(selection.dataset, label.sid)
        return { selection, label, tail }
      }),
    )
    if (requested.every(isMatch)) return requested
    const states = () => query.selections.map(({ dataset }) => this.#store.stateOf(dataset))
    const before = states()
    if (requested.length > 1 && before.includes(undefined)) return undefined
    const tails = await Promise.all(
      requested.map(async ({ selection, label, tail }) => ({
        selection,
        label,
        tail: tail ?? (await this.#readTail(this.#readerOf(selection), label.sid)),
      })),
    )
    const isConsistent = requested.length === 1 || states().every((state, index) => state === before[index])
    return isConsistent ? tails : undefined
  }

  #readTail(reader: Reader, sid: number): Promise<SeriesTail> {
    const state = this.#store.stateOf(reader.dataset)
    // A statement that started before the last change serves only earlier requests. During a change, it is unknown which
    // requests are earlier.
    if (state === undefined || reader.state !== state) reader.reading.clear()
    reader.state = state
    // If other servers write too, only a statement that starts after the request sees all earlier changes.
    const running =
      (this.#isCaching ? reader.reading.get(sid) : undefined) ?? reader.waiting.get(sid)?.promise
    if (running !== undefined) return running
    const tail = Promise.withResolvers<SeriesTail>()
    reader.waiting.set(sid, tail)
    this.#next(reader)
    return tail.promise
  }

  #readerOf({ dataset, columns }: Selection): Reader {
    const requested = columns.map(({ id, type }) => ({ id, type }))
    const key = JSON.stringify([dataset, requested])
    let reader = this.#readers.get(key)
    if (reader === undefined) {
      reader = { key, dataset, requested, waiting: new Map(), reading: new Map(), reads: 0, state: undefined }
      this.#readers.set(key, reader)
    }
    return reader
  }

  #next(reader: Reader): void {
    while (reader.reads < maxReads && reader.waiting.size > 0) {
      const requested = new Map([...reader.waiting].slice(0, seriesPerRead))
      for (const [sid, { promise }] of requested) {
        reader.waiting.delete(sid)
        reader.reading.set(sid, promise)
      }
      reader.reads++
      void this.#readTails(reader, requested).finally(() => {
        reader.reads--
        this.#next(reader)
      })
    }
    if (reader.reads === 0) this.#readers.delete(reader.key)
  }

  async #readTails(
    { dataset, requested: columns, reading }: Reader,
    requested: ReadonlyMap<number, PromiseWithResolvers<SeriesTail>>,
  ): Promise<void> {
    const state = this.#store.stateOf(dataset)
    try {
      const how = { requested: columns, isCached: this.#isCaching }
      const { tails, hasAllColumns } = await this.#reader.read(dataset, [...requested.keys()], how)
      if (hasAllColumns) this.#store.cacheRead(dataset, state, tails)
      for (const [sid, { resolve }] of requested) resolve(tails.get(sid)!)
    } catch (error) {
      for (const { reject } of requested.values()) reject(error)
    } finally {
      for (const [sid, { promise }] of requested) if (reading.get(sid) === promise) reading.delete(sid)
    }
  }
}

function isMatch(
  requested: Omit<RequestedTail, 'tail'> & { tail: SeriesTail | undefined },
): requested is RequestedTail {
  return requested.tail !== undefined
}

interface RequestedTail {
  selection: TailQuery['selections'][number]
  label: SeriesLabel
  tail: SeriesTail
}

/** Returns each series once, by number. */
function inOrder(series: readonly SeriesLabel[]): SeriesLabel[] {
  const labels = new Map<number, SeriesLabel>()
  for (const label of series)
    if (!labels.has(positiveInteger(label.sid, 'series'))) labels.set(label.sid, label)
  return [...labels.values()].toSorted((a, b) => a.sid - b.sid)
}

function isStored({ series, fill, shift, formula, limits, columns }: Selection): boolean {
  return (
    Array.isArray(series) &&
    fill === undefined &&
    shift === undefined &&
    formula === undefined &&
    limits === undefined &&
    columns.length > 0 &&
    columns.every(({ type }) => type !== 'string')
  )
}

function isPlain(query: SeriesQuery): boolean {
  return (
    (query.format ?? 'NCSV') === 'NCSV' &&
    (query.timeZone ?? 'UTC') === 'UTC' &&
    (query.corrections ?? 'false') === 'false' &&
    (query.layout ?? 'rows') === 'rows' &&
    (query.filters ?? []).length === 0 &&
    !hasClock(query) &&
    !query.offset &&
    !query.delta &&
    !query.skipEmptyColumns &&
    query.dateFormat === undefined &&
    query.decimalPrecision === undefined &&
    query.asOf === undefined &&
    query.versionTexts === undefined &&
    query.drawPoints === undefined &&
    query.window === undefined &&
    !query.countRows &&
    query.resample === undefined &&
    query.aggregate === undefined
  )
}
