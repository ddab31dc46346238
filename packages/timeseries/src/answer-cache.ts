import { RecentEntries } from './recent-entries.ts'
import type { SeriesLabel, SeriesQuery, QueryAnswer, Selection } from './series-engine.ts'
import type { SeriesSpan } from './tail-store.ts'
import { mostHeldValues, wholeAnswer } from './whole-answer.ts'

/** Bytes of answers that are kept at most. */
const maxBytes = 32 * 1024 * 1024
const maxAnswerBytes = 2 * 1024 * 1024
const maxSeries = 100
/** Letters of the symbols and metadata of a series, which stand on each of its rows, and of the name of a column. */
const maxLabelLength = 200
/** What an answer takes besides its bytes and its key. */
const overheadBytes = 1024

/** A question that {@link AnswerCache} answers. */
export type SmallQuery = Omit<SeriesQuery, 'selections'> & {
  selections: readonly (Omit<Selection, 'series'> & { series: readonly SeriesLabel[] })[]
}

interface Answer {
  contentType: string
  bytes: Uint8Array
  overflows?: number
  totalRows?: number
}

interface Kept extends Answer {
  series: readonly AskedSeries[]
}

/** Series of one dataset that an answer is about. */
interface AskedSeries {
  dataset: number
  sids: readonly number[]
}

/** A statement that runs. */
interface Reading {
  series: readonly AskedSeries[]
  answer: Promise<Answer>
  /** Stops it, once nobody waits for it any more. */
  stop: AbortController
  waiting: number
}

/**
 * Answers to small questions over many points, such as those of tiles: whoever opens an insight asks what others have just asked. The
 * same question asked twice at once is answered by one statement.
 *
 * What is kept is true as long as every change of points goes through `change`; where others may write as well nothing is accepted.
 */
export class AnswerCache {
  readonly #read: (query: SmallQuery, signal: AbortSignal) => Promise<QueryAnswer>
  readonly #keeps: boolean
  /** By question. */
  readonly #answers = new RecentEntries<Kept>(maxBytes)
  /** Being read, by question, begun after the last change of their datasets. */
  readonly #reading = new Map<string, Reading>()

  /** @param read answers a question without this cache. */
  constructor(
    read: (query: SmallQuery, signal: AbortSignal) => Promise<QueryAnswer>,
    { keeps }: { keeps: boolean },
  ) {
    this.#read = read
    this.#keeps = keeps
  }

  /**
   * Whether a question is one for few numbers of few stored series whose meaning does not depend on the moment. Formulas are not, as
   * they compute with points of other series; later pages are not, as nobody asks for them again.
   */
  accepts(query: SeriesQuery): query is SmallQuery {
    const { selections, range } = query
    return (
      this.#keeps &&
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

  /** The answer to a question that is accepted. */
  async answer(query: SmallQuery, signal?: AbortSignal): Promise<QueryAnswer> {
    const { contentType, bytes, overflows, totalRows } = await this.#answerOf(query, signal)
    return wholeAnswer({
      contentType,
      bytes,
      ...(overflows === undefined ? {} : { overflows }),
      ...(totalRows === undefined ? {} : { totalRows }),
    })
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

  async #answerOf(query: SmallQuery, signal: AbortSignal | undefined): Promise<Answer> {
    signal?.throwIfAborted()
    const key = JSON.stringify(query)
    const kept = this.#answers.use(key)
    if (kept !== undefined) return kept
    const reading = this.#reading.get(key) ?? this.#begin(key, query)
    reading.waiting++
    const left = Promise.withResolvers<never>()
    const leave = () => {
      if (--reading.waiting === 0) this.#stop(key, reading)
      left.reject(signal!.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([reading.answer, left.promise])
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
    const reading: Reading = { series, stop, waiting: 0, answer: this.#readWhole(query, stop.signal) }
    this.#reading.set(key, reading)
    reading.answer
      .then((answer) => {
        if (this.#reading.get(key) === reading) this.#keep(key, { ...answer, series })
      })
      .catch(() => undefined)
      .finally(() => this.#stop(key, reading))
    return reading
  }

  /** Nobody joins it any more. */
  #stop(key: string, reading: Reading): void {
    if (this.#reading.get(key) === reading) this.#reading.delete(key)
    reading.stop.abort()
  }

  async #readWhole(query: SmallQuery, signal: AbortSignal): Promise<Answer> {
    const { contentType, stream, overflows, totalRows, recycle } = await this.#read(query, signal)
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) {
      chunks.push(new Uint8Array(chunk))
      recycle?.(chunk)
    }
    // Bytes of their own: small ones of `Buffer.concat` would keep a larger pool alive.
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

  #keep(key: string, answer: Kept): void {
    const { byteLength } = answer.bytes
    if (byteLength <= maxAnswerBytes) this.#answers.keep(key, answer, overheadBytes + key.length + byteLength)
  }

  #forget(dataset: number, span: SeriesSpan): void {
    this.#answers.forget(({ series }) => isAbout(series, dataset, span))
    // A question that comes from now on is not answered by a statement that began before, and what that one reads is not kept.
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
  return Math.min(limit * cellsOfRow, drawPoints * seriesCount * columnCount) <= mostHeldValues
}

function labelLength({ symbols, metadata = [] }: SeriesLabel): number {
  return [...symbols, ...metadata].reduce((sum, text) => sum + text.length, 0)
}

function isAbout(asked: readonly AskedSeries[], dataset: number, span: SeriesSpan): boolean {
  return asked.some(
    (series) =>
      series.dataset === dataset &&
      (span === 'all' || series.sids.some((sid) => sid >= span.firstSid && sid <= span.lastSid)),
  )
}
