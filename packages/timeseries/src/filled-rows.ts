import type { ResultColumn } from './result-format.ts'
import { branchesOf, preserveOrder, type RowQuery } from './result-rows.ts'
import { readFillTimestamps } from './fill-timestamps.ts'
import { canFill, checkFilledRows, unionOf, type FilledSource } from './fill-sql.ts'
import { GapFiller, type FilledValues } from './gap-filler.ts'
import { bytesOf, clickhouseType, encodeInt64, encodeValues, nativeBlockParts } from './native-block.ts'
import { joinNumbers, readNativeBlocks } from './native-rows.ts'
import type { Fill } from './query-options.ts'
import type { ValueType } from './series-upload.ts'
import { sortRuns } from './sort-runs.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { TimeSlice } from './time-slice.ts'

/** Rows with filled gaps. They exist until the result has been read. */
export interface FilledRows extends FilledSource {
  /** Drops the rows. */
  drop(): Promise<void>
}

const blockRows = 65_536
/** Maximum memory for the points of all series together, in bytes. Up to this limit, the points are read only once. */
const maxFewBytes = 32 * 1024 * 1024

/**
 * Fills the gaps of all selections that request a fill. It reads the points of each series in time order and creates a row
 * for each timestamp of the result. It needs memory for the timestamps and for the points of one series, or of all series if
 * they have few points.
 * @param signal cancels the work
 * @throws SeriesEngineError `too-large` for too many rows
 */
export async function fillGaps(
  connection: SqlConnection,
  rowQuery: RowQuery,
  params: SqlParams,
  signal: AbortSignal,
): Promise<FilledRows> {
  const { resampled, query } = rowQuery
  const columns = rowQuery.columns.map((column, index) => ({
    ...column,
    // Sums may exceed the integers that a double holds exactly.
    isText: column.type === 'string' || (column.type === 'integer' && resampled?.[index]!.function === 'sum'),
  }))
  const reading = { connection, columns, params, hasAges: query.versionTexts !== undefined }
  const unfilled = { ...rowQuery, keepsOverflows: true }
  const branches = branchesOf({ ...unfilled, isUnordered: true })
  const own = `SELECT * FROM (${unionOf(branches.filter(({ fill }) => fill))}) ORDER BY selection, sid, ts`
  const isEachFilled = branches.every(({ fill }) => fill) && !resampled
  const ascending = branchesOf({ ...unfilled, query: { ...query, order: 'asc' } })
  const few = isEachFilled ? await takeFew(readParts(reading, unionOf(ascending))) : undefined
  const instants = few
    ? distinctTimestamps(few)
    : await readFillTimestamps(connection, rowQuery, branches, params)
  const rows = new FilledBlock(columns, reading.hasAges)
  let hasOverflows = false
  async function* blocks() {
    const slice = new TimeSlice(signal)
    for await (const series of joinParts(few ?? readParts(reading, own))) {
      const { isRequested, fill } = branches[series.selectionIndex]!
      const { timestamps } = series
      const fillers = columns.map(({ type }, index) => {
        const wanted: Fill | undefined = resampled?.[index]!.function === 'count' ? { kind: 'zero' } : fill
        const applied = wanted && isRequested[index] && canFill(type, wanted) ? wanted : undefined
        return new GapFiller({ type, timestamps, values: series.values[index]!, fill: applied })
      })
      if (resampled) hasOverflows ||= series.values.some(hasInfinite)
      for (let from = 0; from < instants.length;) {
        from = rows.add(series, fillers, instants, from)
        if (rows.isFull) yield rows.take()
        if (slice.isOver) await slice.next()
      }
      hasOverflows ||= fillers.some((filler) => filler.hasOverflows)
    }
    if (!rows.isEmpty) yield rows.take()
  }
  const upload = await connection.upload(rows.structure, blocks())
  return {
    source: rows.sourceOf(upload.source),
    isOrdered: upload.keepsOrder,
    hasOverflows,
    drop: () => upload.drop(),
  }
}

/** Points of one series. */
interface FilledSeries {
  selectionIndex: number
  sid: number
  timestamps: Float64Array
  /** Ages of the values; undefined unless they are requested. */
  ages: Float64Array | undefined
  /** By column. */
  values: FilledValues[]
}

interface FilledColumn extends ResultColumn {
  /** Whether its values are transferred as texts. */
  isText: boolean
}

/** Options to read points. */
interface PointReading {
  connection: SqlConnection
  columns: readonly FilledColumn[]
  params: SqlParams
  hasAges: boolean
}

/** Consecutive points of one series. */
interface SeriesPart {
  /** Sort key of the series. */
  key: number
  timestamps: Float64Array
  ages: Float64Array | undefined
  values: readonly FilledValues[]
}

const twoTo32 = 4_294_967_296

