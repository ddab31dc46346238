/**
 * Numbers distinct byte strings from 0 in order of first appearance. Implemented as an open-addressing hash table over
 * one pool of bytes, because creating a JavaScript string for each row of a file would take longer than all other work.
 */
export class ByteStringTable {
  #slots = new Int32Array(1024).fill(-1)
  #hashes = new Int32Array(1024)
  #offsets = new Float64Array(1025)
  #pool = Buffer.allocUnsafe(16_384)
  #count = 0

  /** Returns the number of `bytes[start..end)`; -1 if it is unknown. */
  find(bytes: Buffer, start: number, end: number): number {
    return this.#slots[this.#slotOf(hashOf(bytes, start, end), bytes, start, end)]!
  }

  /** Returns the number of `bytes[start..end)`. New bytes get the old `count` as their number. */
  add(bytes: Buffer, start: number, end: number): number {
    const hash = hashOf(bytes, start, end)
    const slot = this.#slotOf(hash, bytes, start, end)
    const entry = this.#slots[slot]!
    return entry < 0 ? this.#insert(slot, hash, bytes, start, end) : entry
  }

  get count(): number {
    return this.#count
  }

  /** Returns the slot of these bytes, or the free slot for them. */
  #slotOf(hash: number, bytes: Buffer, start: number, end: number): number {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (;;) {
      const entry = this.#slots[slot]!
      if (entry < 0 || (this.#hashes[entry] === hash && this.#equals(entry, bytes, start, end))) return slot
      slot = (slot + 1) & mask
    }
  }

  #equals(index: number, bytes: Buffer, start: number, end: number): boolean {
    const from = this.#offsets[index]!
    if (this.#offsets[index + 1]! - from !== end - start) return false
    for (let at = start, own = from; at < end; at++, own++) if (this.#pool[own] !== bytes[at]) return false
    return true
  }

  #insert(slot: number, hash: number, bytes: Buffer, start: number, end: number): number {
    const index = this.#count++
    this.#slots[slot] = index
    if (index === this.#hashes.length) this.#growEntries()
    this.#hashes[index] = hash
    const from = this.#offsets[index]!
    const to = from + end - start
    if (to > this.#pool.length) {
      const pool = Buffer.allocUnsafe(Math.max(this.#pool.length * 2, to))
      this.#pool.copy(pool, 0, 0, from)
      this.#pool = pool
    }
    bytes.copy(this.#pool, from, start, end)
    this.#offsets[index + 1] = to
    if (this.#count * 2 > this.#slots.length) this.#rehash()
    return index
  }

  #growEntries(): void {
    const hashes = new Int32Array(this.#hashes.length * 2)
    hashes.set(this.#hashes)
    this.#hashes = hashes
    const offsets = new Float64Array(hashes.length + 1)
    offsets.set(this.#offsets)
    this.#offsets = offsets
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1)
    const mask = this.#slots.length - 1
    for (let index = 0; index < this.#count; index++) {
      let slot = this.#hashes[index]! & mask
      while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask
      this.#slots[slot] = index
    }
  }
}

function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash ^ (hash >>> 15)
}
