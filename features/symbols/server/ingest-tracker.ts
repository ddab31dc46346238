import type { NcsvBatch } from '@headwater/ncsv'

/** What one file says about one symbol. */
export interface SymbolFacts {
  sid: number
  /** UTC milliseconds of its first and last row with a value; undefined without one. */
  first: number | undefined
  last: number | undefined
  /** Positions of the value columns in which the file has a value of it. */
  columns: number[]
}

/**
 * Gathers, while a file passes by, which symbols it names, from when to when they have values and in which columns. The cost
 * is some bytes for each symbol and none for each row.
 */
export class IngestTracker {
  readonly #columnCount: number
  readonly #wordsPerSymbol: number
  #sids = new Uint32Array(1024)
  #first = new Float64Array(1024)
  #last = new Float64Array(1024)
  #columns: Uint32Array
  #count = 0
  /** Symbols with rows that have no value at all; such a row deletes a stored point. */
  readonly #emptied = new Set<number>()

  constructor(columnCount: number) {
    this.#columnCount = columnCount
    this.#wordsPerSymbol = Math.max(1, Math.ceil(columnCount / 32))
    this.#columns = new Uint32Array(1024 * this.#wordsPerSymbol)
  }

  /** Number of symbols named so far. */
  get symbolCount(): number {
    return this.#count
  }

  /** Ids of the symbols with a row without any value. */
  get emptiedSids(): number[] {
    return [...this.#emptied].map((symbol) => this.#sids[symbol]!)
  }

  /** Tells the ids of the next symbols in the order in which the file names them. */
  addSymbols(sids: readonly number[]): void {
    this.#reserve(this.#count + sids.length)
    this.#sids.set(sids, this.#count)
    this.#first.fill(Infinity, this.#count, this.#count + sids.length)
    this.#last.fill(-Infinity, this.#count, this.#count + sids.length)
    this.#count += sids.length
  }

  /** The id of a symbol by its number in the file. */
  sidOf(symbol: number): number {
    return this.#sids[symbol]!
  }

  /** Takes a batch with timestamps into account and answers with the id of the symbol of each row. */
  addRows({ rowCount, symbols, timestamps, values }: NcsvBatch): Uint32Array {
    const sids = new Uint32Array(rowCount)
    const hasValue = new Uint8Array(rowCount)
    for (let column = 0; column < this.#columnCount; column++) {
      const cells = values[column]!
      const word = column >>> 5
      const bit = 1 << (column & 31)
      const isNumber = cells instanceof Float64Array
      for (let row = 0; row < rowCount; row++) {
        const cell = cells[row]!
        if (isNumber ? Number.isNaN(cell) : cell === null) continue
        hasValue[row] = 1
        const at = symbols[row]! * this.#wordsPerSymbol + word
        this.#columns[at] = this.#columns[at]! | bit
      }
    }
    for (let row = 0; row < rowCount; row++) {
      const symbol = symbols[row]!
      sids[row] = this.#sids[symbol]!
      if (hasValue[row] === 0) {
        this.#emptied.add(symbol)
        continue
      }
      const timestamp = timestamps[row]!
      if (timestamp < this.#first[symbol]!) this.#first[symbol] = timestamp
      if (timestamp > this.#last[symbol]!) this.#last[symbol] = timestamp
    }
    return sids
  }

  /** All facts, in pieces of at most `size` symbols. */
  *facts(size: number): Generator<SymbolFacts[]> {
    for (let start = 0; start < this.#count; start += size) {
      const end = Math.min(this.#count, start + size)
      yield Array.from({ length: end - start }, (_, index) => this.#factsOf(start + index))
    }
  }

  #factsOf(symbol: number): SymbolFacts {
    const hasRows = this.#first[symbol] !== Infinity
    const columns: number[] = []
    for (let column = 0; column < this.#columnCount; column++) {
      const word = this.#columns[symbol * this.#wordsPerSymbol + (column >>> 5)]!
      if ((word & (1 << (column & 31))) !== 0) columns.push(column)
    }
    return {
      sid: this.#sids[symbol]!,
      first: hasRows ? this.#first[symbol] : undefined,
      last: hasRows ? this.#last[symbol] : undefined,
      columns,
    }
  }

  #reserve(count: number): void {
    if (count <= this.#sids.length) return
    const size = Math.max(count, this.#sids.length * 2)
    const grow = <T extends Uint32Array | Float64Array>(from: T, to: T): T => {
      to.set(from)
      return to
    }
    this.#sids = grow(this.#sids, new Uint32Array(size))
    this.#first = grow(this.#first, new Float64Array(size))
    this.#last = grow(this.#last, new Float64Array(size))
    this.#columns = grow(this.#columns, new Uint32Array(size * this.#wordsPerSymbol))
  }
}
