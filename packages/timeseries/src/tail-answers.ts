import { formatCsvCell } from '@headwater/csv'
import { hasClock } from './clock-sql.ts'
import { formatHeaderLine } from './answer-format.ts'
import { positiveInteger } from './dataset-tables.ts'
import { unionColumns } from './open-selections.ts'
import type { ColumnSpec, QueryAnswer, Selection, SeriesLabel, SeriesQuery } from './series-engine.ts'
import { checkQuery } from './query-check.ts'
import { mostTailRows, type SeriesTail } from './series-tail.ts'
import type { TailReader } from './tail-reader.ts'
import type { TailStore } from './tail-store.ts'
import { newestRows, TailText } from './tail-text.ts'
import { mostHeldValues, wholeAnswer } from './whole-answer.ts'

/** Series of a statement, which answers so many questions. */
const seriesPerRead = 64
/** Statements at a time for the same columns of a dataset; what is asked meanwhile goes into the next one. */
const maxReads = 2

/** A question that {@link TailAnswers} may answer. */
export type TailQuery = Omit<SeriesQuery, 'selections' | 'range'> & {
  selections: readonly (Selection & { series: readonly SeriesLabel[] })[]
  range: { kind: 'LAST'; unit: 'VALUES'; amount: number }
}

/** Series of one dataset that are read together. */
interface Reader {
  key: string
  dataset: number
  asked: readonly ColumnSpec[]
  /** For the next statement. */
  waiting: Map<number, PromiseWithResolvers<SeriesTail>>
  /** In a statement that runs, begun after the last change. */
  reading: Map<number, Promise<SeriesTail>>
  reads: number
  /** Of the dataset when somebody asked last. */
  state: number | undefined
}

/**
 * Answers questions for the newest points of series out of memory. What is not there is read by one statement for all who ask while
 * another one runs, which costs little more than one of them.
 *
 * Where others may write as well nothing is kept, and questions for one series are only brought together.
 */
export class TailAnswers {
  readonly #reader: Pick<TailReader, 'read'>
  readonly #store: TailStore
  readonly #keeps: boolean
  /** Those with a statement that runs or waits, by dataset and columns. */
  readonly #readers = new Map<string, Reader>()

  /** @param options.keeps nobody else writes; then the store says what is in memory */
  constructor(reader: Pick<TailReader, 'read'>, store: TailStore, { keeps }: { keeps: boolean }) {
    this.#reader = reader
    this.#store = store
    this.#keeps = keeps
  }

