import type { FormulaMemory } from './series-formula.ts'

/** A pool of number arrays. Allocating an array takes longer than most computations with it. */
export class ColumnMemory implements FormulaMemory {
  readonly #columns: Float64Array[] = []
  #taken = 0

  /** Returns an array with arbitrary content, which is in use until `reset`. */
  take(length: number): Float64Array {
    const at = this.#taken++
    const known = this.#columns[at]
    if (known && known.length >= length) return known.subarray(0, length)
    const column = new Float64Array(length)
    this.#columns[at] = column
    return column
  }

  /** Releases all arrays. */
  reset(): void {
    this.#taken = 0
  }
}
