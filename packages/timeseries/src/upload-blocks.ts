import { earliestMs, latestMs } from './calendar-time.ts'
import { columnName } from './dataset-tables.ts'
import {
  bytesOf,
  clickhouseType,
  createValueMemory,
  encodeInt64,
  encodeRowNumbers,
  encodeValues,
  nativeBlockParts,
  type ValueMemory,
} from './native-block.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { CollectRequest, ColumnSpec, PointBatch } from './series-upload.ts'
import type { UploadTails } from './upload-tails.ts'

/**
 * Maximum number of rows of a direct upload. They fit into one block of the engine, so that one statement makes the whole
 * upload visible or none of it.
 */
export const maxDirectRows = 1_000_000
/**
 * Maximum size of a direct upload, in bytes of its encoded blocks. The limit leaves room in the block: an empty string takes
 * four times as many bytes in memory as in transfer.
 */
export const maxDirectBytes = 48 * 1024 * 1024

/** Properties of an upload, collected while it streams. */
export interface UploadFacts {
  /** Number of rows so far. */
  rows: number
  /** Size of the encoded blocks so far, in bytes. */
  bytes: number
  /** Earliest timestamp, in UTC milliseconds; `latestMs` before the first row. */
  first: number
  /** Latest timestamp, in UTC milliseconds; `earliestMs` before the first row. */
  last: number
  /** Series of the first row: the smallest one if the rows are sorted. */
  firstSid: number
  /**
   * Whether all rows so far are in strictly ascending order of (series, timestamp). If so, they need no sorting and have no
   * duplicates.
   */
  isSorted: boolean
  /** Whether a timestamp has milliseconds. */
  hasMilliseconds: boolean
  /** Whether a double is extreme: see `ordinaryPower`. */
  hasExtremes: boolean
  /** Series of the row that was read last; 0 before the first row. */
  sid: number
  /** Timestamp of the row that was read last, in UTC milliseconds; 0 before the first row. */
  timestamp: number
}

/** Encodes batches as blocks of the engine, and collects the facts of the upload and its newest rows. */
export async function* encodeBatches(
  columns: readonly ColumnSpec[],
  batches: CollectRequest['batches'],
  {
    seen,
    tails,
    earliest = earliestMs,
    signal,
  }: {
    seen: UploadFacts
    tails: UploadTails | undefined
    /** Earliest date that the engine can store: see readEarliestMs. */
    earliest?: number
    signal: AbortSignal | undefined
  },
): AsyncGenerator<readonly Uint8Array[]> {
  let memory: BlockMemory | undefined
  for await (const batch of batches) {
    signal?.throwIfAborted()
    const rowCount = batch.sids.length
    checkLengths(columns, batch)
    if (rowCount === 0) continue
    if (memory === undefined || memory.capacity < rowCount) memory = createBlockMemory(rowCount, columns)
    const firstRow = seen.rows
    checkRows(batch, seen)
    if (earliest > earliestMs) checkDates(columns, batch, earliest)
    const block = nativeBlockParts(rowCount, [
      {
        name: 'seq',
        type: 'UInt64',
        bytes: [
          batch.rows
            ? encodeInt64(batch.rows, memory.rows)
            : encodeRowNumbers(firstRow, rowCount, memory.rows),
        ],
      },
      { name: 'sid', type: 'UInt32', bytes: [bytesOf(batch.sids)] },
      {
        name: 'ts',
        type: "DateTime64(3, 'UTC')",
        bytes: [encodeInt64(batch.timestamps, memory.timestamps)],
      },
      ...columns.map(({ id, type }, index) => ({
        name: columnName(id),
        type: clickhouseType(type),
        bytes: encodeValues(type, batch.values[index]!, memory?.values[index]),
      })),
    ])
    for (const part of block) seen.bytes += part.length
    seen.hasExtremes ||= memory.values.some(({ hasExtremes }) => hasExtremes)
    seen.rows += rowCount
    if (seen.isSorted && seen.rows <= maxDirectRows && seen.bytes <= maxDirectBytes) tails?.add(batch)
    else tails?.drop()
    yield block
  }
}

