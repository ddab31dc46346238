import type { Fill } from '../src/query-options.ts'
import type { Resample, ResampleFunction } from '../src/resample-aggregate.ts'
import type { ValueType } from '../src/series-upload.ts'
import { beginOfSpan, endOfSpan, type PlainZone } from './plain-calendar.ts'
import {
  uniqueNames,
  type PlainValue,
  type PlainQuery,
  type PlainColumn,
  type PlainRow,
  type PlainTable,
} from './plain-table.ts'

const earliest = Date.UTC(1677, 0, 1)

/** Fills the gaps of all series. */
export function fillRows(
  rows: readonly PlainRow[],
  query: PlainQuery,
  columns: readonly PlainColumn[],
): PlainRow[] {
  const times = [...new Set(rows.map(({ ts }) => ts))].sort((a, b) => a - b)
  return query.selections.flatMap(({ fill, columns: requested }, number) => {
    const own = rows.filter((row) => row.selection === number)
    const isRequested = columns.map(({ name, type }) =>
      requested.some((column) => column.name === name && column.type === type),
    )
    return fill ? fillSeries(own, columns, times, (index) => (isRequested[index] ? fill : undefined)) : own
  })
}

/** Adds the missing rows of a selection's series, if they get a value. */
function fillSeries(
  rows: readonly PlainRow[],
  columns: readonly PlainColumn[],
  times: readonly number[],
  fillOf: (column: number) => Fill | undefined,
): PlainRow[] {
  return [...Map.groupBy(rows, ({ sid }) => sid)].flatMap(([sid, given]) => {
    const series = [...given].sort((a, b) => a.ts - b.ts)
    const { selection } = series[0]!
    return times.flatMap((ts) => {
      const row = series.find((other) => other.ts === ts)
      const values = columns.map(({ type }, index) => {
        const value = row?.values[index] ?? null
        const fill = fillOf(index)
        if (value !== null || !fill) return value
        const known = series.flatMap((other) => {
          const there = other.values[index] ?? null
          return there === null ? [] : [{ ts: other.ts, value: there }]
        })
        return filledValue(ts, known, fill, type)
      })
      return values.every((value) => value === null) ? [] : [{ selection, sid, ts, ver: row?.ver, values }]
    })
  })
}

/** Adds and fills all spans between the first and the last one. */
export function fillSpans(
  { columns, rows, sources }: SpanTable,
  query: PlainQuery,
  { unit, amount, origin, fill }: Resample,
  zone: PlainZone,
): PlainRow[] {
  const last = Math.max(...rows.map(({ ts }) => ts))
  const times: number[] = []
  for (let ts = Math.min(...rows.map((row) => row.ts)); ts <= last;)
    ts = endOfSpan(times[times.push(ts) - 1]!, amount, unit, zone, origin)
  return query.selections.flatMap(({ columns: requested }, number) => {
    const own = rows.filter((row) => row.selection === number)
    return fillSeries(own, columns, times, (index) => {
      const { source, what } = sources[index]!
      const isRequested = requested.some(({ name, type }) => name === source.name && type === source.type)
      return isRequested ? (what === 'count' ? { kind: 'zero' } : fill) : undefined
    })
  })
}

function filledValue(
  ts: number,
  given: readonly { ts: number; value: number | string }[],
  fill: Fill,
  type: ValueType,
): PlainValue {
  const before = given.filter((other) => other.ts < ts)
  const previous = before.at(-1)
  const next = given.find((other) => other.ts > ts)
  if (fill.kind === 'previous') {
    const isOld = previous && ts - previous.ts > (fill.maxAgeMs ?? Infinity)
    return isOld ? null : (previous?.value ?? null)
  }
  if (fill.kind === 'next') return next?.value ?? null
  if (fill.kind === 'nearest') {
    if (!previous || !next) return previous?.value ?? next?.value ?? null
    return ts - previous.ts <= next.ts - ts ? previous.value : next.value
  }
  if (type === 'string' || type === 'date') return null
  if (fill.kind === 'zero') return 0
  const round = (value: number) =>
    type === 'integer' ? Math.sign(value) * Math.floor(Math.abs(value) + 0.5) : value
  if (fill.kind === 'average') {
    const values = before.slice(-fill.points).map(({ value }) => Number(value))
    return values.length === 0 ? null : round(values.reduce((sum, value) => sum + value, 0) / values.length)
  }
  if (!previous || !next) return null
  const share = (ts - previous.ts) / (next.ts - previous.ts)
  return round(Number(previous.value) + (Number(next.value) - Number(previous.value)) * share)
}

/** Rows of spans. */
interface SpanTable extends PlainTable {
  /** Source and function of each column. */
  sources: { source: PlainColumn; what: ResampleFunction }[]
}

