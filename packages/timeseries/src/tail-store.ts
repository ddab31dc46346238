import { RecentEntries } from './recent-entries.ts'
import { addToTail, tailBytes, type SeriesTail } from './series-tail.ts'

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

const noUploads: readonly SeriesTail[] = []

interface DatasetState {
  /** Changes that have ended, and those that go on. */
  changes: number
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

  /**
   * A number that no change of a dataset leaves as it is; undefined while one goes on. What was read between two calls with the same
   * number is of one moment.
   */
  stateOf(dataset: number): number | undefined {
    const { changes, running } = this.#openState(dataset)
    return running > 0 ? undefined : changes
  }

  /** The tail of a series as it is now; undefined if it is not kept. */
  find(dataset: number, sid: number): SeriesTail | undefined {
    const entry = this.#entries.use(keyOf(dataset, sid))
    if (entry === undefined || entry.uploads.length === 0) return entry?.tail
    const tail = entry.uploads.reduce(addToTail, entry.tail)
    this.#keep(dataset, sid, tail)
    return tail
  }

  /** Keeps tails that were read since `stateOf` gave this state, unless the dataset has changed meanwhile. */
  keepRead(dataset: number, state: number | undefined, tails: ReadonlyMap<number, SeriesTail>): void {
    if (state === undefined || this.stateOf(dataset) !== state) return
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
        // What nobody has asked for yet takes the place of nothing.
        if (sid > lastSid && this.#entries.hasRoomFor(tailBytes(tail))) this.#keep(dataset, sid, tail)
      } else if (entry.uploads.length === mostUploads) this.#entries.drop(key)
      else {
        const grown = { ...entry, uploads: [...entry.uploads, tail] }
        this.#entries.replace(key, grown, bytesOf(grown))
      }
    }
  }

  #keep(dataset: number, sid: number, tail: SeriesTail): void {
    const entry = { dataset, sid, tail, uploads: noUploads }
    this.#entries.keep(keyOf(dataset, sid), entry, bytesOf(entry))
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
