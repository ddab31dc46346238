/**
 * Compressed rows of one series: one timestamp each, and a number or nothing per column. Created by {@link
 * PointPacker}.
 */
export interface PackedPoints {
  /** Number of rows. */
  count: number
  /** Compressed rows. */
  bytes: Uint8Array
}

/** Rows of one series in columns, the earliest first. */
export interface Points {
  /** UTC milliseconds. */
  timestamps: Float64Array
  /** By column; NaN for an empty value. */
  values: readonly Float64Array[]
}

/** An unpacked column. Each value is `number / 10 ** decimals`. */
export interface PackedColumn {
  /** Number of decimals; undefined if the numbers are the values. */
  decimals: number | undefined
  /** NaN for an empty value. */
  numbers: Float64Array
}

const mostDecimals = 6
const powers = Array.from({ length: mostDecimals + 1 }, (_, decimals) => 10 ** decimals)
/** Whole numbers up to this one survive the conversion to a double and back. */
const largestNumber = 1e15
/** Timestamps of a series are usually multiples of one of these units: day, hour, minute, second, millisecond. */
const units = [86_400_000, 3_600_000, 60_000, 1000, 1]

const kinds = { empty: 0, even: 1, steps: 2, plain: 3 } as const
/** Represents the step to an empty value. Real steps are larger. */
const noValue = { 1: -0x80, 2: -0x8000, 4: -0x8000_0000 } as const
type Width = keyof typeof noValue

/**
 * Packs rows: timestamps as steps, and values with few decimals as whole numbers and the steps between them (the idea
 * of https://doi.org/10.1145/3626717, ALP, without its bit packing). Packing is lossless; other values are stored as
 * doubles. Its memory is reused for each series.
 */
export class PointPacker {
  readonly #most: number
  readonly #numbers: Float64Array
  #bytes = Buffer.alloc(0)
  /** Decimals of the columns of the previous series. */
  #decimals: number[] = []
  #at = 0

  /** @param mostRows maximum rows of one series */
  constructor(mostRows: number) {
    this.#most = mostRows
    this.#numbers = new Float64Array(mostRows)
  }

  /** Packs rows in ascending order of their whole timestamps: the first `count` of each array, at least one. */
  pack(timestamps: Float64Array, values: readonly Float64Array[], count: number): PackedPoints {
    const most = (this.#most + 4) * 8 * (values.length + 1)
    if (this.#bytes.length < most) this.#bytes = Buffer.allocUnsafeSlow(most)
    this.#at = 0
    this.#packTimestamps(timestamps, count)
    for (const [index, column] of values.entries()) this.#packColumn(column, count, index)
    // A separate buffer, because a view would keep the whole memory alive.
    const bytes = Buffer.allocUnsafeSlow(this.#at)
    this.#bytes.copy(bytes, 0, 0, this.#at)
    return { count, bytes }
  }

  #packTimestamps(timestamps: Float64Array, count: number): void {
    const first = timestamps[0]!
    const step = count > 1 ? timestamps[1]! - first : 0
    let unitIndex = 0
    let largest = 0
    let isEven = true
    for (let row = 1; row < count; row++) {
      const delta = timestamps[row]! - timestamps[row - 1]!
      if (delta !== step) isEven = false
      if (delta > largest) largest = delta
      while (delta % units[unitIndex]! !== 0) unitIndex++
    }
    if (isEven) {
      this.#writeHead(kinds.even, first)
      this.#writeDouble(step)
      return
    }
    const unit = units[unitIndex]!
    const width = widthOf(largest / unit)
    if (width === undefined) {
      this.#writeHead(kinds.plain, 0)
      this.#writeDoubles(timestamps, count)
      return
    }
    this.#writeHead(kinds.steps, first, width)
    this.#writeDouble(unit)
    for (let row = 1; row < count; row++)
      this.#writeStep((timestamps[row]! - timestamps[row - 1]!) / unit, width)
  }

  #packColumn(values: Float64Array, count: number, index: number): void {
    const decimals = this.#findDecimals(values, count, this.#decimals[index])
    if (decimals === undefined) {
      this.#writeHead(kinds.plain, 0)
      this.#writeDoubles(values, count)
      return
    }
    this.#decimals[index] = decimals
    const numbers = this.#numbers
    let before = Number.NaN
    let base = Number.NaN
    let largest = 0
    for (let row = 0; row < count; row++) {
      const number = numbers[row]!
      if (number !== number) continue
      if (before !== before) base = number
      else largest = Math.max(largest, Math.abs(number - before))
      before = number
    }
    if (base !== base) {
      this.#writeHead(kinds.empty, 0)
      return
    }
    const width = widthOf(largest)
    if (width === undefined) {
      this.#writeHead(kinds.plain, 0)
      this.#writeDoubles(values, count)
      return
    }
    this.#writeHead(kinds.steps, base, width, decimals)
    before = base
    for (let row = 0; row < count; row++) {
      const number = numbers[row]!
      if (number !== number) {
        this.#writeStep(noValue[width], width)
        continue
      }
      this.#writeStep(number - before, width)
      before = number
    }
  }

  /**
   * Returns the smallest number of decimals that represents all values, and stores the values as whole numbers in
   * `#numbers`. Returns undefined if no number of decimals is sufficient.
   */
  #findDecimals(values: Float64Array, count: number, likely: number | undefined): number | undefined {
    if (likely !== undefined && this.#scale(values, count, powers[likely]!)) return likely
    for (let decimals = 0; decimals <= mostDecimals; decimals++)
      if (this.#scale(values, count, powers[decimals]!)) return decimals
    return undefined
  }

  #scale(values: Float64Array, count: number, power: number): boolean {
    const numbers = this.#numbers
    for (let row = 0; row < count; row++) {
      const value = values[row]!
      const number = Math.round(value * power)
      numbers[row] = number
      if (number / power === value) {
        if (number > largestNumber || number < -largestNumber || Object.is(value, -0)) return false
      } else if (value === value) return false
    }
    return true
  }

  #writeHead(kind: number, base: number, width = 0, decimals = 0): void {
    this.#bytes[this.#at] = kind
    this.#bytes[this.#at + 1] = width
    this.#bytes[this.#at + 2] = decimals
    this.#at += 3
    this.#writeDouble(base)
  }

