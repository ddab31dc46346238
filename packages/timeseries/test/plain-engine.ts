import type {
  ColumnSpec,
  Fill,
  PointBatch,
  Resample,
  ResampleFunction,
  SeriesLabel,
  SeriesQuery,
  SeriesStatistics,
  StageMode,
  StageResult,
  ValueFilter,
  ValueType,
  VersionFact,
} from '../src/series-engine.ts'
import { computeFormula } from './plain-formula.ts'
import { addCalendarTime, beginOfSpan, PlainZone } from './plain-calendar.ts'

export type PlainValue = number | string | null

/** A question whose series are a list, so that it can be asked of several engines and printed. */
export type PlainQuery = Omit<SeriesQuery, 'selections' | 'versionTexts'> & {
  selections: readonly (Omit<SeriesQuery['selections'][number], 'series'> & {
    series: readonly SeriesLabel[]
  })[]
  versionTexts?: { name: string; texts: readonly (readonly [number, string])[] }
}

interface Point {
  sid: number
  ts: number
  ver: number
  values: Map<number, PlainValue>
}

/** A column of the answer. */
export interface PlainColumn {
  name: string
  type: ValueType
}

/** A row of the answer before it becomes text. */
export interface PlainRow {
  /** Number of the selection it belongs to. */
  selection: number
  sid: number
  ts: number
  /** The version it shows; undefined in a row that is filled in. */
  ver?: number
  /** By column of the answer. */
  values: PlainValue[]
}

/** All rows of an answer before `limit`, `layout` and `drawPoints`, in their order. */
export interface PlainTable {
  columns: PlainColumn[]
  rows: PlainRow[]
}

/** What the engine must answer, written as plainly and slowly as possible: lists and loops over all points. */
export class PlainEngine {
  readonly #datasets = new Map<number, { points: Point[]; columns: Set<number> }>()

  /** Stages and publishes at once. */
  upload(request: {
    dataset: number
    version: number
    mode: StageMode
    columns: readonly ColumnSpec[]
    batches: readonly PointBatch[]
  }): StageResult {
    const { dataset, version, mode, columns } = request
    const stored = this.#datasets.get(dataset) ?? { points: [], columns: new Set() }
    this.#datasets.set(dataset, stored)
    for (const { id } of columns) stored.columns.add(id)
    const fresh = new Map<string, Point>()
    const result: StageResult = { rowsRead: 0, rowsStaged: 0 }
    for (const batch of request.batches) {
      batch.sids.forEach((sid, row) => {
        const ts = batch.timestamps[row]!
        const values = new Map(columns.map(({ id }, index) => [id, plainValue(batch.values[index]![row]!)]))
        if (fresh.has(`${sid} ${ts}`)) result.firstRepeat ??= { row: result.rowsRead, sid, timestamp: ts }
        fresh.set(`${sid} ${ts}`, { sid, ts, ver: version, values })
        result.rowsRead++
      })
    }
    const get = (values: Map<number, PlainValue> | undefined, id: number) => values?.get(id) ?? null
    const added = [...fresh.values()].filter((point) => {
      const before = stored.points
        .filter(({ sid, ts }) => sid === point.sid && ts === point.ts)
        .sort((a, b) => b.ver - a.ver)[0]
      if (mode === 'partial') {
        if (columns.every(({ id }) => get(point.values, id) === null)) return false
        for (const id of stored.columns)
          point.values.set(id, get(point.values, id) ?? get(before?.values, id))
      }
      const isSame = [...stored.columns].every((id) => get(point.values, id) === get(before?.values, id))
      return !(mode === 'changes' && isSame)
    })
    stored.points.push(...added)
    result.rowsStaged = added.length
    if (added.length > 0) {
      result.firstTimestamp = Math.min(...added.map(({ ts }) => ts))
      result.lastTimestamp = Math.max(...added.map(({ ts }) => ts))
    }
    return result
  }

  remove(dataset: number, version: number): void {
    const stored = this.#datasets.get(dataset)
    if (stored) stored.points = stored.points.filter((point) => point.ver !== version)
  }

  removeSeries(dataset: number, sids: readonly number[]): void {
    const stored = this.#datasets.get(dataset)
    if (stored) stored.points = stored.points.filter((point) => !sids.includes(point.sid))
  }