/** Memory that is reused for each block. */
interface BlockMemory {
  capacity: number
  rows: Uint32Array
  timestamps: Uint32Array
  values: ValueMemory[]
}

function createBlockMemory(capacity: number, columns: readonly ColumnSpec[]): BlockMemory {
  return {
    capacity,
    rows: new Uint32Array(capacity * 2),
    timestamps: new Uint32Array(capacity * 2),
    values: columns.map(({ type }) => createValueMemory(type, capacity)),
  }
}

/** Refuses duplicate and invalid columns. */
export function checkColumns(columns: readonly ColumnSpec[]): void {
  for (const { id } of columns) columnName(id)
  if (new Set(columns.map((column) => column.id)).size < columns.length) {
    throw new SeriesEngineError('invalid', 'The upload lists a column twice.')
  }
}

function checkLengths(columns: readonly ColumnSpec[], batch: PointBatch): void {
  const rowCount = batch.sids.length
  const lengths = [batch.timestamps.length, ...batch.values.map((values) => values.length)]
  if (batch.values.length !== columns.length || lengths.some((length) => length !== rowCount)) {
    throw new SeriesEngineError(
      'invalid',
      'A batch has columns of different lengths, or another number of columns than the upload.',
    )
  }
}

function checkRows({ sids, timestamps, rows }: PointBatch, seen: UploadFacts): void {
  let { first, last, sid: latestSid, timestamp: latest, isSorted, hasMilliseconds } = seen
  if (seen.rows === 0) seen.firstSid = sids[0]!
  for (let row = 0; row < sids.length; row++) {
    const timestamp = timestamps[row]!
    const sid = sids[row]!
    if (!(timestamp >= earliestMs && timestamp <= latestMs && Number.isInteger(timestamp)) || sid === 0) {
      throw new SeriesEngineError(
        'invalid',
        `Row ${rows?.[row] ?? seen.rows + row} has series ${sid} and timestamp ${timestamp}; allowed are series from 1 and whole milliseconds of the years 1677 to 2299.`,
      )
    }
    if (timestamp < first) first = timestamp
    if (timestamp > last) last = timestamp
    if (sid < latestSid || (sid === latestSid && timestamp <= latest)) isSorted = false
    if (!hasMilliseconds && Math.floor(timestamp / 1000) * 1000 !== timestamp) hasMilliseconds = true
    latestSid = sid
    latest = timestamp
  }
  Object.assign(seen, { first, last, sid: latestSid, timestamp: latest, isSorted, hasMilliseconds })
}

/** Rejects dates that the engine cannot store, because some versions would clamp them without an error. */
function checkDates(
  columns: readonly ColumnSpec[],
  { timestamps, values }: PointBatch,
  earliest: number,
): void {
  const dates = values.filter((_, index) => columns[index]!.type === 'date') as Float64Array[]
  for (const list of [timestamps, ...dates]) {
    const tooEarly = list.find((ms) => ms < earliest)
    if (tooEarly !== undefined)
      throw new SeriesEngineError(
        'invalid',
        `The ClickHouse server of this installation cannot store dates before ${isoDay(earliest)}; the upload has ${isoDay(tooEarly)}. Remove earlier dates, or upgrade the server.`,
      )
  }
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Returns the columns of the blocks of an upload. */
export function structureOf(columns: readonly ColumnSpec[]): string {
  return ['seq UInt64', 'sid UInt32', "ts DateTime64(3, 'UTC')"]
    .concat(columns.map(({ id, type }) => `${columnName(id)} ${clickhouseType(type)}`))
    .join(', ')
}

/** Returns the facts of an upload before its first row. */
export function noRows(): UploadFacts {
  return {
    rows: 0,
    bytes: 0,
    first: latestMs,
    last: earliestMs,
    firstSid: 0,
    isSorted: true,
    hasMilliseconds: false,
    hasExtremes: false,
    sid: 0,
    timestamp: 0,
  }
}