/** Resamples points to spans. */
export function resampleRows(
  rows: readonly PlainRow[],
  query: PlainQuery,
  { unit, amount, functions, origin }: Resample,
  columns: readonly PlainColumn[],
  zone: PlainZone,
): SpanTable {
  const made = combinedColumns(columns, remainingNames(rows, query, columns), functions)
  const groups = Map.groupBy(rows, (row) => {
    const begin = Math.max(earliest, beginOfSpan(row.ts, amount, unit, zone, origin))
    return `${row.selection} ${row.sid} ${begin}`
  })
  const spans = [...groups].map(([key, group]): PlainRow => {
    const [selection, sid, ts] = key.split(' ').map(Number) as [number, number, number]
    const requested = query.selections[selection]!.columns
    const inTime = [...group].sort((a, b) => a.ts - b.ts)
    const values = made.map(({ at, what }) => {
      const { name, type } = columns[at]!
      if (!requested.some((column) => column.name === name && column.type === type)) return null
      if (what === 'time_weighted_mean') {
        const given = pointsOfColumn(
          rows.filter((row) => row.selection === selection && row.sid === sid),
          at,
        )
        return timeWeightedMean(given, ts, endOfSpan(inTime.at(-1)!.ts, amount, unit, zone, origin))
      }
      return combine(
        inTime.flatMap((row) => row.values[at] ?? []),
        what,
        type,
      )
    })
    return { selection, sid, ts, values }
  })
  return {
    columns: made.map(({ name, type }) => ({ name, type })),
    sources: made.map(({ at, what }) => ({ source: columns[at]!, what })),
    rows: spans.filter(({ values }) => values.some((value) => value !== null)),
  }
}

/** A column that a function computes from another one. */
export interface CombinedColumn extends PlainColumn {
  /** Index of its source column. */
  at: number
  /** Function that computes it. */
  what: ResampleFunction
}

/** Returns the columns that functions compute from others with these names; unnamed columns have none. */
export function combinedColumns(
  columns: readonly PlainColumn[],
  names: readonly (string | undefined)[],
  functions: readonly ResampleFunction[],
): CombinedColumn[] {
  return columns.flatMap(({ type }, at) =>
    (names[at] === undefined ? [] : functions)
      .filter((what) => type === 'double' || type === 'integer' || ['first', 'last', 'count'].includes(what))
      .map((what) => ({ at, what, name: `${names[at]}_${what}`, type: resultType(what, type) })),
  )
}

/** Returns the names of the remaining columns. */
export function remainingNames(
  rows: readonly PlainRow[],
  query: PlainQuery,
  columns: readonly PlainColumn[],
): (string | undefined)[] {
  // Zeros fill all rows of series with at least one point.
  const isZeroed = ({ name, type }: PlainColumn, selection: number) =>
    (query.selections[selection]!.fill ?? query.resample?.fill)?.kind === 'zero' &&
    (type === 'double' || type === 'integer') &&
    query.selections[selection]!.columns.some((column) => column.name === name && column.type === type)
  const isIncluded = columns.map(
    (column, at) =>
      !query.skipEmptyColumns ||
      query.layout === 'columns' ||
      rows.some(({ values, selection }) => values[at] !== null || isZeroed(column, selection)),
  )
  const names = uniqueNames(columns.filter((_, at) => isIncluded[at]))
  return isIncluded.map((included) => (included ? names.shift() : undefined))
}

function resultType(what: ResampleFunction, type: ValueType): ValueType {
  if (what === 'count') return 'integer'
  return ['first', 'last', 'min', 'max', 'sum'].includes(what) ? type : 'double'
}

interface Timed {
  ts: number
  value: number
}

function pointsOfColumn(rows: readonly PlainRow[], at: number): Timed[] {
  return rows
    .flatMap((row) => (row.values[at] === null ? [] : [{ ts: row.ts, value: Number(row.values[at]) }]))
    .sort((a, b) => a.ts - b.ts)
}

/** Computes the mean from start to end of a value that holds until the next one; empty without a point in between. */
function timeWeightedMean(points: readonly Timed[], begin: number, end: number): number | null {
  const inside = points.filter(({ ts }) => ts >= begin && ts < end)
  const held = points.findLast(({ ts }) => ts < begin)
  if (inside.length === 0) return null
  const steps = [...(held ? [{ ...held, ts: begin }] : []), ...inside]
  const until = [...steps.slice(1).map(({ ts }) => ts), end]
  const parts = steps.map(({ ts, value }, index) => value * ((until[index]! - ts) / (end - steps[0]!.ts)))
  return parts.reduce((sum, part) => sum + part, 0)
}

/** Returns the percentile, interpolated linearly. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const position = ((sorted.length - 1) * percent) / 100
  const [below, above] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!]
  return below + (above - below) * (position - Math.floor(position))
}

function sampleDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

/** Applies a function to values that are not empty, in time order. */
export function combine(
  values: readonly (number | string)[],
  what: ResampleFunction,
  type: ValueType,
): PlainValue {
  if (what === 'count') return values.length
  if (values.length === 0) return null
  if (what === 'first') return values[0]!
  if (what === 'last') return values.at(-1)!
  const numbers = values as readonly number[]
  if (what === 'median') return percentile(numbers, 50)
  if (what.startsWith('p')) return percentile(numbers, Number(what.slice(1)))
  if (what === 'stddev') return sampleDeviation(numbers)
  if (what === 'min') return Math.min(...numbers)
  if (what === 'max') return Math.max(...numbers)
  // Sums of integers that cancel each other out exceed a double on the way.
  const sum =
    type === 'integer'
      ? Number(numbers.reduce((total, value) => total + BigInt(value), 0n))
      : numbers.reduce((total, value) => total + value, 0)
  return what === 'sum' ? sum : sum / numbers.length
}
