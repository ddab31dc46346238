import type { SeriesLabel, SeriesQuery, QueryAnswer, Selection } from './series-engine.ts'
import type { SeriesSpan } from './tail-cache.ts'

/** Bytes of answers that are kept at most. */
const maxBytes = 32 * 1024 * 1024
const maxAnswerBytes = 2 * 1024 * 1024
/** Rows, or drawn points, of a question whose answer is small enough to be held. */
const maxRows = 10_000
const maxSeries = 100

/** A question that {@link AnswerCache} answers. */
export type SmallQuery = Omit<SeriesQuery, 'selections'> & {
  selections: readonly (Omit<Selection, 'series'> & { series: readonly SeriesLabel[] })[]
}

interface Answer {
  contentType: string
  bytes: Uint8Array
}

interface Kept extends Answer {
  selections: SmallQuery['selections']
}

/** A statement that runs. */
interface Reading {
  query: SmallQuery
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
  /** By question; the one that was asked last is the last. */
  readonly #answers = new Map<string, Kept>()
  /** Being read, by question, begun after the last change of their datasets. */
  readonly #reading = new Map<string, Reading>()
  #bytes = 0

  /** @param read answers a question without this cache. */
  constructor(
    read: (query: SmallQuery, signal: AbortSignal) => Promise<QueryAnswer>,
    { keeps }: { keeps: boolean },
  ) {
    this.#read = read
    this.#keeps = keeps
  }

  /**
   * Whether a question is one for few rows of few stored series whose meaning does not depend on the moment. Formulas are not, as they
   * compute with points of other series.
   */
  accepts(query: SeriesQuery): query is SmallQuery {
    const { selections, range, limit, drawPoints } = query
    return (
      this.#keeps &&
      Math.min(limit ?? Infinity, drawPoints ?? Infinity) <= maxRows &&
      (range === undefined || range.kind === 'ALL' || range.kind === 'BETWEEN' || range.unit === 'VALUES') &&
      (query.filters ?? []).length === 0 &&
      query.calendar === undefined &&
      query.versionTexts === undefined &&
      selections.every(({ formula, series }) => formula === undefined && Array.isArray(series)) &&
      selections.reduce((sum, { series }) => sum + (series as readonly SeriesLabel[]).length, 0) <= maxSeries
    )
  }

  /** The answer to a question that is accepted. */
  async answer(query: SmallQuery, signal?: AbortSignal): Promise<QueryAnswer> {
    const { contentType, bytes } = await this.#answerOf(query, signal)
    return { contentType, stream: once(bytes), bytes }
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
    const kept = this.#answers.get(key)
    if (kept !== undefined) {
      this.#answers.delete(key)
      this.#answers.set(key, kept)
      return kept
    }
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
    const reading: Reading = { query, stop, waiting: 0, answer: this.#readWhole(query, stop.signal) }
    this.#reading.set(key, reading)
    reading.answer
      .then((answer) => {
        if (this.#reading.get(key) === reading) this.#keep(key, { ...answer, selections: query.selections })
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
    const { contentType, stream, recycle } = await this.#read(query, signal)
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) {
      chunks.push(Uint8Array.from(chunk))
      recycle?.(chunk)
    }
    return { contentType, bytes: Buffer.concat(chunks) }
  }

  #keep(key: string, answer: Kept): void {
    if (answer.bytes.byteLength > maxAnswerBytes) return
    this.#answers.set(key, answer)
    this.#bytes += sizeOf(key, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= maxBytes) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const answer = this.#answers.get(key)
    if (answer === undefined) return
    this.#answers.delete(key)
    this.#bytes -= sizeOf(key, answer)
  }

  #forget(dataset: number, span: SeriesSpan): void {
    for (const [key, { selections }] of this.#answers) if (isAbout(selections, dataset, span)) this.#drop(key)
    // A question that comes from now on is not answered by a statement that began before, and what that one reads is not kept.
    for (const [key, { query }] of this.#reading)
      if (isAbout(query.selections, dataset, span)) this.#reading.delete(key)
  }
}

function sizeOf(key: string, { bytes }: Answer): number {
  return key.length + bytes.byteLength
}

function isAbout(selections: SmallQuery['selections'], dataset: number, span: SeriesSpan): boolean {
  return selections.some(
    (selection) =>
      selection.dataset === dataset &&
      (span === 'all' || selection.series.some(({ sid }) => sid >= span.firstSid && sid <= span.lastSid)),
  )
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
