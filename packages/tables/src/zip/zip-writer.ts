import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file to write into an archive. */
export interface ZipPart {
  /** Path in the archive. */
  path: string
  /** Its content, in parts. */
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

/** Sizes follow the content; names are in UTF-8. */
const flags = 0x0808
const version = 20
/** Version that reads sizes of 64 bits. */
const largeVersion = 45
const deflated = 8
/** 1 January 1980, the first date that the format knows: the same content gives the same archive. */
const date = 0x0021
const largest = 0xffffffff

/** An archive that is larger than the format allows. */
export class ZipTooLargeError extends Error {}

/**
 * Yields a zip archive with these files. Only parts of the content are in memory.
 * @param isLarge whether sizes have 64 bits (ZIP64), so that files and the archive can exceed 4 GB. Default false: some
 *   readers of workbooks do not accept them
 */
export async function* zipOf(
  parts: AsyncIterable<ZipPart> | Iterable<ZipPart>,
  { isLarge = false }: { isLarge?: boolean } = {},
): AsyncGenerator<Buffer> {
  let offset = 0
  let entryCount = 0
  const directory: Buffer[] = []
  for await (const { path, content } of parts) {
    const name = Buffer.from(path)
    const localOffset = offset
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    writeCommon(local, 4, { nameLength: name.length, isLarge })
    // The sizes follow the content; these fields announce that they have 64 bits.
    const begin = isLarge ? [local, name, largeFields([0, 0])] : [local, name]
    if (isLarge) {
      local.writeUInt32LE(largest, 18)
      local.writeUInt32LE(largest, 22)
      local.writeUInt16LE(20, 28)
    }
    yield Buffer.concat(begin)
    offset += begin.reduce((sum, { length }) => sum + length, 0)
    const count = { size: 0, sum: 0 }
    let packed = 0
    for await (const chunk of deflate(content, count, isLarge)) {
      packed += chunk.length
      yield chunk
    }
    offset += packed
    if (!isLarge && Math.max(count.size, packed, offset) >= largest) throw new ZipTooLargeError()
    const sum = Buffer.alloc(4)
    sum.writeUInt32LE(count.sum, 0)
    const sizes = isLarge ? numbers64([packed, count.size]) : numbers32([packed, count.size])
    yield Buffer.concat([Buffer.from([0x50, 0x4b, 7, 8]), sum, sizes])
    offset += 8 + sizes.length
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(version, 4)
    writeCommon(entry, 6, { nameLength: name.length, isLarge })
    sum.copy(entry, 16)
    if (isLarge) {
      const fields = largeFields([count.size, packed, localOffset])
      entry.writeUInt32LE(largest, 20)
      entry.writeUInt32LE(largest, 24)
      entry.writeUInt16LE(fields.length, 30)
      entry.writeUInt32LE(largest, 42)
      directory.push(entry, name, fields)
    } else {
      sizes.copy(entry, 20)
      entry.writeUInt32LE(localOffset, 42)
      directory.push(entry, name)
    }
    entryCount++
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entryCount, 8)
  end.writeUInt16LE(entryCount, 10)
  end.writeUInt32LE(isLarge ? largest : entries.length, 12)
  end.writeUInt32LE(isLarge ? largest : offset, 16)
  const large = isLarge ? largeEnd({ entryCount, size: entries.length, offset }) : []
  yield Buffer.concat([entries, ...large, end])
}

/** Returns the end of a directory with sizes of 64 bits, and the record that locates it. */
function largeEnd({
  entryCount,
  size,
  offset,
}: {
  entryCount: number
  size: number
  offset: number
}): Buffer[] {
  const begin = Buffer.alloc(24)
  begin.writeUInt32LE(0x06064b50, 0)
  begin.writeBigUInt64LE(44n, 4)
  begin.writeUInt16LE(largeVersion, 12)
  begin.writeUInt16LE(largeVersion, 14)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return [begin, numbers64([entryCount, entryCount, size, offset]), locator]
}

/** Returns numbers of 64 bits as the additional field of a header. */
function largeFields(numbers: readonly number[]): Buffer {
  const head = Buffer.from([1, 0, numbers.length * 8, 0])
  return Buffer.concat([head, numbers64(numbers)])
}

function numbers64(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 8)
  for (const [at, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), at * 8)
  return bytes
}

function numbers32(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number, at * 4)
  return bytes
}

/** Writes the fields that both headers share. */
function writeCommon(
  header: Buffer,
  at: number,
  { nameLength, isLarge }: { nameLength: number; isLarge: boolean },
): void {
  header.writeUInt16LE(isLarge ? largeVersion : version, at)
  header.writeUInt16LE(flags, at + 2)
  header.writeUInt16LE(deflated, at + 4)
  header.writeUInt16LE(date, at + 8)
  header.writeUInt16LE(nameLength, at + 22)
}

async function* deflate(
  content: ZipPart['content'],
  count: { size: number; sum: number },
  isLarge: boolean,
): AsyncGenerator<Buffer> {
  async function* counted() {
    for await (const part of content) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part
      count.size += bytes.length
      count.sum = crc32(bytes, count.sum)
      if (!isLarge && count.size >= largest) throw new ZipTooLargeError()
      yield bytes
    }
  }
  const stream = createDeflateRaw()
  // The loop below reports the error.
  pipeline(Readable.from(counted(), { objectMode: false }), stream).catch(() => undefined)
  for await (const chunk of stream) yield chunk as Buffer
}
