import type { ValueFilter } from '../src/query-options.ts'
import type { Resample } from '../src/resample-aggregate.ts'
import type { SeriesStatistics } from '../src/query-result.ts'
import type {
  ColumnSpec,
  PointBatch,
  StageMode,
  StageResult,
  ValueType,
  VersionFact,
} from '../src/series-upload.ts'
import { aggregateRows } from './plain-aggregate.ts'
import { addCalendarTime, PlainZone } from './plain-calendar.ts'
import { computeFormula } from './plain-formula.ts'
import { fillRows, fillSpans, remainingNames, resampleRows } from './plain-spans.ts'
import {
  unionOfColumns,
  uniqueNames,
  type PlainValue,
  type PlainQuery,
  type PlainRow,
  type PlainTable,
} from './plain-table.ts'

interface Point {
  sid: number
  ts: number
  ver: number
  values: Map<number, PlainValue>
  /** By column, the version of a value that was inherited from an earlier one. */
  inheritedFrom: Map<number, number>
}

/** A reference implementation of the engine, as plain and slow as possible: lists and loops over all points. */
export class PlainEngine {
  readonly #datasets = new Map<number, { points: Point[]; columns: Set<number> }>()

  /** Stages and publishes in one step. */
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
        fresh.set(`${sid} ${ts}`, { sid, ts, ver: version, values, inheritedFrom: new Map() })
        result.rowsRead++
      })
    }
    const get = (values: Map<number, PlainValue> | undefined, id: number) => values?.get(id) ?? null
    const added = [...fresh.values()].filter((point) => {
      const before = stored.points
        .filter(({ sid, ts }) => sid === point.sid && ts === point.ts)
        .sort((a, b) => b.ver - a.ver)[0]
      if (mode === 'replace') return true
      const added = [...stored.columns].filter((id) => {
        const [value, old] = [get(point.values, id), get(before?.values, id)]
        if (mode !== 'changes' && value === null) return false
        return mode === 'partial' || value !== old
      })
      for (const id of stored.columns) {
        if (added.includes(id)) continue
        point.values.set(id, get(before?.values, id))
        if (before) point.inheritedFrom.set(id, versionOf(before, id))
      }
      return added.length > 0
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
    if (!stored) return
    stored.points = stored.points.filter((point) => point.ver !== version)
    for (const { inheritedFrom } of stored.points)
      for (const [id, from] of inheritedFrom) if (from === version) inheritedFrom.delete(id)
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

  /** Computes the points of a selection's formula up to a version. */
  #computedPoints(
    { formula, series, columns }: PlainQuery['selections'][number],
    lastVersion: number,
  ): Point[] {
    const computed = computeFormula(formula!, ({ dataset, sid, column }) => {
      const stored = (this.#datasets.get(dataset)?.points ?? []).filter((point) => point.ver <= lastVersion)
      return stored.flatMap((point) => {
        const value = point.values.get(column.id) ?? null
        const isMeant = point.sid === sid && isNewest(point, stored) && value !== null
        return isMeant ? [{ ts: point.ts, ver: versionOf(point, column.id), value: Number(value) }] : []
      })
    })
    return computed.map(({ ts, ver, value }) => ({
      sid: series[0]!.sid,
      ts,
      ver,
      values: new Map(columns.map(({ id }) => [id, value])),
      inheritedFrom: new Map(),
    }))
  }

  /** Returns all rows of a query. */
  table(query: PlainQuery): PlainTable {
    const { corrections = 'false', delta = false, asOf = Infinity, range = { kind: 'ALL' } } = query
    const zone = new PlainZone(query.timeZone ?? 'UTC')
    const columns = unionOfColumns(query)
    const isTimed = range.kind === 'BETWEEN' || (range.kind !== 'ALL' && range.unit !== 'VALUES')
    const isByVersion = delta && isTimed

    const counting = (lastVersion: number, firstVersion = -Infinity) =>
      query.selections.flatMap((selection, number) => {
        const sids = new Set(selection.series.map(({ sid }) => sid))
        const points = selection.formula
          ? this.#computedPoints(selection, lastVersion)
          : (this.#datasets.get(selection.dataset)?.points ?? [])
        const known = points.filter((point) => sids.has(point.sid) && point.ver <= lastVersion)
        const isReturned = (point: Point, id: number) => {
          if (corrections === 'false') return versionOf(point, id) >= firstVersion
          if (versionOf(point, id) !== point.ver) return false
          return corrections !== 'only' || isCorrected(point, id, known)
        }
        const rows = known
          .filter((point) => corrections !== 'false' || isNewest(point, known))
          .map((point) => ({
            selection: number,
            sid: point.sid,
            ts: point.ts,
            ver: point.ver,
            values: columns.map(({ name, type }) => {
              const own = selection.columns.find((column) => column.name === name && column.type === type)
              return own && isReturned(point, own.id) ? (point.values.get(own.id) ?? null) : null
            }),
          }))
          .filter(({ values }) => values.some((value) => value !== null))
        return selection.shift
          ? shiftRows(rows, (ts) =>
              addCalendarTime(ts, selection.shift!.amount, selection.shift!.unit, zone, query.calendar),
            )
          : rows
      })

    const isMet = (row: Pick<PlainRow, 'selection' | 'values' | 'ts'>) =>
      isAtTime(zone.toLocal(row.ts), query) &&
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
      ? counting(Math.min(asOf, to * 1000 + 999), from * 1000).filter(({ ver }) => ver >= from * 1000)
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
    const table = query.resample
      ? this.#spans(rows, query, query.resample, zone)
      : { columns, rows: inWindow(fillRows(rows, query, columns), query) }
    if (!query.aggregate) return { ...table, rows: sortRows(table.rows, query) }
    const isFilled = query.selections.some(({ fill }) => fill)
    const names = query.resample
      ? uniqueNames(table.columns)
      : remainingNames(isFilled ? rows : table.rows, query, columns)
    const combined = aggregateRows(table.rows, query, table.columns, names)
    return { ...combined, rows: sortRows(combined.rows, query) }
  }

  #spans(rows: readonly PlainRow[], query: PlainQuery, resample: Resample, zone: PlainZone): PlainTable {
    const spans = resampleRows(rows, query, resample, unionOfColumns(query), zone)
    const filled = resample.fill ? fillSpans(spans, query, resample, zone) : spans.rows
    return { columns: spans.columns, rows: inWindow(filled, query) }
  }
}

/** Returns whether a local time is in the requested hours and days of the week. */
function isAtTime(local: number, { hours, weekdays }: PlainQuery): boolean {
  const at = new Date(local)
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes()
  const isHour = hours?.some(({ from, to }) =>
    from < to ? minute >= from && minute < to : minute >= from || minute < to,
  )
  return (isHour ?? true) && (weekdays?.includes(at.getUTCDay() || 7) ?? true)
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

/** Returns the version that a value of a point belongs to. */
function versionOf(point: Point, column: number): number {
  return point.inheritedFrom.get(column) ?? point.ver
}

/** Returns whether a column of a point has a value and a newer version. */
function isCorrected(point: Point, column: number, points: readonly Point[]): boolean {
  const own = points.filter((other) => isSamePoint(point, other) && versionOf(other, column) === other.ver)
  const withValue = own.filter(({ values }) => (values.get(column) ?? null) !== null)
  return own.some(({ ver }) => ver > Math.min(...withValue.map((other) => other.ver)))
}

function hasAnyValue(point: Point): boolean {
  return [...point.values.values()].some((value) => value !== null)
}

const earliest = Date.UTC(1677, 0, 1)
const latest = Date.UTC(2299, 11, 31, 23, 59, 59, 999)

/**
 * If rows of a series have equal shifted timestamps, the later one wins. Drops rows outside the years of the engine.
 */
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

function inWindow(rows: PlainRow[], { window }: PlainQuery): PlainRow[] {
  return rows.filter(({ ts }) => ts >= (window?.from ?? -Infinity) && ts <= (window?.to ?? Infinity))
}

function sortRows(rows: PlainRow[], { sortBy, order }: PlainQuery): PlainRow[] {
  const direction = order === 'desc' ? -1 : 1
  return rows.sort((a, b) => {
    const byTime = (a.ts - b.ts) * direction
    const bySeries = a.selection - b.selection || a.sid - b.sid
    return (sortBy === 'time' ? byTime || bySeries : bySeries || byTime) || (a.ver ?? 0) - (b.ver ?? 0)
  })
}