  #writeDouble(value: number): void {
    this.#at = this.#bytes.writeDoubleLE(value, this.#at)
  }

  #writeDoubles(values: Float64Array, count: number): void {
    for (let row = 0; row < count; row++) this.#writeDouble(values[row]!)
  }

  #writeStep(step: number, width: Width): void {
    const bytes = this.#bytes
    const at = this.#at
    bytes[at] = step
    if (width > 1) bytes[at + 1] = step >> 8
    if (width > 2) {
      bytes[at + 2] = step >> 16
      bytes[at + 3] = step >> 24
    }
    this.#at = at + width
  }
}

/** Returns the bytes per step; undefined if there are too many. */
function widthOf(largestStep: number): Width | undefined {
  if (largestStep < 0x80) return 1
  if (largestStep < 0x8000) return 2
  return largestStep < 0x8000_0000 ? 4 : undefined
}

/** Reads packed rows: first the timestamps, then each column. */
export class PointUnpacker {
  readonly #view: DataView
  readonly #count: number
  #at = 0

  constructor({ bytes, count }: PackedPoints) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#count = count
  }

  timestamps(): Float64Array {
    const { kind, base, width } = this.#readHead()
    if (kind === kinds.plain) return this.#readDoubles()
    const timestamps = new Float64Array(this.#count)
    const unit = this.#readDouble()
    timestamps[0] = base
    for (let row = 1; row < this.#count; row++)
      timestamps[row] = timestamps[row - 1]! + (kind === kinds.even ? unit : unit * this.#readStep(width))
    return timestamps
  }

  column(): PackedColumn {
    const { kind, base, width, decimals } = this.#readHead()
    if (kind === kinds.plain) return { decimals: undefined, numbers: this.#readDoubles() }
    const numbers = new Float64Array(this.#count)
    if (kind === kinds.empty) return { decimals: 0, numbers: numbers.fill(Number.NaN) }
    const none = noValue[width]
    let number = base
    for (let row = 0; row < this.#count; row++) {
      const step = this.#readStep(width)
      if (step === none) numbers[row] = Number.NaN
      else numbers[row] = number += step
    }
    return { decimals, numbers }
  }

  #readHead(): { kind: number; base: number; width: Width; decimals: number } {
    const at = this.#at
    this.#at += 3
    return {
      kind: this.#view.getUint8(at),
      width: this.#view.getUint8(at + 1) as Width,
      decimals: this.#view.getUint8(at + 2),
      base: this.#readDouble(),
    }
  }

  #readDouble(): number {
    const value = this.#view.getFloat64(this.#at, true)
    this.#at += 8
    return value
  }

  #readDoubles(): Float64Array {
    return new Float64Array(this.#count).map(() => this.#readDouble())
  }

  #readStep(width: Width): number {
    const at = this.#at
    this.#at = at + width
    if (width === 1) return this.#view.getInt8(at)
    return width === 2 ? this.#view.getInt16(at, true) : this.#view.getInt32(at, true)
  }
}

/** Unpacks rows. */
export function unpackPoints(packed: PackedPoints, columnCount: number): Points {
  const unpacker = new PointUnpacker(packed)
  const timestamps = unpacker.timestamps()
  const values = Array.from({ length: columnCount }, () => {
    const { decimals, numbers } = unpacker.column()
    if (decimals !== undefined && decimals > 0) {
      const power = powers[decimals]!
      for (let row = 0; row < numbers.length; row++) numbers[row] = numbers[row]! / power
    }
    return numbers
  })
  return { timestamps, values }
}
