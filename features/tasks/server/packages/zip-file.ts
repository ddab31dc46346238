import { crc32, inflateRawSync } from 'node:zlib'

/** File of a zip archive. */
export interface ZipEntry {
  /** Path as the archive states it. */
  path: string
  /** Size of the content in bytes. */
  sizeBytes: number
  /** Type and permissions as on Unix; 0 if the archive has none. */
  mode: number
  /** Returns the content. Throws a `ZipError` if it is damaged. */
  read(): Buffer
}

/** A damaged or unsupported archive. */
export class ZipError extends Error {}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const endBytes = 22
const longestComment = 65_535
const largeMark = 0xffffffff

/**
 * Returns the files of a zip archive, without its folders.
 * @param maxEntries maximum number of files and folders
 * @throws ZipError
 */
export function readZip(bytes: Buffer, maxEntries: number): ZipEntry[] {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  const start = bytes.readUInt32LE(end + 16)
  if (count === 0xffff || start === largeMark) throw new ZipError('it uses the large format (zip64)')
  if (count > maxEntries) throw new ZipError(`it has more than ${maxEntries} files`)
  const entries: ZipEntry[] = []
  let at = start
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== entrySignature)
      throw new ZipError('its list of files is damaged')
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const path = bytes.toString('utf8', at + 46, nameEnd)
    if (!path.endsWith('/')) entries.push(entryOf(bytes, at, path))
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function findEnd(bytes: Buffer): number {
  const earliest = Math.max(0, bytes.length - endBytes - longestComment)
  for (let at = bytes.length - endBytes; at >= earliest; at--)
    if (bytes.readUInt32LE(at) === endSignature) return at
  throw new ZipError('it is no zip archive')
}

function entryOf(bytes: Buffer, at: number, path: string): ZipEntry {
  const flags = bytes.readUInt16LE(at + 8)
  const method = bytes.readUInt16LE(at + 10)
  const checksum = bytes.readUInt32LE(at + 16)
  const packedBytes = bytes.readUInt32LE(at + 20)
  const sizeBytes = bytes.readUInt32LE(at + 24)
  const local = bytes.readUInt32LE(at + 42)
  if ((flags & 1) !== 0) throw new ZipError('it is encrypted')
  if (method !== 0 && method !== 8) throw new ZipError('it uses an unknown compression')
  if ([packedBytes, sizeBytes, local].includes(largeMark))
    throw new ZipError('it uses the large format (zip64)')
  return {
    path,
    sizeBytes,
    mode: bytes.readUInt32LE(at + 38) >>> 16,
    read() {
      if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== localSignature)
        throw new ZipError(`${path} is damaged`)
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
      const packed = bytes.subarray(start, start + packedBytes)
      const content = method === 0 ? packed : inflate(packed, sizeBytes, path)
      if (content.length !== sizeBytes || crc32(content) !== checksum)
        throw new ZipError(`${path} is damaged`)
      return content
    },
  }
}

/** The limit stops content that is larger than the archive states. */
function inflate(packed: Buffer, sizeBytes: number, path: string): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, sizeBytes) })
  } catch {
    throw new ZipError(`${path} is damaged`)
  }
}
