/** Entries by key, of which those that were used longest ago go when all together take too many bytes. */
export class RecentEntries<Entry> {
  /** The one that was used last is the last. */
  readonly #entries = new Map<string, { entry: Entry; bytes: number }>()
  readonly #maxBytes: number
  #bytes = 0

  /** @param maxBytes what all entries may take together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#entries.size
  }

  /** Whether an entry of so many bytes can be kept without another one having to go. */
  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes
  }

  /** The entry of a key, which counts as used now; undefined when there is none. */
  use(key: string): Entry | undefined {
    const kept = this.#entries.get(key)
    if (kept === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, kept)
    return kept.entry
  }

  /** The entry of a key, which does not count as used. */
  peek(key: string): Entry | undefined {
    return this.#entries.get(key)?.entry
  }

  /** @param bytes what the entry takes, its key included */
  keep(key: string, entry: Entry, bytes: number): void {
    this.drop(key)
    this.replace(key, entry, bytes)
  }

  /** Keeps an entry in the place of the one that its key has, which does not count as use; behind all others where it has none. */
  replace(key: string, entry: Entry, bytes: number): void {
    this.#bytes += bytes - (this.#entries.get(key)?.bytes ?? 0)
    this.#entries.set(key, { entry, bytes })
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.drop(oldest)
    }
  }

  /** Forgets the entries that `isMeant` chooses. */
  forget(isMeant: (entry: Entry) => boolean): void {
    for (const [key, { entry }] of this.#entries) if (isMeant(entry)) this.drop(key)
  }

  drop(key: string): void {
    const kept = this.#entries.get(key)
    if (kept === undefined) return
    this.#entries.delete(key)
    this.#bytes -= kept.bytes
  }
}
