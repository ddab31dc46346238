/** Columns of numbers out of ClickHouse's Native format (https://clickhouse.com/docs/interfaces/formats/Native). */
export interface NumberRows {
  count: number
  /** By column; NaN for NULL. */
  columns: readonly Float64Array[]
}

/**
 * Reads an answer whose columns are of the types UInt32, Float64 and Nullable(Float64).
 * @throws TypeError for other types
 */
export function readNativeNumbers(bytes: Buffer, columnCount: number): NumberRows {
  const blocks: NumberRows[] = []
  let at = 0
  function readLength(): number {
    let length = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at++]!
      length += (byte & 0x7f) * factor
      if (byte < 0x80) return length
    }
  }
  function readText(): string {
    const length = readLength()
    at += length
    return bytes.toString('latin1', at - length, at)
  }
  function readColumn(count: number): Float64Array {
    readText()
    const type = readText()
    const values = new Float64Array(count)
    if (type === 'UInt32') {
      for (let row = 0; row < count; row++, at += 4) values[row] = bytes.readUInt32LE(at)
      return values
    }
    const isNullable = type === 'Nullable(Float64)'
    if (!isNullable && type !== 'Float64') throw new TypeError(`A column is of the type ${type}.`)
    const nullsAt = at
    if (isNullable) at += count
    new Uint8Array(values.buffer).set(bytes.subarray(at, at + count * 8))
    at += count * 8
    if (isNullable)
      for (let row = 0; row < count; row++) if (bytes[nullsAt + row] === 1) values[row] = Number.NaN
    return values
  }
  while (at < bytes.length) {
    const columns = readLength()
    const count = readLength()
    if (columns !== columnCount && columns !== 0) throw new TypeError(`An answer has ${columns} columns.`)
    blocks.push({ count, columns: Array.from({ length: columns }, () => readColumn(count)) })
  }
  return join(
    blocks.filter(({ count }) => count > 0),
    columnCount,
  )
}

function join(blocks: readonly NumberRows[], columnCount: number): NumberRows {
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