  listVersions(dataset: number): VersionFact[] {
    const counts = new Map<number, number>()
    for (const { ver } of this.#datasets.get(dataset)?.points ?? [])
      counts.set(ver, (counts.get(ver) ?? 0) + 1)
    return [...counts].sort(([a], [b]) => a - b).map(([version, rows]) => ({ version, rows }))
  }

  statistics(dataset: number, sids: readonly number[] | 'all'): SeriesStatistics[] {
    const points = this.#datasets.get(dataset)?.points ?? []
    const wanted = new Set(sids === 'all' ? points.map(({ sid }) => sid) : sids)
    return [...wanted]
      .sort((a, b) => a - b)
      .flatMap((sid) => {
        const times = points
          .filter((point) => point.sid === sid && isNewest(point, points) && hasAnyValue(point))
          .map(({ ts }) => ts)
        if (times.length === 0) return []
        const [firstTimestamp, lastTimestamp] = [Math.min(...times), Math.max(...times)]
        return [{ sid, firstTimestamp, lastTimestamp, count: times.length }]
      })
  }

  /** What the formula of a selection gives of the points up to a version. */
  #computedPoints(
    { formula, series, columns }: PlainQuery['selections'][number],
    lastVersion: number,
  ): Point[] {
    const computed = computeFormula(formula!, ({ dataset, sid, column }) => {
      const stored = (this.#datasets.get(dataset)?.points ?? []).filter((point) => point.ver <= lastVersion)
      return stored.flatMap((point) => {
        const value = point.values.get(column.id) ?? null
        const isMeant = point.sid === sid && isNewest(point, stored) && value !== null
        return isMeant ? [{ ts: point.ts, ver: point.ver, value: Number(value) }] : []
      })
    })
    return computed.map(({ ts, ver, value }) => ({
      sid: series[0]!.sid,
      ts,
      ver,
      values: new Map(columns.map(({ id }) => [id, value])),
    }))
  }

  /** All rows a question is about. */
  table(query: PlainQuery): PlainTable {
    const { corrections = 'false', delta = false, asOf = Infinity, range = { kind: 'ALL' } } = query
    const zone = new PlainZone(query.timeZone ?? 'UTC')
    const columns = unionOfColumns(query)
    const isTimed = range.kind === 'BETWEEN' || (range.kind !== 'ALL' && range.unit !== 'VALUES')
    const isByVersion = delta && isTimed

    const counting = (lastVersion: number) =>
      query.selections.flatMap((selection, number) => {
        const sids = new Set(selection.series.map(({ sid }) => sid))
        const points = selection.formula
          ? this.#computedPoints(selection, lastVersion)
          : (this.#datasets.get(selection.dataset)?.points ?? [])
        const known = points.filter((point) => sids.has(point.sid) && point.ver <= lastVersion)
        const chosen = known.filter((point) => {
          if (corrections === 'false') return isNewest(point, known)
          return corrections !== 'only' || known.some((other) => isSamePoint(point, other) && point !== other)
        })
        const rows = chosen
          .map((point) => ({
            selection: number,
            sid: point.sid,
            ts: point.ts,
            ver: point.ver,
            values: columns.map(({ name, type }) => {
              const own = selection.columns.find((column) => column.name === name && column.type === type)
              return own ? (point.values.get(own.id) ?? null) : null
            }),
          }))
          .filter(({ values }) => values.some((value) => value !== null))
        return selection.shift
          ? shiftRows(rows, (ts) =>
              addCalendarTime(ts, selection.shift!.amount, selection.shift!.unit, zone, query.calendar),
            )
          : rows
      })

    const isMet = (row: Pick<PlainRow, 'selection' | 'values'>) =>
      (query.filters ?? []).every((filter) => {
        const own = query.selections[row.selection]!.columns.filter(({ name }) => name === filter.column)
        const met = own.map(({ name, type }) => {
          const at = columns.findIndex((column) => column.name === name && column.type === type)
          return meets(row.values[at]!, type, filter)
        })
        if (own.length === 0) return meets(null, 'string', filter)
        const isForAll = filter.operator === 'isEmpty' || filter.operator === 'notEquals'
        return isForAll ? !met.includes(false) : met.includes(true)
      })

    let from = -Infinity
    let to = Infinity
    if (range.kind === 'BETWEEN') {
      from = range.from ?? from
      to = range.to ?? to
    } else if (range.kind !== 'ALL' && range.unit !== 'VALUES') {
      const { amount, unit } = range
      const move = (anchor: number, by: number) => addCalendarTime(anchor, by, unit, zone, query.calendar)
      const newest =
        range.anchor ??
        Math.max(
          ...counting(asOf)
            .filter(isMet)
            .map(({ ts }) => ts),
        )
      if (range.kind === 'LAST') {
        to = newest
        from = newest === -Infinity ? newest : move(newest, -amount) + 1
      } else {
        from = range.anchor! + 1
        to = move(range.anchor!, amount)
      }
    } else if (range.kind !== 'ALL' && range.anchor !== undefined) {
      if (range.kind === 'LAST') to = range.anchor
      else from = range.anchor + 1
    }

    let rows = isByVersion
      ? counting(Math.min(asOf, to * 1000 + 999)).filter(({ ver }) => ver >= from * 1000)
      : counting(asOf).filter(({ ts }) => ts >= from && ts <= to)
    rows = rows.filter(isMet)
    if ((range.kind === 'LAST' || range.kind === 'NEXT') && range.unit === 'VALUES') {
      const all = rows
      rows = all.filter((row) => {
        const own = all.filter((other) => other.selection === row.selection && other.sid === row.sid)
        const times = [...new Set(own.map(({ ts }) => ts))].sort((a, b) =>
          range.kind === 'LAST' ? b - a : a - b,
        )
        return times.indexOf(row.ts) < range.amount
      })
    }
    if (query.resample) {
      const spans = resampleRows(rows, query, query.resample, columns, zone)
      return { columns: spans.columns, rows: sortRows(spans.rows, query) }
    }
    return { columns, rows: sortRows(fillRows(rows, query, columns), query) }
  }
}

/** What stands behind the name of a column in NCSV. */
export const suffixes: Record<ValueType, string> = { double: '', integer: '(I)', string: '(S)', date: '(D)' }

/** Names of columns in JSON and Arrow: a name that was used gets its type behind it. */
export function uniqueNames(columns: readonly PlainColumn[]): string[] {
  return columns.map(({ name, type }, index) =>
    columns.slice(0, index).some((other) => other.name === name) ? name + (suffixes[type] || '(DB)') : name,
  )
}

/** Columns of all selections, each name and type once, in the order of first appearance. */
export function unionOfColumns(query: PlainQuery): PlainColumn[] {
  const columns: PlainColumn[] = []
  for (const { name, type } of query.selections.flatMap((selection) => selection.columns)) {
    if (!columns.some((column) => column.name === name && column.type === type)) columns.push({ name, type })
  }
  return columns
}

function plainValue(value: PlainValue): PlainValue {
  return value === '' || Number.isNaN(value) ? null : value
}

function isSamePoint(a: Point, b: Point): boolean {
  return a.sid === b.sid && a.ts === b.ts
}

function isNewest(point: Point, points: readonly Point[]): boolean {
  return points.every((other) => !isSamePoint(point, other) || other.ver <= point.ver)
}

function hasAnyValue(point: Point): boolean {
  return [...point.values.values()].some((value) => value !== null)
}

const earliest = Date.UTC(1900, 0, 1)
const latest = Date.UTC(2299, 11, 31, 23, 59, 59, 999)

/** Of rows of a series that meet by moving, the one that was later stays. What leaves the years of the engine is gone. */
function shiftRows<Row extends { sid: number; ts: number }>(
  rows: readonly Row[],
  move: (ts: number) => number,
): Row[] {
  const moved = new Map<string, Row>()
  for (const row of [...rows].sort((a, b) => a.ts - b.ts)) {
    const ts = move(row.ts)
    if (ts >= earliest && ts <= latest) moved.set(`${row.sid} ${ts}`, { ...row, ts })
  }
  return [...moved.values()]
}

function meets(value: PlainValue, type: ValueType, filter: ValueFilter): boolean {
  const { operator } = filter
  if (operator === 'isEmpty') return value === null
  if (operator === 'isNotEmpty') return value !== null
  if (value === null) return operator === 'notEquals'
  const isText = type === 'string'
  const wanted = [filter.value].flat().map((item) => (isText ? String(item) : Number(item)))
  if (operator === 'in') return wanted.includes(value)
  const order = isText
    ? Buffer.compare(Buffer.from(String(value)), Buffer.from(String(wanted[0])))
    : Number(value) - Number(wanted[0])
  if (operator === 'equals') return order === 0
  if (operator === 'notEquals') return order !== 0
  if (operator === 'less') return order < 0
  if (operator === 'lessOrEqual') return order <= 0
  if (operator === 'greater') return order > 0
  if (operator === 'greaterOrEqual') return order >= 0
  const [text, part] = [String(value).toLowerCase(), String(wanted[0]).toLowerCase()]
  if (operator === 'contains') return text.includes(part)
  return operator === 'startsWith' ? text.startsWith(part) : text.endsWith(part)
}

function fillRows(rows: readonly PlainRow[], query: PlainQuery, columns: readonly PlainColumn[]): PlainRow[] {
  const times = [...new Set(rows.map(({ ts }) => ts))].sort((a, b) => a - b)
  return query.selections.flatMap((selection, number) => {
    const own = rows.filter((row) => row.selection === number)
    const fill = selection.fill
    if (!fill) return own
    const owned = columns.map(({ name, type }) =>
      selection.columns.some((column) => column.name === name && column.type === type),
    )
    const sids = new Set(selection.series.map(({ sid }) => sid))
    return [...sids].flatMap((sid) => {
      const series = own.filter((row) => row.sid === sid).sort((a, b) => a.ts - b.ts)
      if (series.length === 0) return []
      return times.flatMap((ts) => {
        const row = series.find((other) => other.ts === ts)
        const values = columns.map(({ type }, index) => {
          const value = row?.values[index] ?? null
          if (value !== null || !owned[index]) return value
          const given = series.flatMap((other) => {
            const there = other.values[index] ?? null
            return there === null ? [] : [{ ts: other.ts, value: there }]
          })
          return filledValue(ts, given, fill, type)
        })
        return values.every((value) => value === null)
          ? []
          : [{ selection: number, sid, ts, ver: row?.ver, values }]
      })
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
  if (fill.kind === 'previous') return previous?.value ?? null
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

function resampleRows(
  rows: readonly PlainRow[],
  query: PlainQuery,
  { unit, amount, functions }: Resample,
  columns: readonly PlainColumn[],
  zone: PlainZone,
): PlainTable {
  const isKept = columns.map(
    (_, at) => !query.skipEmptyColumns || rows.some(({ values }) => values[at] !== null),
  )
  const names = new Map<number, string>()
  const kept = columns.flatMap((_, at) => (isKept[at] ? [at] : []))
  for (const [index, name] of uniqueNames(kept.map((at) => columns[at]!)).entries())
    names.set(kept[index]!, name)
  const made = columns.flatMap(({ name, type }, at) =>
    functions
      .filter((what) => type === 'double' || type === 'integer' || ['first', 'last', 'count'].includes(what))
      .map((what) => ({
        at,
        what,
        name: `${names.get(at) ?? name}_${what}`,
        type: what === 'mean' ? ('double' as const) : what === 'count' ? ('integer' as const) : type,
      })),
  )
  const groups = Map.groupBy(rows, (row) => {
    const begin = Math.max(earliest, beginOfSpan(row.ts, amount, unit, zone))
    return `${row.selection} ${row.sid} ${begin}`
  })
  const spans = [...groups].map(([key, group]): PlainRow => {
    const [selection, sid, ts] = key.split(' ').map(Number) as [number, number, number]
    const asked = query.selections[selection]!.columns
    const inTime = [...group].sort((a, b) => a.ts - b.ts)
    const values = made.map(({ at, what }) => {
      const { name, type } = columns[at]!
      if (!asked.some((column) => column.name === name && column.type === type)) return null
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
    rows: spans.filter(({ values }) => values.some((value) => value !== null)),
  }
}

function combine(values: readonly (number | string)[], what: ResampleFunction, type: ValueType): PlainValue {
  if (what === 'count') return values.length
  if (values.length === 0) return null
  if (what === 'first') return values[0]!
  if (what === 'last') return values.at(-1)!
  const numbers = values as readonly number[]
  if (what === 'min') return Math.min(...numbers)
  if (what === 'max') return Math.max(...numbers)
  // Whole numbers that cancel each other out are more than a number holds on the way.
  const sum =
    type === 'integer'
      ? Number(numbers.reduce((total, value) => total + BigInt(value), 0n))
      : numbers.reduce((total, value) => total + value, 0)
  return what === 'sum' ? sum : sum / numbers.length
}

function sortRows(rows: PlainRow[], { sortBy, order }: PlainQuery): PlainRow[] {
  const direction = order === 'desc' ? -1 : 1
  return rows.sort((a, b) => {
    const byTime = (a.ts - b.ts) * direction
    const bySeries = a.selection - b.selection || a.sid - b.sid
    return (sortBy === 'time' ? byTime || bySeries : bySeries || byTime) || (a.ver ?? 0) - (b.ver ?? 0)
  })
}
