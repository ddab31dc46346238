import { bytesOf, encodeInt64 } from './native-block.ts'

/** A column of a record batch, without empty values. */
export type BatchColumn = { texts: readonly Uint8Array[]; counts: readonly number[] } | { bytes: Uint8Array }

/** Message kind of a record batch. */
const batchKind = 3
/** Version 5 of the format. */
const formatVersion = 4
const continuation = 0xffffffff

/** Returns a column of whole numbers as Int64, such as timestamps. */
export function int64Column(values: Float64Array): BatchColumn {
  return { bytes: encodeInt64(values) }
}

/** Returns a column of doubles. */
export function doubleColumn(values: Float64Array): BatchColumn {
  return { bytes: bytesOf(values) }
}

/**
 * Encodes a record batch of an Arrow stream (https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format).
 * String columns are run-length encoded: each string has the number of its rows.
 */
export function encodeRecordBatch(rowCount: number, columns: readonly BatchColumn[]): Buffer {
  const buffers = columns.map((column) => buffersOf(column, rowCount))
  const sizes = buffers.flatMap((own) => own.map(({ size }) => size))
  const bodyBytes = sizes.reduce((sum, size) => sum + padded(size), 0)
  const metadata = encodeMetadata(rowCount, columns.length, { sizes, bodyBytes })
  const bytes = Buffer.allocUnsafe(8 + metadata.length + bodyBytes)
  bytes.writeUInt32LE(continuation, 0)
  bytes.writeUInt32LE(metadata.length, 4)
  metadata.copy(bytes, 8)
  let at = 8 + metadata.length
  for (const { size, write } of buffers.flat()) {
    write(bytes.subarray(at, at + size))
    bytes.fill(0, at + size, at + padded(size))
    at += padded(size)
  }
  return bytes
}

interface BatchBuffer {
  size: number
  write: (target: Buffer) => void
}

/** If there are no empty values, the buffer of null flags is empty. */
const noFlags: BatchBuffer = { size: 0, write: () => {} }

function buffersOf(column: BatchColumn, rowCount: number): BatchBuffer[] {
  if ('bytes' in column) {
    const { bytes } = column
    return [noFlags, { size: bytes.length, write: (target) => target.set(bytes) }]
  }
  const { texts, counts } = column
  const size = texts.reduce((sum, text, run) => sum + text.length * counts[run]!, 0)
  return [
    noFlags,
    { size: (rowCount + 1) * 4, write: (target) => writeOffsets(target, texts, counts) },
    { size, write: (target) => writeTexts(target, texts, counts) },
  ]
}

function writeOffsets(target: Buffer, texts: readonly Uint8Array[], counts: readonly number[]): void {
  const offsets = new Int32Array(target.length / 4)
  let row = 0
  let end = 0
  for (const [run, text] of texts.entries())
    for (let count = counts[run]!; count > 0; count--) offsets[++row] = end += text.length
  target.set(bytesOf(offsets))
}

function writeTexts(target: Buffer, texts: readonly Uint8Array[], counts: readonly number[]): void {
  let at = 0
  for (const [run, text] of texts.entries()) {
    const size = text.length * counts[run]!
    if (size > 0) target.fill(text, at, at + size)
    at += size
  }
}

function padded(size: number): number {
  return Math.ceil(size / 8) * 8
}

/**
 * Encodes the FlatBuffers tables Message (version, kind, header, length of the body) and RecordBatch (rows, nodes, buffers)
 * of https://github.com/apache/arrow/blob/main/format/Message.fbs, at fixed positions.
 */
function encodeMetadata(
  rowCount: number,
  columnCount: number,
  { sizes, bodyBytes }: { sizes: readonly number[]; bodyBytes: number },
): Buffer {
  const nodesAt = 80
  const buffersAt = nodesAt + columnCount * 16 + 8
  const bytes = Buffer.alloc(buffersAt + sizes.length * 16)
  const [message, batch] = [16, 56]
  const [messageFields, batchFields] = [4, 40]
  bytes.writeUInt32LE(message, 0)
  // Position of each field in the table. The first two numbers are the sizes of this list and of the table.
  for (const [index, size] of [12, 20, 4, 6, 16, 8].entries())
    bytes.writeUInt16LE(size, messageFields + index * 2)
  bytes.writeInt32LE(message - messageFields, message)
  bytes.writeInt16LE(formatVersion, message + 4)
  bytes.writeUInt8(batchKind, message + 6)
  bytes.writeBigInt64LE(BigInt(bodyBytes), message + 8)
  writeOffset(bytes, message + 16, batch)
  for (const [index, size] of [10, 20, 8, 4, 16].entries()) bytes.writeUInt16LE(size, batchFields + index * 2)
  bytes.writeInt32LE(batch - batchFields, batch)
  bytes.writeBigInt64LE(BigInt(rowCount), batch + 8)
  writeOffset(bytes, batch + 4, nodesAt - 4)
  writeOffset(bytes, batch + 16, buffersAt - 4)
  bytes.writeUInt32LE(columnCount, nodesAt - 4)
  for (let column = 0; column < columnCount; column++)
    bytes.writeBigInt64LE(BigInt(rowCount), nodesAt + column * 16)
  bytes.writeUInt32LE(sizes.length, buffersAt - 4)
  let offset = 0
  for (const [index, size] of sizes.entries()) {
    bytes.writeBigInt64LE(BigInt(offset), buffersAt + index * 16)
    bytes.writeBigInt64LE(BigInt(size), buffersAt + index * 16 + 8)
    offset += padded(size)
  }
  return bytes
}

function writeOffset(bytes: Buffer, at: number, target: number): void {
  bytes.writeUInt32LE(target - at, at)
}
