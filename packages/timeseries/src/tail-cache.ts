import { positiveInteger } from './dataset-tables.ts'
import { RecentEntries } from './recent-entries.ts'
import { formatCell } from './sql-text.ts'
import type { QueryAnswer, Selection, SeriesLabel, SeriesQuery } from './series-engine.ts'
import type { Tails } from './tail-reader.ts'
import { wholeAnswer } from './whole-answer.ts'

/** Bytes of rows that are kept at most. */
const maxBytes = 32 * 1024 * 1024
/** Series of a statement, which answers so many questions. */
const maxSeries = 64
const maxAmount = 1000
/** Statements of one shape at a time; what is asked meanwhile goes into the next one. */
const maxReads = 2

/** Series of one dataset: all of them, or those from one number to another. */
export type SeriesSpan = 'all' | { firstSid: number; lastSid: number }

/** A question that {@link TailCache} answers. */
export type TailQuery = SeriesQuery & {
  selections: readonly [Selection & { series: readonly [SeriesLabel] }]
  range: { kind: 'LAST'; unit: 'VALUES'; amount: number }
}

/** The newest points of one series. */
interface Tail {
  dataset: number
  sid: number
  /** First line of the answer without the symbol keys. */
  header: string
  /** Lines of NCSV without the symbol and the metadata, each with its line break. */
  lines: string
}

/** Questions that differ in nothing but their series. */
interface Shape {
  key: string
  /** One of them; its series are of no meaning. */
  query: TailQuery
  /** For the next statement. */
  waiting: Map<number, PromiseWithResolvers<Tail>>
  /** In a statement that runs, begun after the last change. */
  reading: Map<number, Promise<Tail>>
  reads: number
}

/**
 * The newest points of series that were asked for of late, as text. Questions of the same shape that come while a
 * statement runs are answered together by the next one, which costs little more than one of them.
 *
 * What is kept is true as long as every change of points goes through `change`. Where others may write as well nothing
 * is kept, and questions are only brought together.
 */
export class TailCache {
  readonly #read: (query: TailQuery, sids: readonly number[]) => Promise<Tails>
  readonly #keeps: boolean
  /** Those with a statement that runs or waits. */
  readonly #shapes = new Map<string, Shape>()
  /** By shape and series. */
  readonly #tails = new RecentEntries<Tail>(maxBytes)
  /** How often points of a dataset have changed. */
  readonly #changes = new Map<number, number>()

  /** @param read answers a question without this cache, for other series than its own. */
  constructor(
    read: (query: TailQuery, sids: readonly number[]) => Promise<Tails>,
    { keeps }: { keeps: boolean },
  ) {
    this.#read = read
    this.#keeps = keeps
  }

  /**
   * Whether a question is one for the newest points of one series, in plain text that can be cut into lines. Several series
   * might be answered as they were at different moments. A limit that takes nothing away does not matter, nor does what
   * rows of several series are sorted by.
   */
  accepts(query: SeriesQuery): query is TailQuery {
    const { range, selections } = query
    const [selection] = selections
    return (
      selections.length === 1 &&
      isPlain(query) &&
      range?.kind === 'LAST' &&
      range.unit === 'VALUES' &&
      range.anchor === undefined &&
      Number.isSafeInteger(range.amount) &&
      range.amount >= 1 &&
      range.amount <= maxAmount &&
      (query.limit === undefined || query.limit >= range.amount) &&
      selection !== undefined &&
      Array.isArray(selection.series) &&
      selection.series.length === 1 &&
      selection.fill === undefined &&
      selection.shift === undefined &&
      selection.formula === undefined &&
      selection.columns.every(({ name, type }) => type !== 'string' && isOneLine(name))
    )
  }

  /** The answer to a question that is accepted. */
  async answer(query: TailQuery, signal?: AbortSignal): Promise<QueryAnswer> {
    const shape = this.#shapeOf(query)
    const [label] = query.selections[0].series
    const { header, lines } = await this.#tailOf(shape, positiveInteger(label.sid, 'series'))
    signal?.throwIfAborted()
    const keys = query.symbolKeys.map((key) => `${formatCell(key)},`).join('')
    const bytes = Buffer.from(`${keys}${header}\n${labelled(lines, label, query)}`)
    return wholeAnswer('text/csv; charset=utf-8', bytes)
  }

  /** Runs a change of points. What was read of these series before its end is forgotten. */
  async change<T>(dataset: number, span: SeriesSpan, work: () => Promise<T>): Promise<T> {
    this.#forget(dataset, span)
    try {
      return await work()
    } finally {
      this.#forget(dataset, span)
    }
  }

