import type { NcsvBatch, NcsvValues } from '@headwater/ncsv'

/** Facts that a file has about a symbol. */
export interface SymbolFacts {
  /** Id of the symbol. */
  sid: number
  /** UTC milliseconds of its first row with a value; undefined if there is none. */
  first: number | undefined
  /** UTC milliseconds of its last row with a value; undefined if there is none. */
  last: number | undefined
  /** Positions of the value columns in which the file has a value for it. */
  columns: number[]
}

/**
 * Collects, while a file is read, its symbols with the range of their values and their columns. Needs a few bytes per symbol and
 * none per row.
 */
export class IngestTracker {
  readonly #columnCount: number
  readonly #masksPerSymbol: number
  #sids = new Uint32Array(1024)
  #first = new Float64Array(1024)
  #last = new Float64Array(1024)
  #columns: Uint32Array
  #count = 0
  /** Symbols with rows without any value; such a row deletes a stored point. */
  readonly #emptied = new Set<number>()

  constructor(columnCount: number) {
    this.#columnCount = columnCount
    this.#masksPerSymbol = Math.max(1, Math.ceil(columnCount / 32))
    this.#columns = new Uint32Array(1024 * this.#masksPerSymbol)
  }

  /** Number of symbols named so far. */
  get symbolCount(): number {
    return this.#count
  }

  /** Ids of the symbols that have a row without any value. */
  get emptiedSids(): number[] {
    return [...this.#emptied].map((symbol) => this.#sids[symbol]!)
  }

  /** Adds the ids of the next symbols, in the order of the file. */
  addSymbols(sids: readonly number[]): void {
    this.#reserve(this.#count + sids.length)
    this.#sids.set(sids, this.#count)
    this.#first.fill(Infinity, this.#count, this.#count + sids.length)
    this.#last.fill(-Infinity, this.#count, this.#count + sids.length)
    this.#count += sids.length
  }

  /** Returns the id of a symbol by its index in the file. */
  sidOf(symbol: number): number {
    return this.#sids[symbol]!
  }

  /** Adds a batch with timestamps, and returns the id of the symbol of each row. */
  addRows({ rowCount, symbols, timestamps, values }: NcsvBatch): Uint32Array {
    const sids = new Uint32Array(rowCount)
    for (let start = 0; start < rowCount;) {
      const symbol = symbols[start]!
      let end = start + 1
      while (end < rowCount && symbols[end] === symbol) end++
      sids.fill(this.#sids[symbol]!, start, end)
      this.#addRun(symbol, values, timestamps, { start, end })
      start = end
    }
    return sids
  }

  /** Adds consecutive rows of one symbol. */
  #addRun(
    symbol: number,
    values: NcsvBatch['values'],
    timestamps: Float64Array,
    { start, end }: { start: number; end: number },
  ): void {
    let isFull = false
    for (let column = 0; column < this.#columnCount; column++) {
      const cells = values[column]!
      const isSeen = this.#hasColumn(symbol, column)
      if (isSeen && isFull) continue
      const count: number = isFull ? Number(hasValue(cells, start, end)) : countValues(cells, start, end)
      if (count === 0) continue
      isFull ||= count === end - start
      if (!isSeen) {
        const at = symbol * this.#masksPerSymbol + (column >>> 5)
        this.#columns[at] = this.#columns[at]! | (1 << (column & 31))
      }
    }
    let first = this.#first[symbol]!
    let last = this.#last[symbol]!
    for (let row = start; row < end; row++) {
      if (!isFull && !values.some((cells) => hasValue(cells, row, row + 1))) {
        this.#emptied.add(symbol)
        continue
      }
      const timestamp = timestamps[row]!
      if (timestamp < first) first = timestamp
      if (timestamp > last) last = timestamp
    }
    this.#first[symbol] = first
    this.#last[symbol] = last
  }

  #hasColumn(symbol: number, column: number): boolean {
    return (this.#columns[symbol * this.#masksPerSymbol + (column >>> 5)]! & (1 << (column & 31))) !== 0
  }

  /** Yields all facts, in pieces of at most `size` symbols. */
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
      if (this.#hasColumn(symbol, column)) columns.push(column)
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
    this.#columns = grow(this.#columns, new Uint32Array(size * this.#masksPerSymbol))
  }
}

function hasValue(cells: NcsvValues, start: number, end: number): boolean {
  for (let row = start; row < end; row++) if (isValue(cells[row]!)) return true
  return false
}

function countValues(cells: NcsvValues, start: number, end: number): number {
  let count = 0
  if (cells instanceof Float64Array) {
    // NaN stands for a missing value and differs from itself.
    for (let row = start; row < end; row++) if (cells[row] === cells[row]) count++
  } else {
    for (let row = start; row < end; row++) if (cells[row] !== null) count++
  }
  return count
}

function isValue(cell: number | string | null): boolean {
  return cell !== null && !Number.isNaN(cell)
}
