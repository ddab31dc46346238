/** Sizes follow the content; names are in UTF-8. */
const flags = 0x0808
const version = 20
/** Version that reads sizes of 64 bits. */
const largeVersion = 45
const deflated = 8
/** Value of a 32-bit field if the actual number is in a 64-bit field. */
const elsewhere = 0xffffffff
/** Maximum size of a file, and of an archive, with 32-bit sizes. */
export const maxNarrowBytes = elsewhere - 1
/** Id of the additional field with sizes of 64 bits. */
const largeId = 0x0001
/** Id of the additional field with times in UTC; the times in the headers have no zone. */
const timeId = 0x5455

/** Thrown if an archive is larger than its format allows. */
export class ZipTooLargeError extends Error {}

interface Entry {
  name: Buffer
  modifiedAt: Date | undefined
  localOffset: number
}

/** Sizes and checksum of the content of a file. */
interface Content {
  /** Uncompressed size in bytes. */
  sizeBytes: number
  /** Compressed size in bytes. */
  packedBytes: number
  /** CRC-32 of the content. */
  checksum: number
}

/**
 * Creates the records of a zip archive: one before and one after the content of each file, and the list of files at the end.
 * It computes positions from the sizes and never reads the content.
 * @param isLarge whether sizes have 64 bits (ZIP64)
 */
export function createZipRecords({ isLarge }: { isLarge: boolean }) {
  let offset = 0
  let entryCount = 0
  let open: Entry | undefined
  const list: Buffer[] = []
  return {
    /** Returns the record before the content of a file. */
    begin({ path, modifiedAt }: { path: string; modifiedAt?: Date }): Buffer {
      open = { name: Buffer.from(path), modifiedAt, localOffset: offset }
      // The sizes follow the content; this field announces that they have 64 bits.
      const fields = additionalFields(isLarge ? [0, 0] : [], modifiedAt)
      const header = Buffer.alloc(30)
      header.writeUInt32LE(0x04034b50, 0)
      writeCommon(header, 4, open, fields, isLarge)
      if (isLarge) {
        header.writeUInt32LE(elsewhere, 18)
        header.writeUInt32LE(elsewhere, 22)
      }
      return counted(Buffer.concat([header, open.name, fields]))
    },

    /**
     * Returns the record after the content of a file.
     * @throws ZipTooLargeError if a size needs 64 bits and the archive has none
     */
    end({ sizeBytes, packedBytes, checksum }: Content): Buffer {
      const entry = open!
      offset += packedBytes
      if (!isLarge && Math.max(sizeBytes, packedBytes, offset) > maxNarrowBytes) throw new ZipTooLargeError()
      const fields = additionalFields(
        isLarge ? [sizeBytes, packedBytes, entry.localOffset] : [],
        entry.modifiedAt,
      )
      const listed = Buffer.alloc(46)
      listed.writeUInt32LE(0x02014b50, 0)
      listed.writeUInt16LE(version, 4)
      writeCommon(listed, 6, entry, fields, isLarge)
      listed.writeUInt32LE(checksum, 16)
      listed.writeUInt32LE(isLarge ? elsewhere : packedBytes, 20)
      listed.writeUInt32LE(isLarge ? elsewhere : sizeBytes, 24)
      listed.writeUInt32LE(isLarge ? elsewhere : entry.localOffset, 42)
      list.push(listed, entry.name, fields)
      entryCount++
      const sizes = isLarge ? numbers64([packedBytes, sizeBytes]) : numbers32([packedBytes, sizeBytes])
      return counted(Buffer.concat([Buffer.from([0x50, 0x4b, 7, 8]), numbers32([checksum]), sizes]))
    },

    /** Returns the list of files and the end of the archive. */
    directory(): Buffer {
      const entries = Buffer.concat(list)
      const end = Buffer.alloc(22)
      end.writeUInt32LE(0x06054b50, 0)
      end.writeUInt16LE(entryCount, 8)
      end.writeUInt16LE(entryCount, 10)
      end.writeUInt32LE(isLarge ? elsewhere : entries.length, 12)
      end.writeUInt32LE(isLarge ? elsewhere : offset, 16)
      const large = isLarge ? largeEnd({ entryCount, size: entries.length, offset }) : []
      return Buffer.concat([entries, ...large, end])
    },
  }

  function counted(bytes: Buffer): Buffer {
    offset += bytes.length
    return bytes
  }
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

/** Returns the additional fields of a header: sizes and positions of 64 bits, and the time of modification. */
function additionalFields(large: readonly number[], modifiedAt: Date | undefined): Buffer {
  const seconds = modifiedAt === undefined ? undefined : Math.floor(modifiedAt.getTime() / 1000)
  return Buffer.concat([
    ...(large.length === 0 ? [] : [numbers16([largeId, large.length * 8]), numbers64(large)]),
    // The first byte states that the field contains the time of modification. Times after 2038 do not fit.
    ...(seconds === undefined || seconds < 0 || seconds > 0x7fffffff
      ? []
      : [numbers16([timeId, 5]), Buffer.from([1]), numbers32([seconds])]),
  ])
}

function numbers16(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2)
  for (const [at, number] of numbers.entries()) bytes.writeUInt16LE(number, at * 2)
  return bytes
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
  { name, modifiedAt }: Entry,
  fields: Buffer,
  isLarge: boolean,
): void {
  const { date, time } = modifiedAt === undefined ? noTime : dosTime(modifiedAt)
  header.writeUInt16LE(isLarge ? largeVersion : version, at)
  header.writeUInt16LE(flags, at + 2)
  header.writeUInt16LE(deflated, at + 4)
  header.writeUInt16LE(time, at + 6)
  header.writeUInt16LE(date, at + 8)
  header.writeUInt16LE(name.length, at + 22)
  header.writeUInt16LE(fields.length, at + 24)
}

/** 1 January 1980, the first date that the format supports. */
const noTime = { date: 0x0021, time: 0 }

/**
 * Returns a time as two numbers of 16 bits, in UTC and in steps of two seconds. The format supports the years 1980 to 2107.
 */
function dosTime(at: Date): { date: number; time: number } {
  const year = at.getUTCFullYear() - 1980
  if (!(year >= 0 && year < 128)) return noTime
  return {
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}
