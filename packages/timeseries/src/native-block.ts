import { SeriesEngineError } from './series-engine-error.ts'
import type { ValueType } from './series-upload.ts'

/** One column of a block. */
export interface NativeColumn {
  /** Name of the column. */
  name: string
  /** ClickHouse type. */
  type: string
  /** Encoded values, in pieces. */
  bytes: readonly Uint8Array[]
}

const twoTo32 = 4_294_967_296

/**
 * Encodes rows as one block of ClickHouse's Native format (https://clickhouse.com/docs/interfaces/formats/Native). Returns
 * its pieces in order, without copying the values.
 */
export function nativeBlockParts(rowCount: number, columns: readonly NativeColumn[]): Uint8Array[] {
  const parts: Uint8Array[] = [encodeLength(columns.length), encodeLength(rowCount)]
  for (const { name, type, bytes } of columns) parts.push(encodeText(name), encodeText(type), ...bytes)
  return parts
}

/**
 * Ordinary doubles have absolute values between 1e-100 and 1e100. Neither the sum of all ordinary points in a dataset nor a
 * product of two of them can reach infinity.
 */
const ordinaryPower = 100
const largestOrdinary = 10 ** ordinaryPower
const smallestOrdinary = 10 ** -ordinaryPower

/** Reusable memory for the values of a column. */
export interface ValueMemory {
  /** Whether a double was extreme: see `ordinaryPower`. */
  hasExtremes: boolean
  /** Null flags. */
  nulls: Uint8Array
  /** Values as doubles. */
  values: Float64Array
  /** Values as pairs of 32-bit halves. */
  halves: Uint32Array
}

/** Allocates memory for at most `capacity` values. */
export function createValueMemory(type: ValueType, capacity: number): ValueMemory {
  return {
    hasExtremes: false,
    nulls: new Uint8Array(capacity),
    values: new Float64Array(type === 'double' ? capacity : 0),
    halves: new Uint32Array(type === 'integer' || type === 'date' ? capacity * 2 : 0),
  }
}

/** Returns the ClickHouse type of a value column. */
export function clickhouseType(type: ValueType): string {
  switch (type) {
    case 'double':
      return 'Nullable(Float64)'
    case 'integer':
      return 'Nullable(Int64)'
    case 'string':
      return 'Nullable(String)'
    case 'date':
      return "Nullable(DateTime64(3, 'UTC'))"
  }
}

/** Encodes a column of the given type: null flags, then values. */
export function encodeValues(
  type: ValueType,
  values: Float64Array | readonly (string | null)[],
  memory: ValueMemory = createValueMemory(type, values.length),
): Uint8Array[] {
  if (values instanceof Float64Array) return encodeNumbers(type, values, memory)
  if (type !== 'string')
    throw new SeriesEngineError('invalid', `A column of type ${type} needs a Float64Array.`)
  return encodeTexts(values)
}

/** Encodes whole numbers as Int64; NaN as 0. */
export function encodeInt64(
  values: Float64Array,
  halves: Uint32Array = new Uint32Array(values.length * 2),
): Uint8Array {
  for (let row = 0; row < values.length; row++) {
    const high = Math.floor(values[row]! / twoTo32)
    halves[row * 2] = values[row]! - high * twoTo32
    halves[row * 2 + 1] = high
  }
  return bytesOf(halves.subarray(0, values.length * 2))
}

/** Encodes `count` numbers from `first` on as UInt64. */
export function encodeRowNumbers(
  first: number,
  count: number,
  halves: Uint32Array = new Uint32Array(count * 2),
): Uint8Array {
  for (let row = 0; row < count; row++) {
    const high = Math.floor((first + row) / twoTo32)
    halves[row * 2] = first + row - high * twoTo32
    halves[row * 2 + 1] = high
  }
  return bytesOf(halves.subarray(0, count * 2))
}

/** Returns the bytes of an array without copying them. */
export function bytesOf(array: Uint32Array | Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

function encodeNumbers(type: ValueType, given: Float64Array, memory: ValueMemory): Uint8Array[] {
  if (type === 'string')
    throw new SeriesEngineError('invalid', 'A column of type string needs an array of texts.')
  const count = given.length
  const nulls = memory.nulls.subarray(0, count)
  const isWhole = type !== 'double'
  const { values } = memory
  for (let row = 0; row < count; row++) {
    const value = given[row]!
    // NaN differs from itself.
    const isNull = value !== value
    nulls[row] = isNull ? 1 : 0
    if (isWhole ? !isNull && !Number.isSafeInteger(value) : isExtreme(value)) {
      if (isWhole || !Number.isFinite(value))
        throw new SeriesEngineError('invalid', `${value} is not a value of type ${type}.`)
      memory.hasExtremes = true
    }
    if (!isWhole) values[row] = isNull ? 0 : value
  }
  return [nulls, isWhole ? encodeInt64(given, memory.halves) : bytesOf(values.subarray(0, count))]
}

/** Returns whether a double is extreme: see `ordinaryPower`. False for NaN and 0. */
export function isExtreme(value: number): boolean {
  if (value >= smallestOrdinary) return value > largestOrdinary
  if (value <= -smallestOrdinary) return value < -largestOrdinary
  return Math.abs(value) > 0
}

function encodeTexts(values: readonly (string | null)[]): Uint8Array[] {
  const nulls = Uint8Array.from(values, (value) => (value === null || value === '' ? 1 : 0))
  return [nulls, encodeStrings(values)]
}

/** Encodes strings as String, and null as the empty string. */
export function encodeStrings(values: readonly (string | null)[]): Uint8Array {
  let size = 0
  for (const value of values) size += 5 + (value === null ? 0 : value.length * 3)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const value of values) {
    if (value === null || value === '') {
      bytes[at++] = 0
      continue
    }
    let length = Buffer.byteLength(value)
    while (length >= 0x80) {
      bytes[at++] = (length & 0x7f) | 0x80
      length >>>= 7
    }
    bytes[at++] = length
    at += bytes.write(value, at)
  }
  return bytes.subarray(0, at)
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([encodeLength(bytes.length), bytes])
}

function encodeLength(length: number): Buffer {
  const bytes: number[] = []
  while (length >= 0x80) {
    bytes.push((length & 0x7f) | 0x80)
    length = Math.floor(length / 0x80)
  }
  bytes.push(length)
  return Buffer.from(bytes)
}
