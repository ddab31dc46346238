import type { NcsvBatch, NcsvValues } from '@headwater/ncsv'

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

  /** Rows of one symbol that follow each other. */
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
        const at = symbol * this.#wordsPerSymbol + (column >>> 5)
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
    return (this.#columns[symbol * this.#wordsPerSymbol + (column >>> 5)]! & (1 << (column & 31))) !== 0
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
    this.#columns = grow(this.#columns, new Uint32Array(size * this.#wordsPerSymbol))
  }
}

function hasValue(cells: NcsvValues, start: number, end: number): boolean {
  for (let row = start; row < end; row++) if (isValue(cells[row]!)) return true
  return false
}

function countValues(cells: NcsvValues, start: number, end: number): number {
  let count = 0
  if (cells instanceof Float64Array) {
    // NaN, which is no value, differs from itself.
    for (let row = start; row < end; row++) if (cells[row] === cells[row]) count++
  } else {
    for (let row = start; row < end; row++) if (cells[row] !== null) count++
  }
  return count
}

function isValue(cell: number | string | null): boolean {
  return cell !== null && !Number.isNaN(cell)
}
