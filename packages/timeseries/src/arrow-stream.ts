import { SeriesEngineError } from './series-engine-error.ts'

/** Marker at the start of a message, followed by the length of its metadata. */
const continuation = 0xffffffff
const prefixBytes = 8
/** Last message of a stream. */
export const endOfStream = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
/** Message kind of the schema. */
const schemaKind = 1

/**
 * Joins several Arrow streams with the same columns into one, because the engine writes one stream per chunk. The result has
 * one schema and one end marker (https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format).
 * @param names replace the column names of the engine
 */
export async function* joinArrowStreams(
  bytes: AsyncIterable<Uint8Array>,
  names: readonly string[],
): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(bytes)
  let hasSchema = false
  for (;;) {
    const prefix = await reader.take(prefixBytes)
    if (prefix === undefined) break
    const metadataBytes = prefix.readUInt32LE(4)
    if (prefix.readUInt32LE(0) !== continuation) throw brokenStream()
    if (metadataBytes === 0) continue
    const metadata = await reader.take(metadataBytes)
    if (metadata === undefined) throw brokenStream()
    const { kind, bodyBytes } = readMessage(metadata)
    const isWanted = kind !== schemaKind || !hasSchema
    hasSchema ||= kind === schemaKind
    if (isWanted) yield frame(kind === schemaKind ? renameColumns(metadata, names) : metadata)
    for await (const part of reader.parts(bodyBytes)) if (isWanted) yield part
  }
  yield endOfStream
}

/**
 * Reads the first message of an Arrow stream, which is its schema.
 * @param names replace the column names of the engine
 */
export async function readSchema(
  bytes: AsyncIterable<Uint8Array>,
  names: readonly string[],
): Promise<Uint8Array> {
  for await (const message of joinArrowStreams(bytes, names)) return message
  throw brokenStream()
}

function frame(metadata: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(continuation, 0)
  prefix.writeUInt32LE(metadata.length, 4)
  return Buffer.concat([prefix, metadata])
}

/** Returns a schema with other column names: the names are appended, and the offsets point to them. */
function renameColumns(metadata: Buffer, names: readonly string[]): Buffer {
  const renamed = Buffer.from(metadata)
  const follow = (at: number) => at + renamed.readUInt32LE(at)
  const schema = follow(fieldAt(renamed, follow(0), 2))
  const columns = follow(fieldAt(renamed, schema, 1))
  const parts: Buffer[] = [renamed]
  let size = renamed.length
  names.forEach((name, index) => {
    const nameAt = fieldAt(renamed, follow(columns + 4 + index * 4), 0)
    const bytes = Buffer.from(name)
    const text = Buffer.alloc(Math.ceil((4 + bytes.length + 1) / 8) * 8)
    text.writeUInt32LE(bytes.length, 0)
    bytes.copy(text, 4)
    renamed.writeUInt32LE(size - nameAt, nameAt)
    parts.push(text)
    size += text.length
  })
  return Buffer.concat(parts)
}

/** Returns the position of a field of a FlatBuffer table; 0 if it is absent. */
function fieldAt(metadata: Buffer, table: number, field: number): number {
  const fields = table - metadata.readInt32LE(table)
  const at = 4 + field * 2
  const offset = at < metadata.readUInt16LE(fields) ? metadata.readUInt16LE(fields + at) : 0
  return offset === 0 ? 0 : table + offset
}

/** Reads kind and body length from the FlatBuffer table of a message: version, kind, header, length of the body. */
function readMessage(metadata: Buffer): { kind: number; bodyBytes: number } {
  const table = metadata.readUInt32LE(0)
  const [kindAt, bodyAt] = [fieldAt(metadata, table, 1), fieldAt(metadata, table, 3)]
  return {
    kind: kindAt === 0 ? 0 : metadata[kindAt]!,
    bodyBytes: bodyAt === 0 ? 0 : Number(metadata.readBigInt64LE(bodyAt)),
  }
}

/** Re-chunks a byte stream. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#source = bytes[Symbol.asyncIterator]()
  }

  /** Returns this many bytes; undefined at the end. */
  async take(size: number): Promise<Buffer | undefined> {
    const parts: Uint8Array[] = []
    let taken = 0
    while (taken < size) {
      if (this.#rest.length === 0 && !(await this.#fill())) break
      const part = this.#rest.subarray(0, size - taken)
      this.#rest = this.#rest.subarray(part.length)
      parts.push(part)
      taken += part.length
    }
    if (taken === 0 && size > 0) return undefined
    if (taken < size) throw brokenStream()
    return parts.length === 1 ? Buffer.from(parts[0]!) : Buffer.concat(parts)
  }

  /** Streams the next bytes without buffering them. */
  async *parts(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#fill())) throw brokenStream()
      const part = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      yield part
    }
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    if (done) return false
    this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return true
  }
}

function brokenStream(): SeriesEngineError {
  return new SeriesEngineError('failed', 'The series engine returned an incomplete Arrow stream.')
}
