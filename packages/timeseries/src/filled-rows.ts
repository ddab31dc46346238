import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AnswerColumn } from './answer-format.ts'
import { branchesOf, keepOrder, type RowQuestion } from './answer-rows.ts'
import { readMoments } from './fill-moments.ts'
import { canFill, unionOf, type FilledSource } from './fill-sql.ts'
import { GapFiller, type FilledValues } from './gap-filler.ts'
import { bytesOf, clickhouseType, encodeInt64, encodeValues, nativeBlockParts } from './native-block.ts'
import { joinNumbers, readNativeBlocks, type NativeRows } from './native-rows.ts'
import type { Fill, ValueType } from './series-engine.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'

/** Rows with their gaps filled, for as long as an answer lasts. */
export interface FilledRows extends FilledSource {
  drop(): Promise<void>
}

const blockRows = 65_536
/** The server does nothing else for so long. */
const turnMs = 10

/**
 * Fills the gaps of all selections that ask for it: the points of a series are read in the order of time, and a row is made per
 * timestamp of the answer. Takes memory for the timestamps and for the points of one series.
 * @param signal ends the work
 * @throws SeriesEngineError `too-large` for too many rows.
 */
export async function fillGaps(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
  signal: AbortSignal,
): Promise<FilledRows> {
  const { columns, resampled } = question
  const branches = branchesOf({ ...question, isUnordered: true, keepsOverflows: true })
  const own = unionOf(branches.filter(({ fill }) => fill))
  const moments = await readMoments(connection, question, branches, params)
  const rows = new FilledBlock(columns)
  let hasOverflows = false
  async function* blocks() {
    let turnEndMs = performance.now() + turnMs
    for await (const series of readSeries(connection, own, columns, params)) {
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
        if (performance.now() < turnEndMs) continue
        await nextTurn()
        signal.throwIfAborted()
        turnEndMs = performance.now() + turnMs
      }
      hasOverflows ||= fillers.some((filler) => filler.hasOverflows)
    }
    if (!rows.isEmpty) yield rows.take()
  }
  const upload = await connection.upload(structureOf(columns), blocks())
  return {
    source: upload.source,
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
  ages: Float64Array
  /** By column. */
  values: FilledValues[]
}

/** The points of rows `place, sid, ts, age, v0…`, series after series. */
async function* readSeries(
  connection: SqlConnection,
  rows: string,
  columns: readonly AnswerColumn[],
  params: SqlParams,
): AsyncGenerator<FilledSeries> {
  const facts = ['toUInt32(place)', 'sid', 'toFloat64(toUnixTimestamp64Milli(ts))', 'toFloat64(age)']
  const values = columns.map(({ type }, index) => readable(`v${index}`, type))
  const sql = `SELECT ${[...facts, ...values].join(', ')} FROM (${rows}) ORDER BY place, sid, ts FORMAT Native SETTINGS ${keepOrder}`
  const stream = await connection.stream(sql, usedParams(sql, params))
  let parts: NativeRows[] = []
  try {
    for await (const block of readNativeBlocks(stream, facts.length + columns.length)) {
      for (let from = 0; from < block.count;) {
        const to = endOfSeries(block, from)
        const last = parts.at(-1)
        if (last && !isSameSeries(last, 0, block, from)) {
          yield joinSeries(parts)
          parts = []
        }
        parts.push({ count: to - from, columns: block.columns.map((column) => part(column, from, to)) })
        from = to
      }
    }
  } finally {
    stream.close()
  }
  if (parts.length > 0) yield joinSeries(parts)
}

function readable(value: string, type: ValueType): string {
  if (type === 'string') return `ifNull(${value}, '')`
  if (type === 'date') return `toFloat64(toUnixTimestamp64Milli(${value}))`
  // Not a number is what an overflow of several steps ends with.
  return type === 'double' ? `if(isFinite(${value}) = 0, inf, ${value})` : `toFloat64(${value})`
}

