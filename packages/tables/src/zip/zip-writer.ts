import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file to write into an archive. */
export interface ZipPart {
  /** Path in the archive. */
  path: string
  /** Its content, in parts. */
  content: AsyncIterable<string> | Iterable<string>
}

/** Sizes follow the content; names are in UTF-8. */
const flags = 0x0808
const version = 20
const deflated = 8
/** 1 January 1980, the first date that the format knows: the same content gives the same archive. */
const date = 0x0021
const largest = 0xffffffff

/** An archive that is larger than the format allows. */
export class ZipTooLargeError extends Error {}

/** Yields a zip archive with these files. Only parts of the content are in memory. */
export async function* zipOf(parts: Iterable<ZipPart>): AsyncGenerator<Buffer> {
  let offset = 0
  const directory: Buffer[] = []
  for (const { path, content } of parts) {
    const name = Buffer.from(path)
    const localOffset = offset
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    writeCommon(local, 4, name.length)
    yield Buffer.concat([local, name])
    offset += local.length + name.length
    const count = { size: 0, sum: 0 }
    let packed = 0
    for await (const chunk of deflate(content, count)) {
      packed += chunk.length
      yield chunk
    }
    offset += packed
    if (Math.max(count.size, packed, offset) >= largest) throw new ZipTooLargeError()
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(count.sum, 0)
    sizes.writeUInt32LE(packed, 4)
    sizes.writeUInt32LE(count.size, 8)
    yield Buffer.concat([Buffer.from([0x50, 0x4b, 7, 8]), sizes])
    offset += 16
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(version, 4)
    writeCommon(entry, 6, name.length)
    sizes.copy(entry, 16)
    entry.writeUInt32LE(localOffset, 42)
    directory.push(entry, name)
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length / 2, 8)
  end.writeUInt16LE(directory.length / 2, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([entries, end])
}

/** Writes the fields that both headers share. */
function writeCommon(header: Buffer, at: number, nameLength: number): void {
  header.writeUInt16LE(version, at)
  header.writeUInt16LE(flags, at + 2)
  header.writeUInt16LE(deflated, at + 4)
  header.writeUInt16LE(date, at + 8)
  header.writeUInt16LE(nameLength, at + 22)
}

async function* deflate(
  content: ZipPart['content'],
  count: { size: number; sum: number },
): AsyncGenerator<Buffer> {
  async function* counted() {
    for await (const text of content) {
      const bytes = Buffer.from(text)
      count.size += bytes.length
      count.sum = crc32(bytes, count.sum)
      if (count.size >= largest) throw new ZipTooLargeError()
      yield bytes
    }
  }
  const stream = createDeflateRaw()
  // The loop below reports the error.
  pipeline(Readable.from(counted(), { objectMode: false }), stream).catch(() => undefined)
  for await (const chunk of stream) yield chunk as Buffer
}
