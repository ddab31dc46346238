import { RecentEntries } from './recent-entries.ts'
import { addToTail, tailBytes, type SeriesTail } from './series-tail.ts'

/**
 * Maximum number of uploads that wait to be merged into a tail. A tail that is not read during this many uploads is dropped.
 */
const mostUploads = 32

/** Series of one dataset: all of them, or a range of numbers. */
export type SeriesSpan = 'all' | { firstSid: number; lastSid: number }

/** An upload that becomes visible. */
export interface PublishedUpload {
  /** The newest rows of its series. */
  tails: ReadonlyMap<number, SeriesTail>
  /** State before the upload: the newest version and the last series. */
  before: { version: number; lastSid: number }
}

interface Entry {
  dataset: number
  sid: number
  tail: SeriesTail
  /** Later uploads, the oldest first. They are merged when the tail is requested, because most tails never are. */
  uploads: readonly SeriesTail[]
}

const noUploads: readonly SeriesTail[] = []

interface DatasetState {
  /** Number of finished and running changes. */
  changes: number
  running: number
  /** The newest version published through this store, and the last series that got points. */
  version: number
  lastSid: number
}

/**
 * Caches the newest rows of series. The rows come from reads of the engine, and from uploads: an upload has all rows of a
 * new series, and is merged into the tails of existing series. The least recently used tails are evicted. Entries stay valid
 * because every change of points goes through `change` or `publish`, and an engine has only one store.
 */
export class TailStore {
  readonly #entries: RecentEntries<Entry>
  readonly #states = new Map<number, DatasetState>()

  /** @param maxBytes maximum size of all tails together */
  constructor(maxBytes: number) {
    this.#entries = new RecentEntries(maxBytes)
  }

  /**
   * Returns a number that differs after each change of a dataset; undefined during a change. Reads between two calls
   * with the same number are consistent.
   */
  stateOf(dataset: number): number | undefined {
    const { changes, running } = this.#openState(dataset)
    return running > 0 ? undefined : changes
  }

  /** Returns the current tail of a series; undefined if it is not cached. */
  find(dataset: number, sid: number): SeriesTail | undefined {
    const entry = this.#entries.use(keyOf(dataset, sid))
    if (entry === undefined || entry.uploads.length === 0) return entry?.tail
    const tail = entry.uploads.reduce(addToTail, entry.tail)
    this.#store(dataset, sid, tail)
    return tail
  }

  /**
   * Caches tails that were read since `stateOf` returned this state, unless the dataset has changed in the meantime.
   */
  cacheRead(dataset: number, state: number | undefined, tails: ReadonlyMap<number, SeriesTail>): void {
    if (state === undefined || this.stateOf(dataset) !== state) return
    for (const [sid, tail] of tails) this.#store(dataset, sid, tail)
  }

  /** Runs a change that removes points. Drops the tails of the dataset. */
  async change(dataset: number, work: () => Promise<void>): Promise<void> {
    this.#begin(dataset)
    try {
      await work()
    } finally {
      this.#end(dataset)
      this.#forget(dataset, 'all')
    }
  }

  /**
   * Publishes an upload, and then merges its rows into the tails of its series.
   * @param upload undefined if its rows are unknown: drops the tails of its series
   */
  async publish(
    { dataset, version, span }: { dataset: number; version: number; span: SeriesSpan },
    upload: PublishedUpload | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    this.#begin(dataset)
    let isPublished = false
    try {
      await work()
      isPublished = true
    } finally {
      const state = this.#end(dataset)
      const before = { version: state.version, lastSid: state.lastSid }
      state.version = Math.max(before.version, version)
      state.lastSid = Math.max(before.lastSid, span === 'all' ? Infinity : span.lastSid)
      // Rows of an older upload would hide those of a newer one.
      if (isPublished && upload !== undefined && version > Math.max(before.version, upload.before.version))
        this.#add(dataset, upload.tails, Math.max(before.lastSid, upload.before.lastSid))
      else this.#forget(dataset, span)
    }
  }

  #add(dataset: number, tails: ReadonlyMap<number, SeriesTail>, lastSid: number): void {
    for (const [sid, tail] of tails) {
      const key = keyOf(dataset, sid)
      const entry = this.#entries.peek(key)
      if (entry === undefined) {
        // A tail that no query has requested must not evict others.
        if (sid > lastSid && this.#entries.fits(tailBytes(tail))) this.#store(dataset, sid, tail)
      } else if (entry.uploads.length === mostUploads) this.#entries.drop(key)
      else {
        const grown = { ...entry, uploads: [...entry.uploads, tail] }
        this.#entries.replace(key, grown, bytesOf(grown))
      }
    }
  }

  #store(dataset: number, sid: number, tail: SeriesTail): void {
    const entry = { dataset, sid, tail, uploads: noUploads }
    this.#entries.set(keyOf(dataset, sid), entry, bytesOf(entry))
  }

  #forget(dataset: number, span: SeriesSpan): void {
    if (span !== 'all' && span.lastSid - span.firstSid < this.#entries.size) {
      for (let sid = span.firstSid; sid <= span.lastSid; sid++) this.#entries.drop(keyOf(dataset, sid))
      return
    }
    this.#entries.forget(
      (entry) =>
        entry.dataset === dataset &&
        (span === 'all' || (entry.sid >= span.firstSid && entry.sid <= span.lastSid)),
    )
  }

  #begin(dataset: number): void {
    this.#openState(dataset).running++
  }

  #end(dataset: number): DatasetState {
    const state = this.#openState(dataset)
    state.changes++
    state.running--
    return state
  }

  #openState(dataset: number): DatasetState {
    let state = this.#states.get(dataset)
    if (state === undefined) {
      state = { changes: 0, running: 0, version: 0, lastSid: 0 }
      this.#states.set(dataset, state)
    }
    return state
  }
}

function keyOf(dataset: number, sid: number): string {
  return `${dataset} ${sid}`
}

function bytesOf({ tail, uploads }: Entry): number {
  return uploads.reduce((sum, upload) => sum + tailBytes(upload), tailBytes(tail))
}