function part(values: FilledValues, from: number, to: number): FilledValues {
  return values instanceof Float64Array ? values.subarray(from, to) : values.slice(from, to)
}

function endOfSeries(block: NativeRows, from: number): number {
  let to = from + 1
  while (to < block.count && isSameSeries(block, from, block, to)) to++
  return to
}

function isSameSeries(a: NativeRows, row: number, b: NativeRows, other: number): boolean {
  return a.columns[0]![row] === b.columns[0]![other] && a.columns[1]![row] === b.columns[1]![other]
}

function joinSeries(parts: readonly NativeRows[]): FilledSeries {
  const [places, sids, timestamps, ages, ...values] = parts[0]!.columns.map((_, index) =>
    joinValues(parts.map(({ columns }) => columns[index]!)),
  )
  return {
    place: Number(places![0]),
    sid: Number(sids![0]),
    timestamps: timestamps as Float64Array,
    ages: ages as Float64Array,
    values,
  }
}

function joinValues(parts: readonly FilledValues[]): FilledValues {
  if (parts.length === 1) return parts[0]!
  const numbers = parts.filter((part) => part instanceof Float64Array)
  return numbers.length === parts.length ? joinNumbers(numbers) : (parts as string[][]).flat()
}

function structureOf(columns: readonly AnswerColumn[]): string {
  const values = columns.map(({ type }, index) => `v${index} ${clickhouseType(type)}`)
  return ['place UInt32', 'sid UInt32', `ts DateTime64(3, 'UTC')`, 'age Int64', ...values].join(', ')
}

/** Rows on their way to the engine. */
class FilledBlock {
  readonly #columns: readonly AnswerColumn[]
  readonly #places = new Uint32Array(blockRows)
  readonly #sids = new Uint32Array(blockRows)
  readonly #timestamps = new Float64Array(blockRows)
  readonly #ages = new Float64Array(blockRows)
  readonly #words = [new Uint32Array(blockRows * 2), new Uint32Array(blockRows * 2)] as const
  readonly #nulls: Uint8Array[]
  readonly #values: FilledValues[]
  #size = 0

  constructor(columns: readonly AnswerColumn[]) {
    this.#columns = columns
    this.#nulls = columns.map(() => new Uint8Array(blockRows))
    this.#values = columns.map(({ type }) =>
      type === 'string' ? Array.from({ length: blockRows }, () => '') : new Float64Array(blockRows),
    )
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
    let point = lowerBound(series.timestamps, moments[from]!)
    for (let at = from; at < to; at++) {
      const row = start + at - from
      const isPoint = series.timestamps[point] === moments[at]
      const age = isPoint ? series.ages[point++]! : 0
      if (hasValue[at - from] === 0) continue
      const target = this.#size++
      this.#timestamps[target] = moments[at]!
      this.#ages[target] = age
      if (target !== row) for (const values of this.#values) values[target] = values[row]!
    }
    this.#places.fill(series.place, start, this.#size)
    this.#sids.fill(series.sid, start, this.#size)
    return to
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
      { name: 'age', type: 'Int64', bytes: [encodeInt64(this.#ages.subarray(0, count), this.#words[1])] },
      ...this.#columns.map(({ type }, index) => ({
        name: `v${index}`,
        type: clickhouseType(type),
        bytes: this.#encode(type, index, count),
      })),
    ])
  }

  /** Bytes of a column, of which a double may be infinite. */
  #encode(type: ValueType, index: number, count: number): Uint8Array[] {
    const values = this.#values[index]!
    if (!(values instanceof Float64Array)) return encodeValues(type, values.slice(0, count))
    const numbers = values.subarray(0, count)
    if (type !== 'double') return encodeValues(type, numbers)
    const nulls = this.#nulls[index]!.subarray(0, count)
    for (let row = 0; row < count; row++) nulls[row] = Number.isNaN(numbers[row]) ? 1 : 0
    return [nulls, bytesOf(numbers)]
  }
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
