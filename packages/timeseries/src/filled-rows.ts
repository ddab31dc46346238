import type { AnswerColumn } from './answer-format.ts'
import { branchesOf, keepOrder, type RowQuestion } from './answer-rows.ts'
import { readMoments } from './fill-moments.ts'
import { canFill, checkFilledRows, unionOf, type FilledSource } from './fill-sql.ts'
import { GapFiller, type FilledValues } from './gap-filler.ts'
import { bytesOf, clickhouseType, encodeInt64, encodeValues, nativeBlockParts } from './native-block.ts'
import { joinNumbers, readNativeBlocks } from './native-rows.ts'
import type { Fill, ValueType } from './series-engine.ts'
import { sortRuns } from './sort-runs.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { TimeSlice } from './time-slice.ts'

/** Rows with their gaps filled, for as long as an answer lasts. */
export interface FilledRows extends FilledSource {
  drop(): Promise<void>
}

const blockRows = 65_536
/** Memory for the points of all series together, if they are to be read once only. */
const maxFewBytes = 32 * 1024 * 1024

/**
 * Fills the gaps of all selections that ask for it: the points of a series are read in the order of time, and a row is made per
 * timestamp of the answer. Takes memory for the timestamps and for the points of one series, or of all if they are few.
 * @param signal ends the work
 * @throws SeriesEngineError `too-large` for too many rows.
 */
