import type { ByteStream } from './sql-connection.ts'

/** Columns parsed from ClickHouse's Native format (https://clickhouse.com/docs/interfaces/formats/Native). */
export interface NativeRows {
  /** Number of rows. */
  count: number
  /** Values for each column; NaN for NULL. Columns of the type String are arrays of strings. */
  columns: readonly (Float64Array | string[])[]
}

/** Bytes of a result. */
type NativeBytes = AsyncIterable<Uint8Array> & Pick<ByteStream, 'recycle'>

/** Rows whose columns are all numeric. */
export interface NumberRows extends NativeRows {
  /** Values of each column; NaN for NULL. */
  columns: readonly Float64Array[]
}

/**
 * Parses a result whose columns are of the types UInt32, Float64 and Nullable(Float64).
 * @throws TypeError for other types
 */
export function readNativeNumbers(bytes: Buffer, columnCount: number): NumberRows {
  const blocks: NumberRows[] = []
  for (let at = 0; at < bytes.length;) {
    const block = readBlock(bytes, at, columnCount)
    if (!('rows' in block)) throw new TypeError('A result ends in the middle of a block.')
    if (block.rows.count > 0) blocks.push(asNumbers(block.rows))
    at = block.end
  }
  return joinRows(blocks, columnCount)
}

/** Parses a result with numeric columns while it arrives, block by block. */
export async function* readNumberBlocks(
  stream: NativeBytes,
  columnCount: number,
): AsyncGenerator<NumberRows> {
  for await (const rows of readNativeBlocks(stream, columnCount)) yield asNumbers(rows)
}

/** Parses a result while it arrives, block by block. Columns may also be of the type String. */
export async function* readNativeBlocks(
  stream: NativeBytes,
  columnCount: number,
): AsyncGenerator<NativeRows> {
  // Reused, because new memory would trigger the garbage collector several times per result.
  let bytes = Buffer.alloc(0)
  let size = 0
  let needed = 1
  function add(chunk: Uint8Array): void {
    if (size + chunk.length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, size + chunk.length))
      bytes.copy(larger, 0, 0, size)
      bytes = larger
    }
    bytes.set(chunk, size)
    size += chunk.length
    stream.recycle?.(chunk)
  }
  function* takeBlocks(): Generator<NativeRows> {
    let at = 0
    needed = 1
    while (at < size) {
      const block = readBlock(bytes.subarray(0, size), at, columnCount)
      if (!('rows' in block)) {
        // Doubling avoids parsing the incomplete block again with every chunk.
        needed = Math.max(block.needed, (size - at) * 2)
        break
      }
      at = block.end
      if (block.rows.count > 0) yield block.rows
    }
    bytes.copyWithin(0, at, size)
    size -= at
  }
  for await (const chunk of stream) {
    add(chunk)
    if (size >= needed) yield* takeBlocks()
  }
  yield* takeBlocks()
  if (size > 0) throw new TypeError('A result ends in the middle of a block.')
}

/** Joins consecutive blocks into one. */
export function joinRows(blocks: readonly NumberRows[], columnCount: number): NumberRows {
  if (blocks.length === 1) return blocks[0]!
  const count = blocks.reduce((sum, block) => sum + block.count, 0)
  const columns = Array.from({ length: columnCount }, (_, index) => {
    const values = new Float64Array(count)
    let at = 0
    for (const block of blocks) {
      values.set(block.columns[index]!, at)
      at += block.count
    }
    return values
  })
  return { count, columns }
}

/** Parses the block at a position. Returns its end, or, if it is incomplete, a lower bound of its size in bytes. */
function readBlock(
  bytes: Buffer,
  start: number,
  columnCount: number,
): { rows: NativeRows; end: number } | { needed: number } {
  const cursor = new Cursor(bytes, start)
  const width = cursor.length()
  const count = cursor.length()
  if (width !== undefined && width !== columnCount && width !== 0)
    throw new TypeError(`A result has ${width} columns.`)
  const columns: (Float64Array | string[])[] = []
  for (let index = 0; index < (width ?? 0); index++) {
    cursor.text()
    const type = cursor.text()
    if (type === undefined) break
    if (type === 'String') {
      columns.push(cursor.texts(count!))
      continue
    }
    const isNullable = type === 'Nullable(Float64)'
    if (!isNullable && type !== 'Float64' && type !== 'UInt32')
      throw new TypeError(`A column is of the type ${type}.`)
    const nulls = isNullable ? cursor.take(count!) : undefined
    const stored = cursor.take(count! * (type === 'UInt32' ? 4 : 8))
    if (stored === undefined) break
    columns.push(type === 'UInt32' ? readIntegers(stored) : readDoubles(stored, nulls))
  }
  if (cursor.isShort) return { needed: cursor.at - start }
  return { rows: { count: count!, columns }, end: cursor.at }
}

/** @throws TypeError for texts */
function asNumbers({ count, columns }: NativeRows): NumberRows {
  const numbers = columns.filter((column) => column instanceof Float64Array)
  if (numbers.length < columns.length) throw new TypeError('A column is of the type String.')
  return { count, columns: numbers }
}

function readIntegers(bytes: Buffer): Float64Array {
  const integers = new Uint32Array(bytes.length / 4)
  new Uint8Array(integers.buffer).set(bytes)
  return new Float64Array(integers)
}

function readDoubles(bytes: Buffer, nulls: Buffer | undefined): Float64Array {
  const values = new Float64Array(bytes.length / 8)
  new Uint8Array(values.buffer).set(bytes)
  if (nulls) for (let row = 0; row < values.length; row++) if (nulls[row] === 1) values[row] = Number.NaN
  return values
}

/** Reads consecutive bytes. If there are too few, `isShort` is set, and `at` becomes the end of the missing bytes. */
class Cursor {
  readonly #bytes: Buffer
  at: number
  isShort = false

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  take(count: number): Buffer | undefined {
    if (this.isShort) return undefined
    this.at += count
    this.isShort = this.at > this.#bytes.length
    return this.isShort ? undefined : this.#bytes.subarray(this.at - count, this.at)
  }

  length(): number | undefined {
    let length = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.take(1)?.[0]
      if (byte === undefined) return undefined
      length += (byte & 0x7f) * factor
      if (byte < 0x80) return length
    }
  }

  text(): string | undefined {
    const length = this.length()
    return length === undefined ? undefined : this.take(length)?.toString()
  }

  texts(count: number): string[] {
    const texts: string[] = []
    for (let row = 0; row < count && !this.isShort; row++) texts.push(this.text() ?? '')
    return texts
  }
}

/** Joins consecutive parts into one array. */
export function joinNumbers(parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0]!
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
