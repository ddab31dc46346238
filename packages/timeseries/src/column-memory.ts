import type { FormulaMemory } from './series-engine.ts'

/** Arrays of numbers that are used again and again: new memory costs more than most of what is computed in it. */
export class ColumnMemory implements FormulaMemory {
  readonly #columns: Float64Array[] = []
  #taken = 0

  /** An array with whatever was in it, until `reset`. */
  take(length: number): Float64Array {
    const at = this.#taken++
    const known = this.#columns[at]
    if (known && known.length >= length) return known.subarray(0, length)
    const column = new Float64Array(length)
    this.#columns[at] = column
    return column
  }

  /** Nobody looks at the arrays any more. */
  reset(): void {
    this.#taken = 0
  }
}