export async function fillGaps(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
  signal: AbortSignal,
): Promise<FilledRows> {
  const { resampled, query } = question
  const columns = question.columns.map((column, index) => ({
    ...column,
    // Sums may be beyond what a double holds exactly.
    isText: column.type === 'string' || (column.type === 'integer' && resampled?.[index]!.function === 'sum'),
  }))
  const reading = { connection, columns, params, hasAges: query.versionTexts !== undefined }
  const unfilled = { ...question, keepsOverflows: true }
  const branches = branchesOf({ ...unfilled, isUnordered: true })
  const own = `SELECT * FROM (${unionOf(branches.filter(({ fill }) => fill))}) ORDER BY place, sid, ts`
  const isEachFilled = branches.every(({ fill }) => fill) && !resampled
  const ascending = branchesOf({ ...unfilled, query: { ...query, order: 'asc' } })
  const few = isEachFilled ? await takeFew(readParts(reading, unionOf(ascending))) : undefined
  const moments = few ? momentsOf(few) : await readMoments(connection, question, branches, params)
  const rows = new FilledBlock(columns, reading.hasAges)
  let hasOverflows = false
  async function* blocks() {
    const slice = new TimeSlice(signal)
    for await (const series of joinParts(few ?? readParts(reading, own))) {
      const { isAsked, fill } = branches[series.place]!
      const { timestamps } = series
      const fillers = columns.map(({ type }, index) => {
        const wanted: Fill | undefined = resampled?.[index]!.function === 'count' ? { kind: 'zero' } : fill
        const applied = wanted && isAsked[index] && canFill(type, wanted) ? wanted : undefined
        return new GapFiller({ type, timestamps, values: series.values[index]!, fill: applied })
      })
      if (resampled) hasOverflows ||= series.values.some(hasInfinite)
      for (let from = 0; from < moments.length;) {
        from = rows.add(series, fillers, moments, from)
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
  place: number
  sid: number
  timestamps: Float64Array
  /** Where they are asked for. */
  ages: Float64Array | undefined
  /** By column. */
  values: FilledValues[]
}

interface FilledColumn extends AnswerColumn {
  /** Whether its values are texts on their way through the server. */
  isText: boolean
}

/** How points are read. */
interface PointReading {
  connection: SqlConnection
  columns: readonly FilledColumn[]
  params: SqlParams
  hasAges: boolean
}

/** Points of one series that follow each other. */
interface SeriesPart {
  /** Of the series, larger for later ones. */
  key: number
  timestamps: Float64Array
  ages: Float64Array | undefined
  values: readonly FilledValues[]
}

const twoTo32 = 4_294_967_296

/** The points of rows `place, sid, ts, age, v0…` in the order in which they come. */
async function* readParts(
  { connection, columns, params, hasAges }: PointReading,
  rows: string,
): AsyncGenerator<SeriesPart> {
  const facts = [
    `toFloat64(place) * ${twoTo32} + sid`,
    'toFloat64(toUnixTimestamp64Milli(ts))',
    ...(hasAges ? ['toFloat64(age)'] : []),
  ]
  const values = columns.map((column, index) => readable(`v${index}`, column))
  const sql = `SELECT ${[...facts, ...values].join(', ')} FROM (${rows}) FORMAT Native SETTINGS ${keepOrder}`
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

/** All parts, series after series; undefined = they take too much memory. */
async function takeFew(parts: AsyncIterable<SeriesPart>): Promise<SeriesPart[] | undefined> {
  const few: SeriesPart[] = []
  let bytes = 0
  for await (const part of parts) {
    few.push(part)
    bytes += part.timestamps.byteLength * 2
    for (const column of part.values) bytes += bytesOfColumn(column)
    if (bytes > maxFewBytes) return undefined
  }
  // The parts of a series stay in their order.
  return few.sort((a, b) => a.key - b.key)
}

function bytesOfColumn(values: FilledValues): number {
  if (values instanceof Float64Array) return values.byteLength
  return values.reduce((bytes, text) => bytes + 16 + text.length * 2, 0)
}

/**
 * The timestamps of points, each once and in their order.
 * @throws SeriesEngineError `too-large` for too many rows.
 */
function momentsOf(parts: readonly SeriesPart[]): Float64Array {
  const moments = sortRuns(joinNumbers(parts.map(({ timestamps }) => timestamps)))
  checkFilledRows(moments.length, new Set(parts.map(({ key }) => key)).size)
  return moments
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
    place: Math.floor(key / twoTo32),
    sid: key % twoTo32,
    timestamps: joinNumbers(parts.map(({ timestamps }) => timestamps)),
    ages: ages && joinNumbers(parts.map((part) => part.ages!)),
    values: values.map((_, index) => joinValues(parts.map((part) => part.values[index]!))),
  }
}

function readable(value: string, { type, isText }: FilledColumn): string {
  if (isText) return `ifNull(toString(${value}), '')`
  if (type === 'date') return `toFloat64(toUnixTimestamp64Milli(${value}))`
  // Not a number is what an overflow of several steps ends with.
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

/** Rows on their way to the engine. */
class FilledBlock {
  readonly #columns: readonly FilledColumn[]
  readonly #hasAges: boolean
  readonly #places = new Uint32Array(blockRows)
  readonly #sids = new Uint32Array(blockRows)
  readonly #timestamps = new Float64Array(blockRows)
  readonly #ages = new Float64Array(blockRows)
  readonly #words = [new Uint32Array(blockRows * 2), new Uint32Array(blockRows * 2)] as const
  readonly #nulls: Uint8Array[]
  readonly #values: FilledValues[]
  #size = 0

  /** @param hasAges whether the rows have the ages of points, which few answers show. */
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
    return ['place UInt32', 'sid UInt32', `ts DateTime64(3, 'UTC')`, ...age, ...values].join(', ')
  }

  /** SQL of the rows with an age, once they are written. */
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

  /** Adds the rows of a series at timestamps from a place on, as far as there is room; answers with the place of the next one. */
  add(series: FilledSeries, fillers: readonly GapFiller[], moments: Float64Array, from: number): number {
    const start = this.#size
    const to = Math.min(moments.length, from + blockRows - start)
    for (const [index, filler] of fillers.entries())
      filler.write(moments.subarray(from, to), this.#values[index]!, start)
    const hasValue = this.#rowsWithValue(start, to - from)
    const timestamps = this.#timestamps
    let size = start
    for (let at = from; at < to; at++) {
      if (hasValue[at - from] === 0) continue
      const row = start + at - from
      timestamps[size] = moments[at]!
      if (size !== row) for (const values of this.#values) values[size] = values[row]!
      size++
    }
    this.#size = size
    this.#places.fill(series.place, start, size)
    this.#sids.fill(series.sid, start, size)
    if (series.ages) this.#addAges(series.timestamps, series.ages, start)
    return to
  }

  /** Writes the ages of the points among the rows from a place on; those of the other rows are 0. */
  #addAges(timestamps: Float64Array, ages: Float64Array, start: number): void {
    let point = lowerBound(timestamps, this.#timestamps[start]!)
    for (let row = start; row < this.#size; row++) {
      while (timestamps[point]! < this.#timestamps[row]!) point++
      this.#ages[row] = timestamps[point] === this.#timestamps[row] ? ages[point]! : 0
    }
  }

  /** By row, 1 where a column has a value. */
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

  /** The rows as a block, which begins anew. */
  take(): Uint8Array[] {
    const count = this.#size
    this.#size = 0
    return nativeBlockParts(count, [
      { name: 'place', type: 'UInt32', bytes: [bytesOf(this.#places.subarray(0, count))] },
      { name: 'sid', type: 'UInt32', bytes: [bytesOf(this.#sids.subarray(0, count))] },
      {
        name: 'ts',
        type: `DateTime64(3, 'UTC')`,
        bytes: [encodeInt64(this.#timestamps.subarray(0, count), this.#words[0])],
      },
      ...(this.#hasAges
        ? [
            {
              name: 'age',
              type: 'Int64',
              bytes: [encodeInt64(this.#ages.subarray(0, count), this.#words[1])],
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

  /** Bytes of a column, of which a double may be infinite. */
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
