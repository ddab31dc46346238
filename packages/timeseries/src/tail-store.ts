import { RecentEntries } from './recent-entries.ts'
import { addToTail, type SeriesTail } from './series-tail.ts'
import { tailBytes } from './upload-tails.ts'

/** Uploads that wait to be added to a tail at most. One that nobody asked for during so many is forgotten. */
const mostUploads = 32

/** Series of one dataset: all of them, or those from one number to another. */
export type SeriesSpan = 'all' | { firstSid: number; lastSid: number }

/** An upload that comes to light. */
export interface PublishedUpload {
  /** The newest rows of its series. */
  tails: ReadonlyMap<number, SeriesTail>
  /** Of the points before it: none is of a newer version or a series beyond. */
  before: { version: number; lastSid: number }
}

interface Entry {
  dataset: number
  sid: number
  tail: SeriesTail
  /** Uploads after it, the oldest first. They are added when somebody asks: most are never asked for. */
  uploads: readonly SeriesTail[]
}

interface DatasetState {
  /** Grows with every change, at its begin and at its end. */
  changes: number
  /** Changes that go on. */
  running: number
  /** The newest version that came to light through this store, and the last series that got points. */
  version: number
  lastSid: number
}

/**
 * The newest rows of series in memory. They come from uploads, which bring those of new series whole and are added to those that are there,
 * and from what was read of the engine. Those that were asked for longest ago make room.
 *
 * What is kept is true as long as every change of points goes through `change` or `publish`, one engine's points through one store.
 */
export class TailStore {
  readonly #entries: RecentEntries<Entry>
  readonly #states = new Map<number, DatasetState>()

  /** @param maxBytes what all tails may take together */
  constructor(maxBytes: number) {
    this.#entries = new RecentEntries(maxBytes)
  }

  /** Two equal answers say that no change of a dataset has begun or ended between them. */
  changesOf(dataset: number): number {
    return this.#stateOf(dataset).changes
  }

  /** The tail of a series as it is now; undefined if it is not kept. */
  find(dataset: number, sid: number): SeriesTail | undefined {
    const entry = this.#entries.use(keyOf(dataset, sid))
    if (entry === undefined || entry.uploads.length === 0) return entry?.tail
    const tail = entry.uploads.reduce(addToTail, entry.tail)
    this.#keep(dataset, sid, tail)
    return tail
  }

  /** Keeps tails that were read when `changes` was the answer of `changesOf`, unless the dataset changes or has changed since. */
  keepRead(dataset: number, changes: number, tails: ReadonlyMap<number, SeriesTail>): void {
    const state = this.#stateOf(dataset)
    if (state.changes !== changes || state.running > 0) return
    for (const [sid, tail] of tails) this.#keep(dataset, sid, tail)
  }

  /** Runs a change that takes points away. The tails of the dataset are forgotten. */
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
   * Brings an upload to light, and its rows into the tails of its series once it is there.
   * @param upload undefined if its rows are not known: then the tails of its series are forgotten
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
        if (sid > lastSid) this.#keep(dataset, sid, tail)
      } else if (entry.uploads.length === mostUploads) this.#entries.drop(key)
      else {
        const grown = { ...entry, uploads: [...entry.uploads, tail] }
        this.#entries.replace(key, grown, bytesOf(grown))
      }
    }
  }

  #keep(dataset: number, sid: number, tail: SeriesTail): void {
    const entry = { dataset, sid, tail, uploads: [] }
    this.#entries.keep(keyOf(dataset, sid), entry, bytesOf(entry))
  }

  #forget(dataset: number, span: SeriesSpan): void {
    this.#entries.forget(
      (entry) =>
        entry.dataset === dataset &&
        (span === 'all' || (entry.sid >= span.firstSid && entry.sid <= span.lastSid)),
    )
  }

  #begin(dataset: number): void {
    const state = this.#stateOf(dataset)
    state.changes++
    state.running++
  }

  #end(dataset: number): DatasetState {
    const state = this.#stateOf(dataset)
    state.changes++
    state.running--
    return state
  }

  #stateOf(dataset: number): DatasetState {
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