/** Streams the points in rows `selection, sid, ts, age, v0…`, in the order of the rows. */
async function* readParts(
  { connection, columns, params, hasAges }: PointReading,
  rows: string,
): AsyncGenerator<SeriesPart> {
  const facts = [
    `toFloat64(selection) * ${twoTo32} + sid`,
    'toFloat64(toUnixTimestamp64Milli(ts))',
    ...(hasAges ? ['toFloat64(age)'] : []),
  ]
  const values = columns.map((column, index) => readable(`v${index}`, column))
  const sql = `SELECT ${[...facts, ...values].join(', ')} FROM (${rows}) FORMAT Native SETTINGS ${preserveOrder}`
  const stream = await connection.stream(sql, usedParams(sql, params))
  try {
    for await (const block of readNativeBlocks(stream, facts.length + columns.length)) {
      const keys = block.columns[0] as Float64Array
      for (let from = 0; from < block.count;) {
        let to = from + 1
        while (to < block.count && keys[to] === keys[from]) to++
        const [, timestamps, ...others] = block.columns.map((column) => slice(column, from, to))
        yield {
          key: keys[from]!,
          timestamps: timestamps as Float64Array,
          ages: hasAges ? (others.shift() as Float64Array) : undefined,
          values: others,
        }
        from = to
      }
    }
  } finally {
    stream.close()
  }
}

/** Returns all parts sorted by series; undefined if they take too much memory. */
async function takeFew(parts: AsyncIterable<SeriesPart>): Promise<SeriesPart[] | undefined> {
  const few: SeriesPart[] = []
  let bytes = 0
  for await (const part of parts) {
    few.push(part)
    bytes += part.timestamps.byteLength * 2
    for (const column of part.values) bytes += bytesOfColumn(column)
    if (bytes > maxFewBytes) return undefined
  }
  // The sort is stable, so the parts of a series stay in order.
  return few.sort((a, b) => a.key - b.key)
}

function bytesOfColumn(values: FilledValues): number {
  if (values instanceof Float64Array) return values.byteLength
  return values.reduce((bytes, text) => bytes + 16 + text.length * 2, 0)
}

/**
 * Returns the distinct timestamps of points in order.
 * @throws SeriesEngineError `too-large` for too many rows
 */
function distinctTimestamps(parts: readonly SeriesPart[]): Float64Array {
  const instants = sortRuns(joinNumbers(parts.map(({ timestamps }) => timestamps)))
  checkFilledRows(instants.length, new Set(parts.map(({ key }) => key)).size)
  return instants
}

async function* joinParts(
  parts: AsyncIterable<SeriesPart> | Iterable<SeriesPart>,
): AsyncGenerator<FilledSeries> {
  let own: SeriesPart[] = []
  for await (const part of parts) {
    if (own.length > 0 && own[0]!.key !== part.key) {
      yield joinSeries(own)
      own = []
    }
    own.push(part)
  }
  if (own.length > 0) yield joinSeries(own)
}

function joinSeries(parts: readonly SeriesPart[]): FilledSeries {
  const { key, ages, values } = parts[0]!
  return {
    selectionIndex: Math.floor(key / twoTo32),
    sid: key % twoTo32,
    timestamps: joinNumbers(parts.map(({ timestamps }) => timestamps)),
    ages: ages && joinNumbers(parts.map((part) => part.ages!)),
    values: values.map((_, index) => joinValues(parts.map((part) => part.values[index]!))),
  }
}

function readable(value: string, { type, isText }: FilledColumn): string {
  if (isText) return `ifNull(toString(${value}), '')`
  if (type === 'date') return `toFloat64(toUnixTimestamp64Milli(${value}))`
  // An overflow within several steps results in NaN.
  return type === 'double' ? `if(isFinite(${value}) = 0, inf, ${value})` : `toFloat64(${value})`
}

function slice(values: FilledValues, from: number, to: number): FilledValues {
  return values instanceof Float64Array ? values.subarray(from, to) : values.slice(from, to)
}

function joinValues(parts: readonly FilledValues[]): FilledValues {
  if (parts.length === 1) return parts[0]!
  const numbers = parts.filter((part) => part instanceof Float64Array)
  return numbers.length === parts.length ? joinNumbers(numbers) : (parts as string[][]).flat()
}

/** Rows to be sent to the engine. */
class FilledBlock {
  readonly #columns: readonly FilledColumn[]
  readonly #hasAges: boolean
  readonly #selectionIndexes = new Uint32Array(blockRows)
  readonly #sids = new Uint32Array(blockRows)
  readonly #timestamps = new Float64Array(blockRows)
  readonly #ages = new Float64Array(blockRows)
  readonly #halves = [new Uint32Array(blockRows * 2), new Uint32Array(blockRows * 2)] as const
  readonly #nulls: Uint8Array[]
  readonly #values: FilledValues[]
  #size = 0