  #shapeOf(query: TailQuery): Shape {
    const [{ dataset, columns }] = query.selections
    const key = JSON.stringify([
      dataset,
      columns.map(({ id, type, name }) => [id, type, name]),
      query.metadataColumns,
      query.range.amount,
      query.order ?? 'asc',
      query.timeZone,
      query.dateFormat,
      query.decimalPrecision,
      query.roundingMode,
    ])
    return this.#shapes.get(key) ?? { key, query, waiting: new Map(), reading: new Map(), reads: 0 }
  }

  async #tailOf(shape: Shape, sid: number): Promise<Tail> {
    const key = `${sid} ${shape.key}`
    const kept = this.#tails.use(key)
    if (kept !== undefined) return kept
    // Where others write, what came before the question is known only of a statement that begins after it.
    const running = (this.#keeps ? shape.reading.get(sid) : undefined) ?? shape.waiting.get(sid)?.promise
    if (running !== undefined) return running
    const tail = Promise.withResolvers<Tail>()
    shape.waiting.set(sid, tail)
    this.#shapes.set(shape.key, shape)
    this.#next(shape)
    return tail.promise
  }

  #next(shape: Shape): void {
    while (shape.reads < maxReads && shape.waiting.size > 0) {
      const asked = new Map([...shape.waiting].slice(0, maxSeries))
      for (const [sid, { promise }] of asked) {
        shape.waiting.delete(sid)
        shape.reading.set(sid, promise)
      }
      shape.reads++
      void this.#readTails(shape, asked).finally(() => {
        shape.reads--
        this.#next(shape)
      })
    }
    if (shape.reads === 0 && this.#shapes.get(shape.key) === shape) this.#shapes.delete(shape.key)
  }

  async #readTails(shape: Shape, asked: ReadonlyMap<number, PromiseWithResolvers<Tail>>): Promise<void> {
    const [{ dataset }] = shape.query.selections
    const changes = this.#changes.get(dataset)
    try {
      const { header, linesBySid } = await this.#read(shape.query, [...asked.keys()])
      for (const [sid, { resolve }] of asked) {
        const tail = { dataset, sid, header, lines: linesBySid.get(sid) ?? '' }
        if (this.#keeps && this.#changes.get(dataset) === changes) this.#keep(`${sid} ${shape.key}`, tail)
        resolve(tail)
      }
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    } finally {
      for (const [sid, { promise }] of asked)
        if (shape.reading.get(sid) === promise) shape.reading.delete(sid)
    }
  }

  #keep(key: string, tail: Tail): void {
    this.#tails.keep(key, tail, key.length + tail.lines.length)
  }

  #forget(dataset: number, span: SeriesSpan): void {
    this.#changes.set(dataset, (this.#changes.get(dataset) ?? 0) + 1)
    this.#tails.forget(
      (tail) =>
        tail.dataset === dataset &&
        (span === 'all' || (tail.sid >= span.firstSid && tail.sid <= span.lastSid)),
    )
    // A question that comes from now on is not answered by a statement that began before.
    for (const { query, reading } of this.#shapes.values())
      if (query.selections[0].dataset === dataset) reading.clear()
  }
}

function isPlain(query: SeriesQuery): boolean {
  return (
    (query.format ?? 'NCSV') === 'NCSV' &&
    (query.corrections ?? 'false') === 'false' &&
    (query.layout ?? 'rows') === 'rows' &&
    (query.filters ?? []).length === 0 &&
    !query.offset &&
    !query.delta &&
    !query.skipEmptyColumns &&
    query.asOf === undefined &&
    query.versionTexts === undefined &&
    query.drawPoints === undefined &&
    query.resample === undefined &&
    isOneLine(query.dateFormat ?? '') &&
    (query.metadataColumns ?? []).every(({ name }) => isOneLine(name))
  )
}

function isOneLine(text: string): boolean {
  return !/[\r\n]/.test(text)
}

function labelled(lines: string, { symbols, metadata }: SeriesLabel, query: TailQuery): string {
  if (lines === '') return ''
  const before = query.symbolKeys.map((_, index) => `${formatCell(symbols[index] ?? '')},`).join('')
  const after = (query.metadataColumns ?? []).map((_, index) => `,${formatCell(metadata?.[index] ?? '')}`)
  const between = `${after.join('')}\n${before}`
  return before + lines.slice(0, -1).replaceAll('\n', () => between) + after.join('') + '\n'
}
