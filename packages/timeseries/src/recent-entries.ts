/** A cache with a limit in bytes. It evicts the least recently used entries. */
export class RecentEntries<Entry> {
  /** Entries in order of use, the most recent last. */
  readonly #entries = new Map<string, { entry: Entry; bytes: number }>()
  readonly #maxBytes: number
  #bytes = 0

  /** @param maxBytes maximum size of all entries together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#entries.size
  }

  /** Returns whether an entry of this size fits without evicting another one. */
  fits(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes
  }

  /** Returns the entry of a key and marks it as used; undefined if there is none. */
  use(key: string): Entry | undefined {
    const record = this.#entries.get(key)
    if (record === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, record)
    return record.entry
  }

  /** Returns the entry of a key without marking it as used; undefined if there is none. */
  peek(key: string): Entry | undefined {
    return this.#entries.get(key)?.entry
  }

  /**
   * Stores an entry as the most recently used.
   * @param bytes size of the entry, including its key
   */
  set(key: string, entry: Entry, bytes: number): void {
    this.drop(key)
    this.replace(key, entry, bytes)
  }

  /**
   * Replaces the entry of a key without changing its order of use; adds it as the most recently used if there is none.
   */
  replace(key: string, entry: Entry, bytes: number): void {
    this.#bytes += bytes - (this.#entries.get(key)?.bytes ?? 0)
    this.#entries.set(key, { entry, bytes })
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.drop(oldest)
    }
  }

  /** Removes the entries that match. */
  forget(isMeant: (entry: Entry) => boolean): void {
    for (const [key, { entry }] of this.#entries) if (isMeant(entry)) this.drop(key)
  }

  drop(key: string): void {
    const record = this.#entries.get(key)
    if (record === undefined) return
    this.#entries.delete(key)
    this.#bytes -= record.bytes
  }
}
