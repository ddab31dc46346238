import { formatHeaderLine } from './answer-format.ts'
import { positiveInteger } from './dataset-tables.ts'
import { unionColumns } from './open-selections.ts'
import type { ColumnSpec, QueryAnswer, Selection, SeriesLabel, SeriesQuery } from './series-engine.ts'
import { mostTailRows, type SeriesTail } from './series-tail.ts'
import { formatCell } from './sql-text.ts'
import type { TailReader } from './tail-reader.ts'
import type { TailStore } from './tail-store.ts'
import { newestRows, TailText } from './tail-text.ts'
import { wholeAnswer } from './whole-answer.ts'

/** Series of a statement, which answers so many questions. */
const seriesPerRead = 64
/** Series of a question. */
const mostSeries = 1000
/** Statements of one dataset at a time; what is asked meanwhile goes into the next one. */
const maxReads = 2

/** A question that {@link TailAnswers} may answer. */
export type TailQuery = Omit<SeriesQuery, 'selections' | 'range'> & {
  selections: readonly (Selection & { series: readonly SeriesLabel[] })[]
  range: { kind: 'LAST'; unit: 'VALUES'; amount: number }
}

/** Series of one dataset that are read together. */
interface Reader {
  dataset: number
  asked: readonly ColumnSpec[]
  /** For the next statement. */
  waiting: Map<number, PromiseWithResolvers<SeriesTail>>
  /** In a statement that runs, begun after the last change. */
  reading: Map<number, Promise<SeriesTail>>
  reads: number
  changes: number
}

/**
 * Answers questions for the newest points of series out of memory. What is not there is read by one statement for all who ask while
 * another one runs, which costs little more than one of them.
 *
 * Where others may write as well nothing is kept, and questions for one series are only brought together.
 */
export class TailAnswers {
  readonly #reader: Pick<TailReader, 'read'>
  /** Undefined where others may write. */
  readonly #store: TailStore | undefined
  /** Those with a statement that runs or waits, by dataset and columns. */
  readonly #readers = new Map<string, Reader>()
  readonly #text = new TailText()

  constructor(reader: Pick<TailReader, 'read'>, store: TailStore | undefined) {
    this.#reader = reader
    this.#store = store
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
      seriesCount >= 1 &&
      seriesCount <= (this.#store === undefined ? 1 : mostSeries) &&
      (isOne || query.sortBy !== 'time') &&
      (query.limit === undefined || query.limit >= range.amount * seriesCount)
    )
  }

  /** The answer to a question that is accepted; undefined if it takes older points, or points changed while they were read. */
  async answer(query: TailQuery, signal?: AbortSignal): Promise<QueryAnswer | undefined> {
    const asked = await this.#findTails(query)
    signal?.throwIfAborted()
    if (asked === undefined) return undefined
    const columns = unionColumns(query)
    const order = query.order ?? 'asc'
    const text = this.#text
    text.addText(formatHeaderLine(query, columns))
    let isWritten = true
    for (const { selection, label, tail } of asked) {
      const own = columns.map(({ name, type }) =>
        selection.columns.find((column) => column.name === name && column.type === type),
      )
      const rows = newestRows(tail, own, { amount: query.range.amount, order })
      const keys = query.symbolKeys.map((_, index) => `${formatCell(label.symbols[index] ?? '')},`)
      const metadata = (query.metadataColumns ?? []).map(
        (_, index) => `,${formatCell(label.metadata?.[index] ?? '')}`,
      )
      isWritten = rows !== undefined && text.addRows(rows, keys.join(''), metadata.join(''))
      if (!isWritten) break
    }
    const bytes = text.take()
    return isWritten ? wholeAnswer('text/csv; charset=utf-8', bytes) : undefined
  }

  /** The tails of all series in the order of the answer, as they were at one moment; undefined if there was no such moment. */
  async #findTails(query: TailQuery): Promise<AskedTail[] | undefined> {
    const store = this.#store
    const asked = query.selections.flatMap((selection) =>
      inOrder(selection.series).map((label) => ({ selection, label })),
    )
    const changes = () => query.selections.map(({ dataset }) => store?.changesOf(dataset))
    const before = changes()
    const tails = await Promise.all(
      asked.map(
        async ({ selection: { dataset, columns }, label: { sid } }) =>
          store?.find(dataset, sid) ?? this.#readTail(dataset, columns, sid),
      ),
    )
    const isSame = changes().every((now, index) => now === before[index])
    if (asked.length > 1 && !isSame) return undefined
    return asked.map((series, index) => ({ ...series, tail: tails[index]! }))
  }

  #readTail(dataset: number, columns: readonly ColumnSpec[], sid: number): Promise<SeriesTail> {
    const reader = this.#readerOf(dataset, columns)
    const changes = this.#store?.changesOf(dataset) ?? 0
    // A statement that began before the last change is for those who asked before it.
    if (reader.changes !== changes) reader.reading.clear()
    reader.changes = changes
    // Where others write, what came before the question is known only of a statement that begins after it.
    const running = (this.#store && reader.reading.get(sid)) ?? reader.waiting.get(sid)?.promise
    if (running !== undefined) return running
    const tail = Promise.withResolvers<SeriesTail>()
    reader.waiting.set(sid, tail)
    this.#next(reader)
    return tail.promise
  }

  #readerOf(dataset: number, columns: readonly ColumnSpec[]): Reader {
    const asked = columns.map(({ id, type }) => ({ id, type }))
    const key = JSON.stringify([dataset, asked])
    let reader = this.#readers.get(key)
    if (reader === undefined) {
      reader = { dataset, asked, waiting: new Map(), reading: new Map(), reads: 0, changes: 0 }
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
    if (reader.reads > 0) return
    for (const [key, other] of this.#readers) if (other === reader) this.#readers.delete(key)
  }

  async #readTails(
    { dataset, asked: columns, reading }: Reader,
    asked: ReadonlyMap<number, PromiseWithResolvers<SeriesTail>>,
  ): Promise<void> {
    const changes = this.#store?.changesOf(dataset) ?? 0
    try {
      const { tails, hasAllColumns } = await this.#reader.read(dataset, columns, [...asked.keys()])
      if (hasAllColumns) this.#store?.keepRead(dataset, changes, tails)
      for (const [sid, { resolve }] of asked) resolve(tails.get(sid)!)
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    } finally {
      for (const [sid, { promise }] of asked) if (reading.get(sid) === promise) reading.delete(sid)
    }
  }
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
    !query.offset &&
    !query.delta &&
    !query.skipEmptyColumns &&
    query.dateFormat === undefined &&
    query.decimalPrecision === undefined &&
    query.asOf === undefined &&
    query.versionTexts === undefined &&
    query.drawPoints === undefined &&
    query.resample === undefined
  )
}
