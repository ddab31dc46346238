import { SeriesEngineError, type ValueType } from './series-engine.ts'

/** One column of a block: its name, its ClickHouse type and its bytes. */
export interface NativeColumn {
  name: string
  type: string
  bytes: readonly Uint8Array[]
}

const twoTo32 = 4_294_967_296

/** Rows as one block of ClickHouse's Native format (https://clickhouse.com/docs/interfaces/formats/Native). */
export function encodeNativeBlock(rowCount: number, columns: readonly NativeColumn[]): Buffer {
  const parts: Uint8Array[] = [encodeLength(columns.length), encodeLength(rowCount)]
  for (const { name, type, bytes } of columns) parts.push(encodeText(name), encodeText(type), ...bytes)
  return Buffer.concat(parts)
}

/** ClickHouse type of a value column. */
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

/** Bytes of a column of the given type: null flags, then values. */
export function encodeValues(
  type: ValueType,
  values: Float64Array | readonly (string | null)[],
): Uint8Array[] {
  if (values instanceof Float64Array) return encodeNumbers(type, values)
  if (type !== 'string')
    throw new SeriesEngineError('invalid', `A column of type ${type} needs a Float64Array.`)
  return encodeTexts(values)
}

/** Whole numbers as Int64. */
export function encodeInt64(values: Float64Array): Uint8Array {
  const words = new Uint32Array(values.length * 2)
  for (let row = 0; row < values.length; row++) {
    const high = Math.floor(values[row]! / twoTo32)
    words[row * 2] = values[row]! - high * twoTo32
    words[row * 2 + 1] = high
  }
  return bytesOf(words)
}

/** `count` numbers from `first` on as UInt64. */
export function encodeRowNumbers(first: number, count: number): Uint8Array {
  const values = new Float64Array(count)
  for (let row = 0; row < count; row++) values[row] = first + row
  return encodeInt64(values)
}

/** The memory of an array, not copied. */
export function bytesOf(array: Uint32Array | Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

function encodeNumbers(type: ValueType, values: Float64Array): Uint8Array[] {
  if (type === 'string')
    throw new SeriesEngineError('invalid', 'A column of type string needs an array of texts.')
  const nulls = new Uint8Array(values.length)
  const filled = new Float64Array(values.length)
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!
    if (Number.isNaN(value)) nulls[row] = 1
    else if (!Number.isFinite(value) || (type !== 'double' && !Number.isSafeInteger(value)))
      throw new SeriesEngineError('invalid', `${value} is no value of type ${type}.`)
    else filled[row] = value
  }
  return [nulls, type === 'double' ? bytesOf(filled) : encodeInt64(filled)]
}

function encodeTexts(values: readonly (string | null)[]): Uint8Array[] {
  const nulls = Uint8Array.from(values, (value) => (value === null || value === '' ? 1 : 0))
  return [nulls, encodeStrings(values)]
}

/** Texts as String, null as the empty text. */
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