  /** @param hasAges whether to send the ages of points, which few results need */
  constructor(columns: readonly FilledColumn[], hasAges: boolean) {
    this.#columns = columns
    this.#hasAges = hasAges
    this.#nulls = columns.map(() => new Uint8Array(blockRows))
    this.#values = columns.map(({ isText }) =>
      isText ? Array.from({ length: blockRows }, () => '') : new Float64Array(blockRows),
    )
  }

  /** SQL of the columns of the blocks. */
  get structure(): string {
    const age = this.#hasAges ? ['age Int64'] : []
    const values = this.#columns.map((column, index) => `v${index} ${writtenType(column)}`)
    return ['selection UInt32', 'sid UInt32', `ts DateTime64(3, 'UTC')`, ...age, ...values].join(', ')
  }

  /** SQL of the written rows with an age. */
  sourceOf(written: string): string {
    const integers = this.#columns.flatMap((column, index) =>
      writtenType(column) === clickhouseType(column.type) ? [] : [`toInt64OrNull(v${index}) AS v${index}`],
    )
    const values = integers.length === 0 ? '*' : `* REPLACE (${integers.join(', ')})`
    const age = this.#hasAges ? '' : ', toInt64(0) AS age'
    return values === '*' && age === '' ? written : `(SELECT ${values}${age} FROM ${written})`
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  get isFull(): boolean {
    return this.#size === blockRows
  }

  /** Adds rows of a series, starting at timestamp index `from`, until the block is full. Returns the next index. */
  add(series: FilledSeries, fillers: readonly GapFiller[], instants: Float64Array, from: number): number {
    const start = this.#size
    const to = Math.min(instants.length, from + blockRows - start)
    for (const [index, filler] of fillers.entries())
      filler.write(instants.subarray(from, to), this.#values[index]!, start)
    const hasValue = this.#rowsWithValue(start, to - from)
    const timestamps = this.#timestamps
    let size = start
    for (let at = from; at < to; at++) {
      if (hasValue[at - from] === 0) continue
      const row = start + at - from
      timestamps[size] = instants[at]!
      if (size !== row) for (const values of this.#values) values[size] = values[row]!
      size++
    }
    this.#size = size
    this.#selectionIndexes.fill(series.selectionIndex, start, size)
    this.#sids.fill(series.sid, start, size)
    if (series.ages) this.#addAges(series.timestamps, series.ages, start)
    return to
  }

  /** Writes the ages of the points, starting at row `start`. Rows that are not points have the age 0. */
  #addAges(timestamps: Float64Array, ages: Float64Array, start: number): void {
    let point = lowerBound(timestamps, this.#timestamps[start]!)
    for (let row = start; row < this.#size; row++) {
      while (timestamps[point]! < this.#timestamps[row]!) point++
      this.#ages[row] = timestamps[point] === this.#timestamps[row] ? ages[point]! : 0
    }
  }

  /** Returns 1 for each row in which a column has a value, otherwise 0. */
  #rowsWithValue(start: number, count: number): Uint8Array {
    const hasValue = new Uint8Array(count)
    for (const values of this.#values) {
      if (values instanceof Float64Array) {
        for (let row = 0; row < count; row++) if (!Number.isNaN(values[start + row])) hasValue[row] = 1
      } else {
        for (let row = 0; row < count; row++) if (values[start + row] !== '') hasValue[row] = 1
      }
    }
    return hasValue
  }

  /** Returns the rows as a block and starts a new one. */
  take(): Uint8Array[] {
    const count = this.#size
    this.#size = 0
    return nativeBlockParts(count, [
      { name: 'selection', type: 'UInt32', bytes: [bytesOf(this.#selectionIndexes.subarray(0, count))] },
      { name: 'sid', type: 'UInt32', bytes: [bytesOf(this.#sids.subarray(0, count))] },
      {
        name: 'ts',
        type: `DateTime64(3, 'UTC')`,
        bytes: [encodeInt64(this.#timestamps.subarray(0, count), this.#halves[0])],
      },
      ...(this.#hasAges
        ? [
            {
              name: 'age',
              type: 'Int64',
              bytes: [encodeInt64(this.#ages.subarray(0, count), this.#halves[1])],
            },
          ]
        : []),
      ...this.#columns.map((column, index) => ({
        name: `v${index}`,
        type: writtenType(column),
        bytes: this.#encode(column.type, index, count),
      })),
    ])
  }

  /** Encodes a column; doubles may be infinite. */
  #encode(type: ValueType, index: number, count: number): Uint8Array[] {
    const values = this.#values[index]!
    if (!(values instanceof Float64Array)) return encodeValues('string', values.slice(0, count))
    const numbers = values.subarray(0, count)
    if (type !== 'double') return encodeValues(type, numbers)
    const nulls = this.#nulls[index]!.subarray(0, count)
    for (let row = 0; row < count; row++) nulls[row] = Number.isNaN(numbers[row]) ? 1 : 0
    return [nulls, bytesOf(numbers)]
  }
}

function writtenType({ type, isText }: FilledColumn): string {
  return clickhouseType(isText ? 'string' : type)
}

function hasInfinite(values: FilledValues): boolean {
  return values instanceof Float64Array && values.includes(Infinity)
}

function lowerBound(values: Float64Array, value: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
