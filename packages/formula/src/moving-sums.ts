/** Maximum size of a window that is summed directly. */
const shortWindow = 16

/** Returns the sums of every `count` successive rows of a column. The result has `rows.length - count + 1` sums. */
export function movingSums(rows: Float64Array, count: number): Float64Array {
  const sums = new Float64Array(rows.length)
  new MovingSums(count).next(rows, sums)
  return sums.subarray(count - 1)
}

/**
 * Sums the last `count` rows, chunk by chunk: two additions per row for any window size. It never subtracts, so that no
 * rounding error remains from earlier windows, and NaN affects only the windows that contain it.
 */
export class MovingSums {
  readonly #count: number
  /** Rows since the last complete block of `count` rows. */
  readonly #block: Float64Array
  /** For each row of the last block, the sum from this row to the end of the block. */
  readonly #toEnd: Float64Array
  #size = 0
  /** Sum of the rows of the incomplete block. */
  #sum = 0

  constructor(count: number) {
    this.#count = count
    this.#block = new Float64Array(count).fill(Number.NaN)
    this.#toEnd = new Float64Array(count).fill(Number.NaN)
  }

  /** Writes, for each row, the sum of the last `count` rows up to it; NaN while there are fewer rows. */
  next(rows: Float64Array, sums: Float64Array): void {
    if (this.#count <= shortWindow) this.#addOneByOne(rows, sums)
    else this.#addByBlocks(rows, sums)
  }

  #addOneByOne(rows: Float64Array, sums: Float64Array): void {
    const count = this.#count
    const before = this.#block.subarray(1)
    const all = new Float64Array(before.length + rows.length)
    all.set(before)
    all.set(rows, before.length)
    before.set(all.subarray(rows.length))
    for (let row = 0; row < rows.length; row++) {
      let sum = all[row]!
      for (let at = row + 1; at < row + count; at++) sum += all[at]!
      sums[row] = sum
    }
  }

  /** Adds the end of one block and the beginning of the next, which together form a window. */
  #addByBlocks(rows: Float64Array, sums: Float64Array): void {
    const count = this.#count
    const [block, toEnd] = [this.#block, this.#toEnd]
    let [size, sum] = [this.#size, this.#sum]
    for (let row = 0; row < rows.length; row++) {
      block[size++] = rows[row]!
      if (size < count) {
        sum += rows[row]!
        sums[row] = toEnd[size]! + sum
        continue
      }
      toEnd[count - 1] = block[count - 1]!
      for (let at = count - 2; at >= 0; at--) toEnd[at] = block[at]! + toEnd[at + 1]!
      sums[row] = toEnd[0]!
      size = 0
      sum = 0
    }
    this.#size = size
    this.#sum = sum
  }
}
