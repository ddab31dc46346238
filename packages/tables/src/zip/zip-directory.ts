/** Error for a damaged or unsupported archive. The message is worded to follow “because”. */
export class ZipError extends Error {}

/** Entry in the list of files of a zip archive. */
export interface ZipRecord {
  /** Path in the archive. The path of a folder ends with a slash. */
  path: string
  /** 0: stored, 8: deflated. */
  method: number
  /** CRC-32 of the content. */
  checksum: number
  /** Compressed size in bytes. */
  packedBytes: number
  /** Uncompressed size in bytes. */
  sizeBytes: number
  /** Unix file type and permissions; 0 if the archive contains none. */
  mode: number
  /** Position of the local header. */
  localOffset: number
}

/** Location of the list of files. */
export interface ZipDirectory {
  /** Number of files and folders. */
  count: number
  /** Position of the list in the archive. */
  start: number
  /** Position of the end record, relative to the given bytes. */
  endAt: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const endBytes = 22
const largeMark = 0xffffffff
/** Size of a local header without its name, in bytes. */
export const localHeaderBytes = 30
/** Bytes at the end of an archive that contain the position of its list of files. */
export const zipTailBytes = endBytes + 65_535

/**
 * Returns the position of the list of files of an archive.
 * @param tail the last bytes of the archive
 * @param maxEntries maximum number of files and folders
 * @throws ZipError
 */
export function findZipDirectory(tail: Buffer, maxEntries: number): ZipDirectory {
  const endAt = findEnd(tail)
  const count = tail.readUInt16LE(endAt + 10)
  const start = tail.readUInt32LE(endAt + 16)
  if (count === 0xffff || start === largeMark) throw new ZipError('it uses the large format (zip64)')
  if (count > maxEntries) throw new ZipError(`it has more than ${maxEntries} files`)
  return { count, start, endAt }
}

/**
 * Returns the records of a list of files.
 * @param directory the bytes of the list
 * @throws ZipError
 */
export function readZipDirectory(directory: Buffer, count: number): ZipRecord[] {
  const records: ZipRecord[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== entrySignature)
      throw new ZipError('its list of files is damaged')
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28)
    records.push(recordOf(directory, at, directory.toString('utf8', at + 46, nameEnd)))
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return records
}

/**
 * Returns the distance from a local header to its content.
 * @throws ZipError if there is no local header
 */
export function localHeaderSize(header: Buffer, path: string): number {
  if (header.length < localHeaderBytes || header.readUInt32LE(0) !== localSignature)
    throw new ZipError(`${path} is damaged`)
  return localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - endBytes; at >= Math.max(0, tail.length - zipTailBytes); at--)
    if (tail.readUInt32LE(at) === endSignature) return at
  throw new ZipError('it is not a zip archive')
}

function recordOf(bytes: Buffer, at: number, path: string): ZipRecord {
  const flags = bytes.readUInt16LE(at + 8)
  const method = bytes.readUInt16LE(at + 10)
  const packedBytes = bytes.readUInt32LE(at + 20)
  const sizeBytes = bytes.readUInt32LE(at + 24)
  const localOffset = bytes.readUInt32LE(at + 42)
  if ((flags & 1) !== 0) throw new ZipError('it is encrypted')
  if (method !== 0 && method !== 8) throw new ZipError('it uses an unknown compression')
  if ([packedBytes, sizeBytes, localOffset].includes(largeMark))
    throw new ZipError('it uses the large format (zip64)')
  return {
    path,
    method,
    checksum: bytes.readUInt32LE(at + 16),
    packedBytes,
    sizeBytes,
    mode: bytes.readUInt32LE(at + 38) >>> 16,
    localOffset,
  }
}