  /**
   * Whether a question is one for the newest points of series, in plain text. A limit that takes nothing away does not matter, nor
   * does how rows of one series are sorted among others.
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
      (isOne || (seriesCount > 1 && this.#keeps && query.sortBy !== 'time')) &&
      range.amount * seriesCount * unionColumns(query).length <= mostHeldValues &&
      (query.limit === undefined || query.limit >= range.amount * seriesCount)
    )
  }

  /**
   * The answer to a question that is accepted; undefined if it takes older points, or points changed while they were read.
   * @throws SeriesEngineError `invalid` for a question that breaks the contract
   */
  async answer(query: TailQuery, signal?: AbortSignal): Promise<QueryAnswer | undefined> {
    checkQuery(query)
    const asked = await this.#findTails(query)
    signal?.throwIfAborted()
    if (asked === undefined) return undefined
    const columns = unionColumns(query)
    const order = query.order ?? 'asc'
    const text = new TailText()
    text.addText(formatHeaderLine(query, columns))
    for (const { selection, label, tail } of asked) {
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
    return wholeAnswer({ contentType: 'text/csv; charset=utf-8', bytes: text.toBuffer() })
  }

  /** The tails of all series in the order of the answer, as they were at one moment; undefined if there was no such moment. */
  async #findTails(query: TailQuery): Promise<AskedTail[] | undefined> {
    const asked = query.selections.flatMap((selection) =>
      inOrder(selection.series).map((label) => {
        const tail = this.#store.find(selection.dataset, label.sid)
        return { selection, label, tail }
      }),
    )
    if (asked.every(isFound)) return asked
    const states = () => query.selections.map(({ dataset }) => this.#store.stateOf(dataset))
    const before = states()
    if (asked.length > 1 && before.includes(undefined)) return undefined
    const found = await Promise.all(
      asked.map(async ({ selection, label, tail }) => ({
        selection,
        label,
        tail: tail ?? (await this.#readTail(this.#readerOf(selection), label.sid)),
      })),
    )
    const isOfOneMoment = asked.length === 1 || states().every((state, index) => state === before[index])
    return isOfOneMoment ? found : undefined
  }

  #readTail(reader: Reader, sid: number): Promise<SeriesTail> {
    const state = this.#store.stateOf(reader.dataset)
    // A statement that began before the last change is for those who asked before it; while one runs nobody knows which that was.
    if (state === undefined || reader.state !== state) reader.reading.clear()
    reader.state = state
    // Where others write, what came before the question is known only of a statement that begins after it.
    const running = (this.#keeps ? reader.reading.get(sid) : undefined) ?? reader.waiting.get(sid)?.promise
    if (running !== undefined) return running
    const tail = Promise.withResolvers<SeriesTail>()
    reader.waiting.set(sid, tail)
    this.#next(reader)
    return tail.promise
  }

  #readerOf({ dataset, columns }: Selection): Reader {
    const asked = columns.map(({ id, type }) => ({ id, type }))
    const key = JSON.stringify([dataset, asked])
    let reader = this.#readers.get(key)
    if (reader === undefined) {
      reader = { key, dataset, asked, waiting: new Map(), reading: new Map(), reads: 0, state: undefined }
      this.#readers.set(key, reader)
    }
    return reader
  }

  #next(reader: Reader): void {
    while (reader.reads < maxReads && reader.waiting.size > 0) {
      const asked = new Map([...reader.waiting].slice(0, seriesPerRead))
      for (const [sid, { promise }] of asked) {
        reader.waiting.delete(sid)
        reader.reading.set(sid, promise)
      }
      reader.reads++
      void this.#readTails(reader, asked).finally(() => {
        reader.reads--
        this.#next(reader)
      })
    }
    if (reader.reads === 0) this.#readers.delete(reader.key)
  }

  async #readTails(
    { dataset, asked: columns, reading }: Reader,
    asked: ReadonlyMap<number, PromiseWithResolvers<SeriesTail>>,
  ): Promise<void> {
    const state = this.#store.stateOf(dataset)
    try {
      const how = { asked: columns, isKept: this.#keeps }
      const { tails, hasAllColumns } = await this.#reader.read(dataset, [...asked.keys()], how)
      if (hasAllColumns) this.#store.keepRead(dataset, state, tails)
      for (const [sid, { resolve }] of asked) resolve(tails.get(sid)!)
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    } finally {
      for (const [sid, { promise }] of asked) if (reading.get(sid) === promise) reading.delete(sid)
    }
  }
}

function isFound(asked: Omit<AskedTail, 'tail'> & { tail: SeriesTail | undefined }): asked is AskedTail {
  return asked.tail !== undefined
}

interface AskedTail {
  selection: TailQuery['selections'][number]
  label: SeriesLabel
  tail: SeriesTail
}

/** Each series once, by number. */
function inOrder(series: readonly SeriesLabel[]): SeriesLabel[] {
  const labels = new Map<number, SeriesLabel>()
  for (const label of series)
    if (!labels.has(positiveInteger(label.sid, 'series'))) labels.set(label.sid, label)
  return [...labels.values()].toSorted((a, b) => a.sid - b.sid)
}

function isStored({ series, fill, shift, formula, columns }: Selection): boolean {
  return (
    Array.isArray(series) &&
    fill === undefined &&
    shift === undefined &&
    formula === undefined &&
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
