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

  /** Puts an entry in the place of another one, which does not count as use of it. */
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
